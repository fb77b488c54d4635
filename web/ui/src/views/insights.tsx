import type { ReactNode } from "react";
import { Area, AreaChart, Bar, BarChart, CartesianGrid, ErrorBar, Line, LineChart, ReferenceLine, ResponsiveContainer, Scatter, ScatterChart, XAxis, YAxis, ZAxis } from "recharts";
import { remove, save } from "../api";
import { useHas, useLoad, useTitle } from "../hooks";
import { Absent } from "../parts/absent";
import { Failed, Sure, Table, Waiting } from "../parts/small";
import { count, percent } from "../text";
import type { Insights, Me, Page } from "../types";

/** Insights: what many answers say together. Each picture has its table, and its data to keep. */
export default function InsightsView({ me }: { me: Me }) {
  useTitle("Insights");
  const there = useHas("GET", "/api/v1/insights");
  const load = useLoad<Insights>(there ? "/api/v1/insights" : "");
  if (there === false) return <Absent title="Insights" what="This server does not count over its answers." />;
  if (load.error) return <Failed error={load.error} again={load.again} />;
  const d = load.data;
  if (!d) return <Waiting>counting</Waiting>;
  if (!d.answers) return <Absent title="Insights" what="Nothing was asked in the last 90 days. Ask something, and what answers rest on is drawn here." />;
  const judged = d.reliability.filter((b) => b.count > 0);
  return (
    <div className="wide">
      <h1>Insights</h1>
      <dl className="numbers">
        <Figure value={count(d.answers, "answer")} of="in 90 days" />
        <Figure value={percent(d.sources)} of="from sources, on average" />
        <Figure value={count(d.uncited, "claim")} of={`without a citation, of ${d.segments}`} />
        <Figure value={count(d.contradicted, "claim")} of="that a source denies" />
        {d.latency.measured > 0 && <Figure value={seconds(d.latency.p50)} of={`to an answer; 9 in 10 within ${seconds(d.latency.p90)}`} />}
      </dl>
      <div className="charts">
        <Picture
          title="Claims with a citation, by day"
          says={`Share of claims that are cited: ${d.days.map((x) => `${x.day} ${percent(x.coverage)}`).join(", ")}`}
          head={["Day", "Answers", "Cited", "From sources", "The model’s own"]}
          rows={d.days.map((x) => [x.day, x.answers, percent(x.coverage), percent(x.sources), percent(x.model)])}
        >
          {d.days.length > 1 ? (
            <LineChart data={d.days} accessibilityLayer={false}>
              <CartesianGrid stroke="var(--line)" vertical={false} />
              <XAxis dataKey="day" {...axis} tickFormatter={short} minTickGap={30} />
              <YAxis domain={[0, 1]} ticks={[0, 0.5, 1]} tickFormatter={percent} {...axis} width={52} />
              <Line dataKey="coverage" stroke="var(--source)" strokeWidth={2} dot={{ r: 3, fill: "var(--source)" }} isAnimationActive={false} />
              <Line dataKey="sources" stroke="var(--model)" strokeWidth={2} strokeDasharray="5 4" dot={false} isAnimationActive={false} />
            </LineChart>
          ) : (
            <BarChart data={d.days} accessibilityLayer={false}>
              <CartesianGrid stroke="var(--line)" vertical={false} />
              <XAxis dataKey="day" {...axis} tickFormatter={short} />
              <YAxis domain={[0, 1]} ticks={[0, 0.5, 1]} tickFormatter={percent} {...axis} width={52} />
              <Bar dataKey="coverage" fill="var(--source)" barSize={26} isAnimationActive={false} />
            </BarChart>
          )}
        </Picture>
        <Picture
          title="Where sentences come from"
          says={`Sentences by origin: ${sum(d, "rag")} from a source, ${sum(d, "hybrid")} in part, ${sum(d, "llm")} the model’s own`}
          legend={[
            ["source", "from a source ¹"],
            ["both", "in part ◐"],
            ["model", "the model’s own ◇"],
          ]}
          head={["Day", "From a source", "In part", "The model’s own", "Denied"]}
          rows={d.days.map((x) => [x.day, x.rag, x.hybrid, x.llm, x.contradicted])}
        >
          {d.days.length > 1 ? (
            <AreaChart data={d.days} accessibilityLayer={false}>
              <CartesianGrid stroke="var(--line)" vertical={false} />
              <XAxis dataKey="day" {...axis} tickFormatter={short} minTickGap={30} />
              <YAxis allowDecimals={false} {...axis} width={36} />
              {origins.map(([key, colour, depth]) => (
                <Area key={key} dataKey={key} stackId="1" stroke={colour} fill={colour} fillOpacity={depth} isAnimationActive={false} />
              ))}
            </AreaChart>
          ) : (
            <BarChart data={d.days} accessibilityLayer={false}>
              <CartesianGrid stroke="var(--line)" vertical={false} />
              <XAxis dataKey="day" {...axis} tickFormatter={short} />
              <YAxis allowDecimals={false} {...axis} width={36} />
              {origins.map(([key, colour, depth]) => (
                <Bar key={key} dataKey={key} stackId="1" stroke={colour} fill={colour} fillOpacity={depth} barSize={26} isAnimationActive={false} />
              ))}
            </BarChart>
          )}
        </Picture>
        <Picture
          title="Confidence against what people say"
          says="How often links held, by the confidence they were given; on the line both agree"
          note={judged.length ? `off by ${percent(d.calibration_error)} on average; ${count(d.feedback.right + d.feedback.wrong, "verdict")}` : undefined}
          empty={judged.length ? undefined : "Nobody has said yet whether links are right: the thumbs beside evidence do that."}
          head={["Confidence", "Verdicts", "Right", "95 % interval"]}
          rows={judged.map((b) => [`${b.low.toFixed(1)} to ${b.high.toFixed(1)}`, b.count, percent(b.right), `${percent(b.right_low)} to ${percent(b.right_high)}`])}
        >
          <ScatterChart accessibilityLayer={false}>
            <CartesianGrid stroke="var(--line)" />
            <XAxis type="number" dataKey="confidence" domain={[0, 1]} ticks={[0, 0.5, 1]} {...axis} />
            <YAxis type="number" dataKey="right" domain={[0, 1]} ticks={[0, 0.5, 1]} tickFormatter={percent} {...axis} width={52} />
            <ZAxis range={[70, 70]} />
            <ReferenceLine segment={[{ x: 0, y: 0 }, { x: 1, y: 1 }]} stroke="var(--soft)" strokeDasharray="4 4" />
            <Scatter data={judged.map((b) => ({ ...b, interval: [b.right - b.right_low, b.right_high - b.right] }))} fill="var(--source)" isAnimationActive={false}>
              <ErrorBar dataKey="interval" width={5} stroke="var(--source)" direction="y" />
            </Scatter>
          </ScatterChart>
        </Picture>
        <section className="picture">
          <h2>Sources</h2>
          {d.top_sources.length > 0 && (
            <Table
              caption="The most cited"
              head={["Source", "Answers", "Places", "Trust"]}
              rows={d.top_sources.slice(0, 10).map((s) => [
                <a key="a" href={`/library/${s.source}`}>
                  {s.title}
                </a>,
                s.answers,
                s.places,
                s.trust.toFixed(2),
              ])}
            />
          )}
          {d.unused_total > 0 && (
            <details>
              <summary>{count(d.unused_total, "source")} never cited</summary>
              <ul>
                {d.unused_sources.map((s) => (
                  <li key={s.source}>
                    <a href={`/library/${s.source}`}>{s.title}</a>
                  </li>
                ))}
              </ul>
            </details>
          )}
        </section>
      </div>
      <Experiments me={me} />
    </div>
  );
}

interface Experiment {
  id: string;
  name: string;
  state: string;
  a: { strategy?: string; passages?: number };
  b: { strategy?: string; passages?: number };
  result?: { pairs: number; mean_a: number; mean_b: number; difference: number; low: number; high: number; decision: string };
}

/** Two settings compared on the same answers. What ended can be erased. */
function Experiments({ me }: { me: Me }) {
  const there = useHas("GET", "/api/v1/experiments");
  const list = useLoad<Page<Experiment>>(there ? "/api/v1/experiments" : "");
  if (!list.data?.items.length) return null;
  const setting = (s: Experiment["a"]) => [s.strategy, s.passages && count(s.passages, "passage")].filter(Boolean).join(", ") || "as it is";
  const erasable = me.scope === "admin";
  const points = (share: number) => `${share > 0 ? "+" : ""}${Math.round(share * 100)}`;
  return (
    <section className="picture">
      <h2>Experiments</h2>
      <Table
        caption="Share of claims that are cited, the same answers attributed under both settings"
        head={["Name", "A", "B", "Pairs", "A cites", "B cites", "Difference, 95 % interval", "Decision", ...(erasable ? [""] : [])]}
        rows={list.data.items.map((e) => [
          e.name,
          setting(e.a),
          setting(e.b),
          e.result?.pairs ?? 0,
          e.result ? percent(e.result.mean_a) : "",
          e.result ? percent(e.result.mean_b) : "",
          e.result ? `${points(e.result.difference)} (${points(e.result.low)} to ${points(e.result.high)}) points` : "",
          e.state === "running" ? "running" : ({ a: "A", b: "B", none: "no difference found" }[e.result?.decision ?? ""] ?? e.state),
          ...(erasable
            ? [
                e.state !== "running" && (
                  <div key="erase" className="row">
                    <Sure
                      ask="erase…"
                      name={`Erase the experiment ${e.name}`}
                      act="Erase it"
                      note="with what it came to; its answers stay"
                      onSure={() => remove(`/api/v1/experiments/${encodeURIComponent(e.id)}`).then(list.again)}
                    />
                  </div>
                ),
              ]
            : []),
        ])}
      />
    </section>
  );
}

const axis = { tick: { fill: "var(--soft)", fontSize: 12 }, stroke: "var(--line)", tickLine: false } as const;
const origins = [
  ["rag", "var(--source)", 0.75],
  ["hybrid", "var(--source)", 0.28],
  ["llm", "var(--model)", 0.35],
] as const;

const short = (day: string) => new Date(`${day}T12:00:00Z`).toLocaleDateString("en-GB", { day: "numeric", month: "short" });
const seconds = (ms: number) => (ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`);
const sum = (d: Insights, key: "rag" | "hybrid" | "llm") => d.days.reduce((n, x) => n + x[key], 0);

function Figure({ value, of }: { value: string; of: string }) {
  return (
    <div>
      <dd>{value}</dd>
      <dt>{of}</dt>
    </div>
  );
}

function Picture({
  title,
  says,
  note,
  empty,
  legend,
  head,
  rows,
  children,
}: {
  title: string;
  says: string;
  note?: string;
  empty?: string;
  legend?: [kind: string, words: string][];
  head: string[];
  rows: (string | number)[][];
  children: ReactNode;
}) {
  const csv = () => [head, ...rows].map((r) => r.map((c) => `"${String(c).replaceAll('"', '""')}"`).join(",")).join("\r\n");
  return (
    <section className="picture">
      <h2>{title}</h2>
      {empty ? (
        <p className="soft">{empty}</p>
      ) : (
        <>
          <figure role="img" aria-label={says}>
            <ResponsiveContainer width="100%" height={220}>
              {children as React.ReactElement}
            </ResponsiveContainer>
          </figure>
          {legend && (
            <p className="soft chart-legend" aria-hidden="true">
              {legend.map(([kind, words]) => (
                <span key={kind} className={`swatch ${kind}`}>
                  {words}
                </span>
              ))}
            </p>
          )}
          {note && <p className="soft">{note}</p>}
          <details>
            <summary>as a table</summary>
            <Table caption={title} hidden head={head} rows={rows} />
            <button type="button" onClick={() => save(new Blob([csv()], { type: "text/csv" }), `${title.toLowerCase().replace(/[^a-z]+/g, "-")}.csv`)}>
              CSV
            </button>
          </details>
        </>
      )}
    </section>
  );
}
