import { useCallback, useEffect, useState } from "react";
import { cited, titleOf, type Linked } from "../answer";
import { download, get, post } from "../api";
import { asProblem, useHas, useLoad } from "../hooks";
import { head } from "../text";
import type { Answer, Drift, Page, Style } from "../types";
import { Combobox, type Choice } from "./combobox";
import { Doing } from "./small";

const formats: [to: string, label: string, ending: string][] = [
  ["bibtex", "BibTeX", "bib"],
  ["biblatex", "BibLaTeX", "bib"],
  ["ris", "RIS", "ris"],
  ["endnote", "EndNote", "xml"],
  ["csljson", "CSL-JSON", "json"],
  ["markdown", "Markdown", "md"],
  ["docx", "Word", "docx"],
  ["html", "HTML", "html"],
  ["json", "JSON", "json"],
];

const kept = "ibid-style";

function lastStyle(): Choice {
  try {
    const c = JSON.parse(localStorage.getItem(kept) ?? "") as Choice;
    if (c.value && c.label) return c;
  } catch {
    // none was chosen yet
  }
  return { value: "apa", label: "APA" };
}

async function search(words: string): Promise<Choice[]> {
  const found = await get<Page<Style>>(`/api/v1/styles?limit=40&q=${encodeURIComponent(words)}`);
  const built = found.items.filter((s) => s.built_in);
  return [...built, ...found.items.filter((s) => !s.built_in)].map((s) => ({ value: s.name, label: s.title || s.name }));
}

/** What the answer cites, in any style, and all its exports. Only what is really cited is listed; the rest stands apart. */
export function Bibliography({ answer, recorded, children }: { answer: Answer; recorded: boolean; children?: React.ReactNode }) {
  const [style, setStyle] = useState(lastStyle);
  const [entries, setEntries] = useState<string[]>();
  const [error, setError] = useState("");
  const sources = cited(answer);

  const write = useCallback(async () => {
    if (recorded) {
      const b = await get<{ entries: string[] }>(`/api/v1/answers/${encodeURIComponent(answer.id)}/bibliography?style=${encodeURIComponent(style.value)}`);
      return b.entries;
    }
    const references = cited(answer).map((c) => ({ type: "document", title: titleOf(c.source), ...c.source.reference, id: String(c.number) }));
    const b = await post<{ entries: string[] }>("/api/v1/cite", { references, style: style.value });
    return b.entries;
  }, [answer, recorded, style.value]);
  useEffect(() => {
    if (!sources.length) return;
    let on = true;
    write().then(
      (list) => {
        if (!on) return;
        setEntries(list);
        setError("");
      },
      (err: unknown) => on && setError(asProblem(err).message),
    );
    return () => {
      on = false;
    };
  }, [write, sources.length]);

  const choose = (c: Choice) => {
    setStyle(c);
    localStorage.setItem(kept, JSON.stringify(c));
  };
  return (
    <section className="bibliography" aria-labelledby="sources">
      <h2 id="sources">Sources</h2>
      {sources.length > 0 && (
        <>
          <Combobox label="Style" none="no style of that name" value={style} search={search} onChoose={choose} />
          {error && (
            <p className="failed" role="alert">
              {error}
            </p>
          )}
          <ul className="entries">
            {(entries ?? []).map((e, i) => (
              <li key={i}>{e}</li>
            ))}
          </ul>
        </>
      )}
      {!sources.length && <p className="soft">Nothing is cited.</p>}
      <div id="export" className="row" role="group" aria-label="Export">
        {entries && sources.length > 0 && (
          <Doing done="copied" onClick={() => navigator.clipboard.writeText(entries.join("\n"))}>
            Copy
          </Doing>
        )}
        {recorded &&
          formats.map(([to, label, ending]) => (
            <Doing key={to} done="" onClick={() => download(`/api/v1/answers/${encodeURIComponent(answer.id)}/export?to=${to}&style=${encodeURIComponent(style.value)}`, `answer-${answer.id}.${ending}`)}>
              {label}
            </Doing>
          ))}
        {children}
      </div>
      {recorded && <Drifted id={answer.id} />}
      <Rest answer={answer} />
    </section>
  );
}

/** Whether what is cited still stands in its sources. Said only where something changed. */
function Drifted({ id }: { id: string }) {
  const [again, setAgain] = useState<{ version: number; changes: { segment: number; text: string; what: string[] }[] }>();
  const there = useHas("GET", "/api/v1/answers/{id}/drift");
  const load = useLoad<Page<Drift>>(there ? `/api/v1/answers/${encodeURIComponent(id)}/drift` : "");
  const off = (load.data?.items ?? []).filter((d) => d.state !== "same");
  if (!off.length) return null;
  return (
    <div className="drift">
      <p>Since this answer, sources have changed:</p>
      <ul className="why">
        {off.map((d, i) => (
          <li key={i} className={d.state === "moved" ? undefined : "denied-text"}>
            <b>{d.number}</b> <q>{head(d.quote, 90)}</q> {{ moved: `has moved in version ${d.newest_version}`, changed: `stands no more in version ${d.newest_version}`, gone: "is of a source that was taken out of the library", same: "" }[d.state]}
            {d.now && (
              <>
                {" "}
                <a href={`/documents/${d.now.document}#${d.now.span.start}-${d.now.span.end}`}>see it there</a>
              </>
            )}
          </li>
        ))}
      </ul>
      <div className="row">
        <Doing
          done=""
          onClick={async () => setAgain(await post(`/api/v1/answers/${encodeURIComponent(id)}/versions`, { cause: "sources" }))}
        >
          Hold it against the newest versions
        </Doing>
      </div>
      {again && (
        <div role="status">
          <p>{again.changes.length ? "By what the sources say now:" : "It rests on the same as before."}</p>
          <ul className="why">
            {again.changes.map((c) => (
              <li key={c.segment}>
                <a href={`#s${c.segment}`}>{head(c.text, 60)}</a>: {c.what.join("; ")}
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}

/** What was read and is not cited. */
function Rest({ answer }: { answer: Linked }) {
  const used = new Set(answer.citations.map((c) => c.source));
  const seen = new Map(answer.passages.filter((p) => !used.has(p.source.id)).map((p) => [p.source.id, p.source]));
  if (!seen.size) return null;
  return (
    <details className="soft">
      <summary>
        {seen.size} more {seen.size === 1 ? "source was" : "sources were"} read and not cited
      </summary>
      <ul>
        {[...seen.values()].map((s) => (
          <li key={s.id}>{titleOf(s)}</li>
        ))}
      </ul>
    </details>
  );
}
