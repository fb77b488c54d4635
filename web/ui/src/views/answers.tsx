import { useState } from "react";
import { usePages, useSettled, useTitle } from "../hooks";
import { Finder, Pager } from "../parts/list";
import { Failed, Waiting } from "../parts/small";
import { findable, head, moment } from "../text";
import type { AnswerHead } from "../types";

/** Answers: everything that was ever asked, and a way to find it again, by what was asked and what was said. */
export function Answers() {
  useTitle("Answers");
  const [words, setWords] = useState("");
  const asked = useSettled(findable(words) ? words.trim() : "");
  const list = usePages<AnswerHead>(`/api/v1/answers${asked && `?q=${encodeURIComponent(asked)}`}`);
  const items = list.data?.items;
  return (
    <div className="one wider">
      <h1>Answers</h1>
      {(asked || !!items?.length) && <Finder label="Find words in questions and answers" words={words} onWords={setWords} list={list} one="answer" />}
      {list.error && <Failed error={list.error} again={list.again} />}
      {!items && !list.error && <Waiting>opening the answers</Waiting>}
      {items?.length === 0 &&
        (asked ? (
          <p className="soft">No answer has these words.</p>
        ) : (
          <p>
            Nothing was asked yet. <a href="/">Ask a question</a>, and its answer is found here ever after.
          </p>
        ))}
      {!!items?.length && (
        <ul className="list">
          {items.map((a) => (
            <li key={a.id}>
              <a href={`/answers/${encodeURIComponent(a.id)}`}>{head(a.question, 160) || "an answer without a question"}</a>
              <span className="soft">{[a.model === "extractive" ? "" : a.model, moment(a.created_at)].filter(Boolean).join(" · ")}</span>
              {a.excerpt && <p className="excerpt soft">{a.excerpt}</p>}
            </li>
          ))}
        </ul>
      )}
      <Pager list={list} back="‹ newer" more="older ›" />
    </div>
  );
}
