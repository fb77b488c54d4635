import { useRef, useState } from "react";
import { post, save, upload } from "../api";
import { asProblem, useHas, useTitle } from "../hooks";
import { AnswerView } from "../parts/answer";
import { Bibliography } from "../parts/bibliography";
import { Drop, Waiting } from "../parts/small";
import { go } from "../router";
import { asShared } from "../share";
import { count } from "../text";
import type { Answer } from "../types";

interface Given {
  key: number;
  title: string;
  text: string;
}

const plain = /\.(txt|md|markdown|csv|json|tex|rst|log|text)$/i;

const example = {
  answer: "The first transatlantic cable was completed on 5 August 1858. The Queen’s message to President Buchanan took twenty hours to pass. Whitehouse received a medal for it from the city of Dublin.",
  sources: [
    { title: "A history", text: "On 5 August 1858 the landing at Knightstown was completed: the first transatlantic cable was laid. On 16 August Queen Victoria sent a message of 98 words to President James Buchanan. It took sixteen hours to pass." },
    { title: "A report", text: "The committee found that Whitehouse had driven the cable with induction coils at about 2,000 volts, and that this had hastened its end. The directors dismissed him." },
  ],
};

/** Check: any answer against any sources. Nothing of it is recorded. */
export function Check() {
  useTitle("Check");
  const next = useRef(2);
  const [answer, setAnswer] = useState("");
  const [sources, setSources] = useState<Given[]>([{ key: 1, title: "", text: "" }]);
  const [found, setFound] = useState<Answer>();
  const [state, setState] = useState<"" | "working" | string>("");
  const canRead = useHas("POST", "/api/v1/read");
  const change = (key: number, to: Partial<Given>) => setSources((all) => all.map((s) => (s.key === key ? { ...s, ...to } : s)));
  const add = (more: { title: string; text: string }[]) => setSources((all) => [...all.filter((s) => s.text.trim() || s.title.trim()), ...more.map((m) => ({ ...m, key: next.current++ }))]);

  const run = async () => {
    const given = sources.filter((s) => s.text.trim());
    if (!answer.trim()) return setState("paste an answer first");
    setState("working");
    try {
      setFound(await post<Answer>("/api/v1/attribute", { answer, sources: given.map((s, i) => ({ id: `source-${i + 1}`, title: s.title.trim() || `Source ${i + 1}`, text: s.text })) }));
      setState("");
      go("/check", "replace");
      requestAnimationFrame(() => document.getElementById("checked")?.focus());
    } catch (err) {
      setState(asProblem(err).message);
    }
  };
  const drop = async (files: File[]) => {
    setState("");
    const texts = files.filter((f) => plain.test(f.name) || f.type.startsWith("text/plain"));
    const others = files.filter((f) => !texts.includes(f));
    try {
      const read = await Promise.all(texts.map(async (f) => ({ title: f.name, text: await f.text() })));
      if (read.length) add(read);
      if (others.length && canRead) {
        const res = await upload<{ items: { name: string; title?: string; text?: string; error?: string }[] }>("/api/v1/read", others);
        add(res.items.filter((i) => i.text).map((i) => ({ title: i.title || i.name, text: i.text! })));
        const bad = res.items.find((i) => i.error);
        if (bad) setState(`${bad.name}: ${bad.error}`);
      } else if (others.length) {
        setState(`${others[0].name}: only plain text and Markdown can be checked here; take other files into the library and ask`);
      }
    } catch (err) {
      setState(asProblem(err).message);
    }
  };
  return (
    <div className="wide">
      <h1>Check an answer</h1>
      <p className="lead">Paste any answer and what it should rest on. Every sentence is held against the sources; nothing is recorded.</p>
      <form
        className="check"
        onSubmit={(e) => {
          e.preventDefault();
          void run();
        }}
      >
        <div>
          <label htmlFor="answer-text">Answer</label>
          <textarea id="answer-text" rows={9} value={answer} onChange={(e) => setAnswer(e.target.value)} placeholder="The answer, with its markers or citations if it has some" />
        </div>
        <div className="sources-in">
          {sources.map((s, i) => (
            <fieldset key={s.key}>
              <legend className="sr">Source {i + 1}</legend>
              <div className="ask-row">
                <input aria-label={`Title of source ${i + 1}`} value={s.title} onChange={(e) => change(s.key, { title: e.target.value })} placeholder={`Source ${i + 1}: title`} />
                {sources.length > 1 && (
                  <button type="button" className="icon" aria-label={`Remove source ${i + 1}`} onClick={() => setSources((all) => all.filter((x) => x.key !== s.key))}>
                    ✕
                  </button>
                )}
              </div>
              <textarea aria-label={`Text of source ${i + 1}`} rows={sources.length > 2 ? 3 : 5} value={s.text} onChange={(e) => change(s.key, { text: e.target.value })} placeholder="Its text" />
            </fieldset>
          ))}
          <div className="row">
            <button type="button" onClick={() => setSources((all) => [...all, { key: next.current++, title: "", text: "" }])}>
              Another source
            </button>
            <Drop label="Choose files" accept={canRead ? undefined : ".txt,.md,.markdown,text/plain"} onFiles={(f) => void drop(f)}>
              or drop them here
            </Drop>
          </div>
        </div>
        <div className="row check-go">
          <button type="submit" className="primary" disabled={state === "working"}>
            Check
          </button>
          {!answer && (
            <button
              type="button"
              className="link"
              onClick={() => {
                setAnswer(example.answer);
                setSources(example.sources.map((s) => ({ ...s, key: next.current++ })));
              }}
            >
              fill in an example
            </button>
          )}
          {state === "working" ? (
            <Waiting>holding it against {count(sources.filter((s) => s.text.trim()).length, "source")}</Waiting>
          ) : (
            state && (
              <span className="failed" role="alert">
                {state}
              </span>
            )
          )}
        </div>
      </form>
      {found && (
        <>
          <h2 id="checked" tabIndex={-1} className="found">
            Where it comes from
          </h2>
          <AnswerView answer={found} recorded={false}>
            <Bibliography answer={found} recorded={false}>
              <button type="button" onClick={() => save(new Blob([asShared(found)], { type: "text/html" }), "checked-answer.html")}>
                One page to share
              </button>
              <button type="button" onClick={() => save(new Blob([JSON.stringify(found, null, 2)], { type: "application/json" }), "checked-answer.json")}>
                JSON
              </button>
            </Bibliography>
          </AnswerView>
        </>
      )}
    </div>
  );
}
