import { useCallback, useEffect, useMemo, useState } from "react";
import { get } from "../api";
import { useLoad, usePages, useSettled, useTitle } from "../hooks";
import { Combobox, type Choice } from "../parts/combobox";
import { Finder, Pager } from "../parts/list";
import { Failed, Waiting } from "../parts/small";
import { answersOf, go, usePlace } from "../router";
import { findable, head, moment } from "../text";
import type { AnswerHead, Page, Source } from "../types";

const anySource: Choice = { value: "", label: "any source" };

/** Answers: everything that was ever asked, and a way to find it again, by what was asked and what was said, by what it rests on and
 * by the conversation that it is of. What is looked for stands in the address. */
export function Answers() {
  useTitle("Answers");
  const place = usePlace();
  const find = useMemo(() => {
    const query = new URLSearchParams(place.query);
    return { q: query.get("q") ?? "", source: query.get("source") ?? "", conversation: query.get("conversation") ?? "" };
  }, [place.query]);
  const [words, setWords] = useState(find.q);
  const asked = useSettled(findable(words) ? words.trim() : "");
  // What was typed goes into the address; an address that is opened, as by going back, says what is looked for.
  useEffect(() => {
    if (asked !== find.q) go(answersOf({ ...find, q: asked }), "replace");
  }, [asked]);
  useEffect(() => {
    if (asked !== find.q) setWords(find.q);
  }, [find.q]);
  const list = usePages<AnswerHead>(answersOf({ ...find, q: asked }, "/api/v1/answers"));
  const items = list.data?.items;
  const narrowed = !!(asked || find.source || find.conversation);
  return (
    <div className="one wider">
      <h1>Answers</h1>
      {(narrowed || !!items?.length) && (
        <>
          <Finder label="Find words in questions and answers" words={words} onWords={setWords} list={list} one="answer" />
          <RestingOn id={find.source} onChoose={(source) => go(answersOf({ ...find, q: asked, source }))} />
        </>
      )}
      {find.conversation && (
        <p>
          Of the conversation <q>{head(find.conversation, 80)}</q>, the last first.{" "}
          <a href={answersOf({ ...find, q: asked, conversation: "" })}>of all</a>
        </p>
      )}
      {list.error && <Failed error={list.error} again={list.again} />}
      {!items && !list.error && <Waiting>opening the answers</Waiting>}
      {items?.length === 0 &&
        !list.error &&
        (narrowed ? (
          <p className="soft">No answer {[asked && "has these words", find.source && "rests on this source", find.conversation && "is of this conversation"].filter(Boolean).join(" and ")}.</p>
        ) : (
          <p>
            Nothing was asked yet. <a href="/">Ask a question</a>, and its answer is found here ever after.
          </p>
        ))}
      {!!items?.length && !list.error && (
        <ul className="list">
          {items.map((a) => (
            <li key={a.id}>
              <a href={`/answers/${encodeURIComponent(a.id)}`}>{head(a.question, 160) || "an answer without a question"}</a>
              <span className="soft">
                {a.conversation && !find.conversation && (
                  <>
                    <a className="aside" href={answersOf({ conversation: a.conversation })}>
                      conversation {head(a.conversation, 40)}
                    </a>
                    {" · "}
                  </>
                )}
                {[a.model === "extractive" ? "" : a.model, moment(a.created_at)].filter(Boolean).join(" · ")}
              </span>
              {a.excerpt && <p className="excerpt soft">{a.excerpt}</p>}
            </li>
          ))}
        </ul>
      )}
      <Pager list={list} back="‹ newer" more="older ›" />
    </div>
  );
}

/** Chooses the source that answers rest on. */
function RestingOn({ id, onChoose }: { id: string; onChoose: (id: string) => void }) {
  const source = useLoad<Source>(id && `/api/v1/sources/${encodeURIComponent(id)}`);
  const search = useCallback(
    async (words: string) => {
      const found = await get<Page<Source>>(`/api/v1/sources?limit=20${words.trim() && `&q=${encodeURIComponent(words.trim())}`}`);
      const choices = found.items.map((s) => ({ value: s.id, label: s.title }));
      return words.trim() ? choices : [anySource, ...choices];
    },
    [],
  );
  // One that was taken out of the library has no title any more, and answers that rest on it.
  const value = id ? { value: id, label: source.data?.title ?? (source.loading ? "…" : id) } : anySource;
  return <Combobox label="Resting on" none="no source of that name" value={value} search={search} onChoose={(c) => onChoose(c.value)} />;
}
