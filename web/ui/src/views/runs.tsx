import { useState } from "react";
import { trust } from "../answer";
import { post, remove } from "../api";
import { asProblem, useHas, useLoad, usePages, useTitle } from "../hooks";
import { Absent } from "../parts/absent";
import { Pager } from "../parts/list";
import { verdictClass, verdictWords } from "../parts/decision";
import { Failed, Meter, Sure, Table, Waiting } from "../parts/small";
import { go } from "../router";
import { count, moment, percent } from "../text";
import type { Claim, Me, Page, Review, Run, RunHead } from "../types";

/** Runs: what agents claimed, where a tool returned it, and what the gate said. */
export function Runs({ id, me }: { id?: string; me: Me }) {
  useTitle(id ? `Run ${id}` : "Runs");
  const there = useHas("GET", "/api/v1/runs");
  if (there === false) return <Absent title="Runs" what="This server keeps no record of agents’ runs." />;
  if (!there) return null;
  return id ? <RunView key={id} id={id} me={me} /> : <RunList />;
}

function Outcome({ run }: { run: Pick<Run, "verdict"> }) {
  return run.verdict ? <span className={verdictClass(run.verdict)}>{verdictWords(run.verdict)}</span> : <span>still running</span>;
}

function RunList() {
  const runs = usePages<RunHead>("/api/v1/runs");
  if (runs.error) return <Failed error={runs.error} again={runs.again} />;
  if (!runs.data) return <Waiting>opening the runs</Waiting>;
  return (
    <div className="one wider">
      <h1>Runs</h1>
      <Reviews />
      {runs.data.items.length === 0 ? (
        <div className="teach">
          <h2>No agent has reported yet</h2>
          <p>An agent’s tools hand over what they return and what is claimed from it, and every claim keeps its source:</p>
          <pre className="code-block">{`curl -X POST ${location.origin}/api/v1/runs
curl --json '{"agent": "researcher",
  "sources": [{"identifier": "s1", "category": "http", "tool": "fetch", "content": "Copper rose 3 %."}],
  "claims":  [{"text": "Copper rose by 3 %.", "source": "s1"}]}' \\
  ${location.origin}/api/v1/runs/ID/claims
curl -X POST ${location.origin}/api/v1/runs/ID/finish`}</pre>
        </div>
      ) : (
        <ul className="list">
          {runs.data.items.map((r) => (
            <li key={r.id}>
              <a href={`/runs/${encodeURIComponent(r.id)}`}>{r.first_claim || `Run ${r.id}`}</a>
              <span className="soft">
                <Outcome run={r} />
                {r.verdict && ` · ${percent(r.verdict.coverage)} of claims covered`}
                {r.claim_count > 0 && ` · ${count(r.claim_count, "claim")}`} · {moment(r.started_at)}
              </span>
            </li>
          ))}
        </ul>
      )}
      <Pager list={runs} back="‹ newer" more="older ›" />
    </div>
  );
}

function RunView({ id, me }: { id: string; me: Me }) {
  const path = `/api/v1/runs/${encodeURIComponent(id)}`;
  const run = useLoad<Run>(path);
  if (run.error) return <Failed error={run.error} again={run.again} />;
  const r = run.data;
  if (!r) return <Waiting>opening the run</Waiting>;
  const agents = new Map<string, Claim[]>();
  for (const c of r.claims) agents.set(c.agent ?? "", [...(agents.get(c.agent ?? "") ?? []), c]);
  const used = new Set(r.claims.map((c) => `${c.agent} ${c.source?.identifier}`));
  const unused = r.sources.filter((s) => !used.has(`${s.agent} ${s.identifier}`));
  const entry = r.verdict?.entry;
  return (
    <div className="one wider">
      <p className="back">
        <a href="/runs">Runs</a>
      </p>
      <h1>Run {r.id}</h1>
      <p>
        <Outcome run={r} />
        <span className="soft">
          {" "}
          · {moment(r.started_at)}
          {entry !== undefined && (
            <>
              {" · "}
              <a href={`/audit#${entry}`}>log entry {entry}</a>
            </>
          )}
        </span>
      </p>
      {me.scope === "admin" && r.verdict && (
        <div className="row">
          <Sure
            ask="erase…"
            name="Erase this run"
            act="Erase it"
            reason="Why, naming nobody"
            note="with its claims and what its tools returned; the reason stays in the log"
            onSure={(why) => remove(`${path}?reason=${encodeURIComponent(why)}`).then(() => go("/runs"))}
          />
        </div>
      )}
      {!!r.verdict?.reasons?.length && (
        <ul className="why">
          {r.verdict.reasons.map((w, i) => (
            <li key={i} className={r.verdict!.pass ? undefined : "denied-text"}>
              {w}
            </li>
          ))}
        </ul>
      )}
      {r.report && (
        <section>
          <h2>Coverage</h2>
          <p>
            <Meter share={r.report.coverage_score} label="with a source:" /> <span className="soft">· {percent(r.report.threshold)} asked for</span>
          </p>
          {!!r.report.rungs?.length && (
            <Table caption="By rung of trust, the strongest first" head={["How the link came to be", "Claims", "This rung or higher"]} rows={r.report.rungs.map((g) => [trust(g.trust), g.claims, percent(g.coverage)])} />
          )}
        </section>
      )}
      {[...agents].map(([agent, claims]) => (
        <section key={agent}>
          <h2>
            {agent || "Agent without a name"} <span className="soft">{count(claims.length, "claim")}</span>
          </h2>
          <ol className="claims">
            {claims.map((c) => (
              <li key={c.id} className={c.source?.identifier ? "has" : c.exempt ? "exempt" : "lacks"}>
                <p>{c.text}</p>
                <p className="soft meta">
                  {c.source?.identifier
                    ? [c.source.tool || c.source.category, c.source.identifier, c.source.endpoint, moment(c.source.fetched_at)].filter(Boolean).join(" · ")
                    : c.exempt
                      ? `needs no source: ${c.exempt}`
                      : "✕ no source"}
                </p>
              </li>
            ))}
          </ol>
        </section>
      ))}
      {unused.length > 0 && (
        <section>
          <h2>Retrieved, and nothing was claimed from it</h2>
          <ul className="plain">
            {unused.map((s, i) => (
              <li key={i} className="soft">
                {[s.identifier, s.tool || s.category, s.endpoint].filter(Boolean).join(" · ")}
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

/** What the gate flagged for people to decide on. */
function Reviews() {
  const there = useHas("GET", "/api/v1/reviews");
  const list = useLoad<Page<Review>>(there ? "/api/v1/reviews" : "");
  const [error, setError] = useState("");
  const open = list.data?.items.filter((r) => !r.decision) ?? [];
  if (!open.length) return null;
  const decide = (id: string, decision: string) =>
    void post(`/api/v1/reviews/${encodeURIComponent(id)}`, { decision }).then(list.again, (err: unknown) => setError(asProblem(err).message));
  return (
    <section className="reviews" aria-labelledby="reviews">
      <h2 id="reviews">For you to decide</h2>
      {error && (
        <p className="failed" role="alert">
          {error}
        </p>
      )}
      <ul className="plain">
        {open.map((r) => {
          const [kind, of] = [r.subject.split(" ")[0], encodeURIComponent(r.subject.slice(r.subject.indexOf(" ") + 1))];
          return (
            <li key={r.id}>
              <p>
                <a href={kind === "run" ? `/runs/${of}` : `/answers/${of}`}>{r.title || r.subject}</a> <span className="soft">{moment(r.at)}</span>
              </p>
              <p className="soft">{[r.summary, ...r.reasons].join(" · ")}</p>
              {r.uncited_claims.length > 0 && (
                <ul className="why">
                  {r.uncited_claims.slice(0, 5).map((c, i) => (
                    <li key={i}>✕ {c}</li>
                  ))}
                </ul>
              )}
              <div className="row">
                <button type="button" onClick={() => decide(r.id, "approved")} aria-label={`Approve ${r.title || r.subject}`}>
                  Approve
                </button>
                <button type="button" onClick={() => decide(r.id, "rejected")} aria-label={`Reject ${r.title || r.subject}`}>
                  Reject
                </button>
              </div>
            </li>
          );
        })}
      </ul>
      {list.data?.next && <p className="soft">There are more behind these.</p>}
    </section>
  );
}
