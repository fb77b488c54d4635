import { evidence, look, ofStep, passage, runs, strength, titleOf } from "../answer";
import { count } from "../text";
import type { Step } from "../types";
import { Waiting } from "./small";

/** The chain of thought as a line of steps. While they are taken the last one stands open; later each opens on request. */
export function Steps({ steps, doing }: { steps: Step[]; doing?: string }) {
  return (
    <section className="steps" aria-labelledby="steps">
      <h2 id="steps">In {count(steps.length, "step")}</h2>
      <ol>
        {steps.map((s, i) => (
          <StepItem key={s.number} step={s} open={!!doing && i === steps.length - 1} />
        ))}
      </ol>
      {doing && <Waiting>{doing}</Waiting>}
    </section>
  );
}

function StepItem({ step, open }: { step: Step; open: boolean }) {
  const linked = ofStep(step);
  const used = new Set(linked.segments.flatMap((s) => evidence(linked, s).map((at) => passage(linked, at.ref)?.source.id)));
  const sources = new Map((step.passages ?? []).map((p) => [p.source.id, p.source]));
  const read = [...sources.values()];
  return (
    <li className={step.text ? strength(step.confidence) : "begun"}>
      <details open={open}>
        <summary>
          <h3>{step.question}</h3>
          <span className="soft">
            {step.text ? strength(step.confidence) : step.incomplete ? "not taken" : "…"}
            {used.size > 0 && ` · ${count(used.size, "source")}`}
            {step.saw?.length ? ` · saw step ${step.saw.join(", ")}` : ""}
            {step.seconds ? ` · ${step.seconds.toFixed(1)} s` : ""}
          </span>
        </summary>
        <p className="step-text">
          {runs(linked).map((run, i) => {
            const s = linked.segments[run.segment];
            const text = run.pieces.map((p) => p.text).join("");
            return s ? (
              <span key={i} className={`seg ${look(s)} ${strength(s.confidence)}`}>
                {text}
                <sup>{{ source: "¹", mixed: "◐", model: "◇", denied: "✕", none: "" }[look(s)]}</sup>
              </span>
            ) : (
              text
            );
          })}
        </p>
        {(step.trace || step.incomplete) && <p className="soft meta">{[step.trace, step.incomplete].filter(Boolean).join(" · ")}</p>}
        <ul className="step-sources">
          {read.map((s) => (
            <li key={s.id} className={used.has(s.id) ? "used" : "soft"}>
              {titleOf(s)}
              {used.has(s.id) ? "" : " (read, not used)"}
            </li>
          ))}
        </ul>
      </details>
    </li>
  );
}
