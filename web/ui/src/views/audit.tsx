import { useEffect, useRef, useState } from "react";
import { download, post } from "../api";
import { asProblem, useHas, useLoad, usePages, useTitle } from "../hooks";
import { Absent } from "../parts/absent";
import { Pager } from "../parts/list";
import { Doing, Drop, Failed, Waiting } from "../parts/small";
import { usePlace } from "../router";
import { count, head, moment } from "../text";
import type { Checkpoint, Entry, Verified } from "../types";

/** Audit: the log to which lines are only ever added, checked on the spot. */
export function Audit() {
  useTitle("Audit");
  const there = useHas("GET", "/api/v1/audit/entries");
  const { hash } = usePlace();
  const wanted = /^\d+$/.test(hash) ? +hash : -1;
  const point = useLoad<Checkpoint>(there ? "/api/v1/audit/checkpoint" : "");
  const list = usePages<Entry>(there ? "/api/v1/audit/entries" : "");
  const listed = list.data?.items.some((e) => e.index === wanted);
  const one = useLoad<Entry>(there && wanted >= 0 && list.data && !listed ? `/api/v1/audit/entries/${wanted}` : "");
  if (there === false) return <Absent title="Audit" what="This server does not give out its log." />;
  if (list.error) return <Absent title="Audit" what={list.error.message} />;
  if (!list.data) return <Waiting>opening the log</Waiting>;
  return (
    <div className="one wider">
      <h1>Audit</h1>
      <p className="lead">
        {count(point.data?.entries ?? list.data.items.length, "entry", "entries")}
        {point.data?.origin && ` in ${point.data.origin}`}. Each holds the hash of the one before; a line that was changed or taken out would show.
      </p>
      <Verify />
      <Receipt />
      {one.data && (
        <ol className="entry-list">
          <EntryLine entry={one.data} open />
        </ol>
      )}
      {one.error && <Failed error={one.error} />}
      {list.data.items.length ? (
        <ol className="entry-list" aria-label="Entries, the latest first">
          {list.data.items.map((e) => (
            <EntryLine key={e.index} entry={e} open={e.index === wanted} />
          ))}
        </ol>
      ) : (
        <p className="soft">Nothing is logged yet. Ask something, and the answer is.</p>
      )}
      <Pager list={list} back="‹ newer" more="older ›" />
    </div>
  );
}

function Verify() {
  const [state, setState] = useState<Verified | "working" | string>("");
  const run = () => {
    setState("working");
    post<Verified>("/api/v1/audit/verify", {}).then(setState, (err: unknown) => setState(asProblem(err).message));
  };
  return (
    <div className="verify">
      <button type="button" className="primary" onClick={run} disabled={state === "working"}>
        Verify now
      </button>
      <div role="status">
        {state === "working" && <Waiting>reading the whole log, and the library beside it</Waiting>}
        {typeof state === "string" && state && state !== "working" && <p className="failed">{state}</p>}
        {typeof state === "object" && (
          <>
            <p className={state.whole ? "passed" : "refused"}>
              {state.library === "differs" ? "The log is whole, and the library is not what it says" : !state.whole ? "The log is not whole" : state.library === "holds" ? "The log is whole, and the library is what it says" : "The log is whole"}: {count(state.entries, "entry", "entries")} read, {count(state.payloads, "payload")} held against their commitments
              {state.erased > 0 && `, ${state.erased} erased`}, {count(state.checkpoints, "signature")} checked.
            </p>
            {state.problems.length > 0 && (
              <ul className="failed">
                {state.problems.map((p, i) => (
                  <li key={i}>{p}</li>
                ))}
              </ul>
            )}
            {state.notes.map((n, i) => (
              <p key={i} className="soft">
                {n}
              </p>
            ))}
            <p className="soft">
              root <code>{state.root}</code>
            </p>
          </>
        )}
      </div>
    </div>
  );
}

interface Checked {
  valid: boolean;
  reason?: string;
  entry?: Entry;
  size?: number;
}

function Receipt() {
  const [state, setState] = useState<{ name: string; checked?: Checked; error?: string }>();
  const check = async (file: File) => {
    setState({ name: file.name });
    try {
      const receipt: unknown = JSON.parse(await file.text());
      setState({ name: file.name, checked: await post<Checked>("/api/v1/audit/check", { receipt }) });
    } catch (err) {
      setState({ name: file.name, error: err instanceof SyntaxError ? "this is not a receipt: it is not JSON" : asProblem(err).message });
    }
  };
  return (
    <div className="receipt">
      <Drop label="Check a receipt" accept=".json,application/json" onFiles={(f) => void check(f[0])}>
        or drop it here
      </Drop>
      <div role="status">
        {state?.error && (
          <p className="refused">
            {state.name}: {state.error}
          </p>
        )}
        {state?.checked &&
          (state.checked.valid ? (
            <>
              <p className="passed">
                {state.name} holds: the log of {count(state.checked.size ?? 0, "entry", "entries")} has entry {state.checked.entry?.index}, {state.checked.entry?.kind}, of {moment(state.checked.entry?.at)}.
              </p>
              {state.checked.entry && (
                <ol className="entry-list">
                  <EntryLine entry={state.checked.entry} />
                </ol>
              )}
            </>
          ) : (
            <p className="refused">
              {state.name} does not hold: {state.checked.reason}
            </p>
          ))}
      </div>
    </div>
  );
}

function EntryLine({ entry, open }: { entry: Entry; open?: boolean }) {
  const line = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    if (open && line.current) {
      line.current.open = true;
      line.current.scrollIntoView({ block: "center" });
    }
  }, [open]);
  const about = subject(entry.data);
  return (
    <li id={`entry-${entry.index}`} className={open ? "aimed" : undefined}>
      <details ref={line}>
        <summary>
          <span className="entry-index">{entry.index}</span>
          <span className="entry-kind">{entry.kind}</span>
          <span className="entry-about">{about.text}</span>
          <span className="soft">{moment(entry.at)}</span>
        </summary>
        {about.link && (
          <p>
            <a href={about.link}>open the {about.kind}</a>
          </p>
        )}
        <pre tabIndex={0} role="region" aria-label={`Payload of entry ${entry.index}`}>
          {entry.data === null ? "the payload was erased; the proofs still hold" : JSON.stringify(entry.data, null, 2)}
        </pre>
        <dl className="hashes">
          <dt>hash</dt>
          <dd>{entry.hash}</dd>
          <dt>before</dt>
          <dd>{entry.prev}</dd>
          <dt>commitment</dt>
          <dd>{entry.commitment}</dd>
        </dl>
        <p>
          <Doing done="kept" onClick={() => download(`/api/v1/audit/entries/${entry.index}/receipt`, `receipt-${entry.index}.json`)}>
            Receipt
          </Doing>
        </p>
      </details>
    </li>
  );
}

/** What an entry speaks of, as far as its payload says so. */
function subject(data: unknown): { text: string; kind?: string; link?: string } {
  if (!data || typeof data !== "object") return { text: typeof data === "string" ? head(data, 80) : "" };
  const d = data as Record<string, unknown>;
  const text = (v: unknown) => (typeof v === "string" ? v : "");
  const inner = (typeof d.answer === "object" && d.answer ? d.answer : d) as Record<string, unknown>;
  const study = text(d.study);
  const named = text(d.subject) || (text(inner.question) && `answer ${text(d.answer) || text(inner.id)}`) || (study && `study ${study}`);
  const [kind, id] = named.split(" ");
  const places: Record<string, string> = { run: "/runs/", answer: "/answers/", study: "/research/" };
  return { text: head(text(inner.question) || text(d.title) || text(d.uri) || named || text(d.origin) || text(d.text), 80), kind, link: id && places[kind] && places[kind] + id };
}
