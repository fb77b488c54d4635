import { useEffect, useState } from "react";
import { strength } from "../answer";
import { download, post } from "../api";
import { asProblem, useHas, useLoad, usePages, useTitle } from "../hooks";
import { Absent } from "../parts/absent";
import { Pager } from "../parts/list";
import { Places } from "../parts/places";
import { Doing, Failed, Table, Waiting } from "../parts/small";
import { go } from "../router";
import { count, moment } from "../text";
import type { Answer, Evidence, Me, Study, StudyHead, StudyQuestion } from "../types";

/** Research: a topic taken apart into questions, and a dossier whose every statement opens its evidence; a claim argued. */
export function Research({ id, me }: { id?: string; me: Me }) {
  const there = useHas("GET", "/api/v1/studies");
  if (there === false) return <Absent title="Research" what="This server does no research." />;
  if (!there) return null;
  return id ? <Dossier key={id} id={id} me={me} /> : <Begin me={me} />;
}

const depths: [string, string][] = [
  ["shallow", "3 to 5 questions"],
  ["moderate", "5 to 8 questions"],
  ["thorough", "8 to 12 questions"],
  ["comprehensive", "12 to 15 questions"],
];

function Begin({ me }: { me: Me }) {
  useTitle("Research");
  const studies = usePages<StudyHead>("/api/v1/studies");
  const [topic, setTopic] = useState("");
  const [depth, setDepth] = useState("moderate");
  const [claim, setClaim] = useState("");
  const [doing, setDoing] = useState("");
  const [error, setError] = useState("");
  const run = async (what: string, work: () => Promise<string>) => {
    setError("");
    setDoing(what);
    try {
      go(await work());
    } catch (err) {
      setError(asProblem(err).message);
      setDoing("");
    }
  };
  return (
    <div className="one wider">
      <h1>Research</h1>
      <p className="lead">A topic is taken apart into questions, each answered from the library, and the dossier says for every statement where it stands. A claim is argued for and against.</p>
      <div className="two">
        {me.scope !== "read" && (
          <form
            onSubmit={(e) => {
              e.preventDefault();
              if (topic.trim()) void run("taking the topic apart", async () => `/research/${(await post<Study>("/api/v1/studies", { topic, depth })).id}`);
            }}
          >
            <h2>A topic</h2>
            <label htmlFor="topic">What is to be researched</label>
            <input id="topic" value={topic} maxLength={20000} autoComplete="off" placeholder="the cable of 1858" onChange={(e) => setTopic(e.target.value)} />
            <div className="row">
              <label htmlFor="depth" className="sr">
                How deep
              </label>
              <select id="depth" value={depth} onChange={(e) => setDepth(e.target.value)}>
                {depths.map(([d, words]) => (
                  <option key={d} value={d}>
                    {d}: {words}
                  </option>
                ))}
              </select>
              <button type="submit" className="primary" disabled={!!doing}>
                Research
              </button>
            </div>
          </form>
        )}
        <form
          onSubmit={(e) => {
            e.preventDefault();
            if (claim.trim()) void run("looking for both sides", async () => `/arguments/${(await post<Answer>("/api/v1/argue", { claim })).id}`);
          }}
        >
          <h2>A claim</h2>
          <label htmlFor="claim">What is said to be so</label>
          <input id="claim" value={claim} maxLength={20000} autoComplete="off" placeholder="The directors dismissed Whitehouse." onChange={(e) => setClaim(e.target.value)} />
          <div className="row">
            <button type="submit" className="primary" disabled={!!doing}>
              Argue
            </button>
          </div>
        </form>
      </div>
      {doing && <Waiting>{doing}</Waiting>}
      {error && (
        <p className="failed" role="alert">
          {error}
        </p>
      )}
      {studies.error && <Failed error={studies.error} again={studies.again} />}
      {!!studies.data?.items.length && (
        <section>
          <h2>Dossiers</h2>
          <ul className="list">
            {studies.data.items.map((s) => (
              <li key={s.id}>
                <a href={`/research/${s.id}`}>{s.topic}</a>
                <span className="soft">
                  {progress(s)} · {moment(s.created_at)}
                </span>
              </li>
            ))}
          </ul>
          <Pager list={studies} back="‹ newer" more="older ›" />
        </section>
      )}
    </div>
  );
}

const progress = (s: StudyHead) => (s.done ? count(s.questions, "question") : `${s.questions - s.open} of ${s.questions} questions${s.working ? "" : ", stopped"}`);

const exports: [string, string, string][] = [
  ["html", "One page", ".html"],
  ["docx", "Word", ".docx"],
  ["markdown", "Markdown", ".md"],
  ["json", "JSON", ".json"],
];

function Dossier({ id, me }: { id: string; me: Me }) {
  const at = `/api/v1/studies/${encodeURIComponent(id)}`;
  const study = useLoad<Study>(at);
  const [error, setError] = useState("");
  const working = study.data?.working;
  const { again } = study;
  useTitle(study.data?.topic ?? "Research");
  useEffect(() => {
    if (!working) return;
    const timer = setInterval(again, 700);
    return () => clearInterval(timer);
  }, [working, again]);
  if (study.error) return <Failed error={study.error} again={again} />;
  const s = study.data;
  if (!s) return <Waiting>opening the dossier</Waiting>;
  const title = (source: string) => s.sources.find((x) => x.id === source)?.title ?? "source";
  const next = s.asked.find((q) => q.state === "open");
  const failed = s.asked.some((q) => q.state === "failed");
  const statements = new Map(s.asked.flatMap((q) => q.statements.map((e) => [e.id, { e, q }] as const)));
  const disputed = s.contradictions.length;
  return (
    <div className="one wider dossier">
      <p className="back">
        <a href="/research">Research</a>
      </p>
      <h1>{s.topic}</h1>
      <p className="soft">
        {progress(s)} · {count(s.metrics.statements, "statement")} from {count(s.metrics.sources, "source")} · {s.metrics.high_confidence} strong, {s.metrics.medium_confidence} fair, {s.metrics.low_confidence} weak ·{" "}
        {disputed ? `${count(disputed, "place")} where sources disagree` : "no place where sources disagree"} · {moment(s.created_at)}
      </p>
      {working && <Waiting>{next ? `asking ${next.number} of ${s.questions}: ${next.question}` : "comparing the sources"}</Waiting>}
      {!working && (next || failed) && me.scope !== "read" && (
        <p>
          {failed ? "some questions could not be answered" : "it was stopped before its end"}{" "}
          <button type="button" onClick={() => void post(`${at}/resume`, {}).then(again, (err: unknown) => setError(asProblem(err).message))}>
            Go on
          </button>
        </p>
      )}
      {error && (
        <p className="failed" role="alert">
          {error}
        </p>
      )}
      {s.summary.length > 0 && (
        <section aria-labelledby="summary">
          <h2 id="summary">In short</h2>
          <ul className="short">
            {s.summary.map((key) => {
              const found = statements.get(key);
              return (
                found && (
                  <li key={key}>
                    <a href={`#${key}`} onClick={(e) => (e.preventDefault(), jump(key))}>
                      {found.e.statement}
                    </a>
                  </li>
                )
              );
            })}
          </ul>
        </section>
      )}
      {s.asked.map((q) => (
        <Asked key={q.number} q={q} title={title} />
      ))}
      {disputed > 0 && (
        <section aria-labelledby="disagree">
          <h2 id="disagree">Where sources disagree</h2>
          <ol className="claims">
            {s.contradictions.map((c, i) => (
              <li key={i} className="lacks">
                <p>{c.reason}</p>
                <p className="soft meta">
                  ✕ {c.kind}, {c.severity}
                </p>
                <Places places={[c.a, c.b]} title={title} />
              </li>
            ))}
          </ol>
        </section>
      )}
      {s.sources.length > 0 && (
        <section>
          <h2>Sources</h2>
          <Table
            caption="Sources of the dossier"
            hidden
            head={["Source", "Type", "Credibility", "Why"]}
            rows={s.sources.map((x) => [<a key={x.id} href={`/library/${x.id}`}>{x.title}</a>, x.type ?? "", x.credibility, x.why?.join("; ") ?? ""])}
          />
        </section>
      )}
      {s.done && (
        <div className="row" id="export">
          {exports.map(([to, label, ending]) => (
            <Doing key={to} done=" kept" onClick={() => download(`${at}/export?to=${to}`, `dossier-${s.id}${ending}`)}>
              {label}
            </Doing>
          ))}
        </div>
      )}
    </div>
  );
}

/** Brings a statement into view and gives it the focus. */
function jump(id: string) {
  const to = document.getElementById(id);
  to?.scrollIntoView({ block: "center" });
  to?.focus({ preventScroll: true });
}

const states: Record<StudyQuestion["state"], string> = { open: "not asked yet", answered: "", unanswered: "nothing in the library answers this", failed: "" };

function Asked({ q, title }: { q: StudyQuestion; title: (source: string) => string }) {
  return (
    <section>
      <h2>
        {q.number} {q.question} {q.answer && <a href={`/answers/${q.answer}`}>the answer</a>}
      </h2>
      {states[q.state] && <p className="soft">{states[q.state]}</p>}
      {q.note && <p className="failed">{q.note}</p>}
      <ol className="claims">
        {q.statements.map((e) => (
          <li key={e.id} id={e.id} tabIndex={-1} className={e.validation === "unsupported" ? "exempt" : e.validation === "disputed" ? "lacks" : "has"}>
            <p>{e.statement}</p>
            <p className="soft meta">
              {checked(e)} · {e.category} · {q.answer && <a href={`/answers/${q.answer}#s${e.segment}`}>evidence</a>}
            </p>
            {e.places.length > 0 && (
              <details>
                <summary>
                  {[...new Set(e.places.map((p) => title(p.source)))].join("; ")}
                </summary>
                <Places places={e.places} title={title} />
              </details>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}

function checked(e: Evidence): string {
  switch (e.validation) {
    case "verified":
      return `the words stand there, ${strength(e.confidence)}`;
    case "supported":
      return `a source says so, ${strength(e.confidence)}`;
    case "disputed":
      return "✕ another source says otherwise";
    default:
      return "◇ the model’s own";
  }
}
