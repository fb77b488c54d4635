import { strength } from "../answer";
import { download } from "../api";
import { useLoad, useTitle } from "../hooks";
import { ArgumentMap, numbers } from "../parts/map";
import { Places } from "../parts/places";
import { Bar, Doing, Failed, Waiting } from "../parts/small";
import type { Argument, Stance, Statement } from "../types";

const sides: [Stance, string, string][] = [
  ["proponent", "For", "nothing was found for it"],
  ["opponent", "Against", "nothing was found against it"],
];

/** A claim argued from the library: both sides beside each other, the map, and what the argument lacks. */
export function ArgumentView({ id }: { id: string }) {
  const at = `/api/v1/answers/${encodeURIComponent(id)}/argument`;
  const argument = useLoad<Argument>(at);
  useTitle(argument.data?.claim ?? "Argument");
  if (argument.error) return <Failed error={argument.error} again={argument.again} />;
  const a = argument.data;
  if (!a) return <Waiting>weighing both sides</Waiting>;
  const title = (source: string) => a.sources.find((s) => s.id === source)?.title ?? "source";
  const weighed = a.statements.filter((s) => s.stance === "synthesis");
  return (
    <div className="one wider argument">
      <p className="back">
        <a href="/research">Research</a>
      </p>
      <h1>{a.claim}</h1>
      <p className="weighed">
        <Bar sources={a.weighed.share} />
        <span>
          {a.weighed.in_words} <span className="soft">· for {a.weighed.for.toFixed(2)}, against {a.weighed.against.toFixed(2)} · it weighs what the library says, not who is right</span>
        </span>
      </p>
      <div className="two">
        {sides.map(([stance, label, none]) => {
          const said = a.statements.filter((s) => s.stance === stance).sort((x, y) => y.strength - x.strength);
          return (
            <section key={stance} aria-label={label}>
              <h2>
                {label} <span className="soft">{said.length || ""}</span>
              </h2>
              {said.length === 0 && <p className="soft">{none}</p>}
              <Said list={said} title={title} />
            </section>
          );
        })}
      </div>
      {weighed.length > 0 && (
        <section aria-label="Weighed">
          <h2>Weighed</h2>
          <Said list={weighed} title={title} />
        </section>
      )}
      <ArgumentMap argument={a} />
      {a.findings.length > 0 && (
        <section>
          <h2>To look at</h2>
          <ul className="why">
            {a.findings.map((f, i) => (
              <li key={i} className={f.kind === "contradiction" ? "denied-text" : undefined}>
                {f.kind === "contradiction" ? "✕ " : ""}
                {f.kind}, {f.severity}: {f.reason} <span className="soft">({[f.a.statement, f.b?.statement].filter(Boolean).join(" and ")})</span>
              </li>
            ))}
          </ul>
        </section>
      )}
      <div className="row" id="export">
        <a href={`/answers/${a.id}`}>as an answer, with its steps</a>
        {(
          [
            ["svg", "SVG", ".svg"],
            ["markdown", "Markdown", ".md"],
            ["json", "JSON", ".json"],
          ] as const
        ).map(([to, label, ending]) => (
          <Doing key={to} done=" kept" onClick={() => download(`${at}?to=${to}`, `argument-${a.id}${ending}`)}>
            {label}
          </Doing>
        ))}
      </div>
    </div>
  );
}

const checks: Record<Statement["verification_status"], string> = { verified: "the words stand there", supported: "a source says so", disputed: "✕ a source says otherwise", unverified: "◇ no source says so" };

function Said({ list, title }: { list: Statement[]; title: (source: string) => string }) {
  return (
    <ol className="claims">
      {list.map((s) => (
        <li key={s.id} id={s.id} className={s.verification_status === "disputed" ? "lacks" : s.places.length ? (s.stance === "opponent" ? "against" : "has") : "exempt"}>
          <p>
            {s.text}
            <sup>{numbers(s) || "◇"}</sup>
          </p>
          <p className="soft meta">
            {s.id} · {s.argument_type} · {checks[s.verification_status]} · {strength(s.strength)} <span title="support times bearing on the claim">{s.strength.toFixed(2)}</span>
          </p>
          {s.places.length > 0 && (
            <details>
              <summary>{[...new Set(s.places.map((p) => title(p.source)))].join("; ")}</summary>
              <Places places={s.places} title={title} />
            </details>
          )}
        </li>
      ))}
    </ol>
  );
}
