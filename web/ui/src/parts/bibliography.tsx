import { useCallback, useEffect, useRef, useState } from "react";
import { cited, saysNumber, titleOf, type Linked } from "../answer";
import { download, get, post, type Problem } from "../api";
import { asProblem, useHas, useKeys, useLoad } from "../hooks";
import { head } from "../text";
import type { Answer, Drift, Page, Style } from "../types";
import { Combobox, type Choice } from "./combobox";
import { Doing, Failed, Waiting } from "./small";

type Format = [to: string, label: string, ending: string];

/** What reference managers take. */
const records: Format[] = [
  ["bibtex", "BibTeX", "bib"],
  ["biblatex", "BibLaTeX", "bib"],
  ["ris", "RIS", "ris"],
  ["endnote", "EndNote", "xml"],
  ["csljson", "CSL-JSON", "json"],
];

const formats: Format[] = [
  ...records,
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

/** The style that was chosen last, here or elsewhere, and the field that chooses another. */
function useStyle() {
  const [style, setStyle] = useState(lastStyle);
  const choose = (c: Choice) => {
    setStyle(c);
    localStorage.setItem(kept, JSON.stringify(c));
  };
  return { style: style.value, field: <Combobox label="Style" none="no style of that name" value={style} search={search} onChoose={choose} /> };
}

/** References as a style writes them, and the number of each. */
interface Written {
  entries: string[];
  numbers: number[];
}

/** Entries as they are written, and again when write changes; until then the last ones stay. */
function useEntries(write: () => Promise<Written>, wanted: boolean): Partial<Written> & { error?: Problem } {
  const [written, setWritten] = useState<Partial<Written> & { error?: Problem }>({});
  useEffect(() => {
    if (!wanted) return;
    let on = true;
    write().then(
      ({ entries, numbers }) => on && setWritten({ entries, numbers }),
      (err: unknown) => on && setWritten((was) => ({ ...was, error: asProblem(err) })),
    );
    return () => {
      on = false;
    };
  }, [write, wanted]);
  return written;
}

/** Entries in the order of their style, with the numbers that lead to them where the style writes none. */
function Entries({ entries, numbers }: { entries: string[]; numbers?: number[] }) {
  return (
    <ul className={numbers ? "entries numbered" : "entries"}>
      {entries.map((e, i) => (
        <li key={i}>
          {numbers && <b className="nr">{numbers[i]}</b>}
          <span>{e}</span>
        </li>
      ))}
    </ul>
  );
}

function Copy({ entries }: { entries: string[] }) {
  return (
    <Doing done="copied" onClick={() => navigator.clipboard.writeText(entries.join("\n"))}>
      Copy
    </Doing>
  );
}

/** What the answer cites, in any style, and all its exports. Only what is really cited is listed; the rest stands apart. */
export function Bibliography({ answer, recorded, children }: { answer: Answer; recorded: boolean; children?: React.ReactNode }) {
  const { style, field } = useStyle();
  const sources = cited(answer);

  const write = useCallback(async () => {
    if (recorded) return get<Written>(`/api/v1/answers/${encodeURIComponent(answer.id)}/bibliography?style=${encodeURIComponent(style)}`);
    const sources = cited(answer);
    const references = sources.map((c) => ({ type: "document", title: titleOf(c.source), ...c.source.reference, id: String(c.number) }));
    const b = await post<Written>("/api/v1/cite", { references, style });
    return { ...b, numbers: b.numbers.map((n) => sources[n - 1].number) };
  }, [answer, recorded, style]);
  const { entries, numbers, error } = useEntries(write, sources.length > 0);
  const told = entries?.every((e, i) => saysNumber(e, numbers?.[i] ?? 0));

  return (
    <section className="bibliography" aria-labelledby="sources">
      <h2 id="sources">Sources</h2>
      {sources.length > 0 && (
        <>
          {field}
          {error && <Failed error={error} />}
          <Entries entries={entries ?? []} numbers={told ? undefined : numbers} />
        </>
      )}
      {!sources.length && <p className="soft">Nothing is cited.</p>}
      <div id="export" className="row" role="group" aria-label="Export">
        {entries && sources.length > 0 && <Copy entries={entries} />}
        {recorded &&
          formats.map(([to, label, ending]) => (
            <Doing key={to} done="" onClick={() => download(`/api/v1/answers/${encodeURIComponent(answer.id)}/export?to=${to}&style=${encodeURIComponent(style)}`, `answer-${answer.id}.${ending}`)}>
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

/** All sources of the library, written in any style and as files for reference managers. It is worked out when it is opened, and again
 * with each round of taking in. */
export function LibraryBibliography({ round }: { round: number }) {
  const box = useRef<HTMLDetailsElement>(null);
  const [open, setOpen] = useState(false);
  const { style, field } = useStyle();
  const write = useCallback(
    () => get<Written>(`/api/v1/bibliography?style=${encodeURIComponent(style)}`),
    [style, round],
  );
  const { entries, error } = useEntries(write, open);
  useKeys({
    e: () => {
      if (box.current) box.current.open = true;
      box.current?.querySelector("summary")?.focus();
    },
  });
  return (
    <details ref={box} className="bibliography" onToggle={(e) => setOpen(e.currentTarget.open)}>
      <summary>cite or export the whole library</summary>
      {open && (
        <>
          {field}
          <div id="export" className="row" role="group" aria-label="Export">
            {entries && <Copy entries={entries} />}
            {records.map(([to, label, ending]) => (
              <Doing key={to} done="" onClick={() => download(`/api/v1/export?to=${to}`, `library.${ending}`)}>
                {label}
              </Doing>
            ))}
          </div>
          {error && <Failed error={error} />}
          {entries ? <Entries entries={entries} /> : !error && <Waiting>writing the bibliography</Waiting>}
        </>
      )}
    </details>
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
