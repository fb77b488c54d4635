import { evidence, look, nameOf, ofStep, passage, strength, titleOf } from "../answer";
import { count } from "../text";
import type { Step } from "../types";
import { Bands } from "./bands";

/** The chain of thought: a line of steps, each with the sources that were really read for it. */
export function Steps({ steps, doing }: { steps: Step[]; doing?: string }) {
  if (!steps.length) return null;
  return (
    <section className="steps" aria-labelledby="steps">
      <h2 id="steps">In {count(steps.length, "step")}</h2>
      <ol>
        {steps.map((s) => (
          <StepItem key={s.number} step={s} />
        ))}
      </ol>
      {doing && (
        <p className="soft" role="status">
          {doing}
        </p>
      )}
      {!doing && <Bands steps={steps} />}
    </section>
  );
}

function StepItem({ step }: { step: Step }) {
  const linked = ofStep(step);
  const used = new Set(linked.segments.flatMap((s) => evidence(linked, s).map((at) => passage(linked, at.ref)?.source.id)));
  const sources = new Map((step.passages ?? []).map((p) => [p.source.id, p.source]));
  return (
    <li className={step.text ? strength(step.confidence) : "begun"}>
      <h3>{step.question}</h3>
      {step.text && (
        <p className="step-text">
          {linked.segments.length
            ? linked.segments.map((s, i) => {
                const [start, end] = s.at.utf16 ?? [s.at.start, s.at.end];
                return (
                  <span key={i}>
                    <span className={`seg ${look(s)} ${strength(s.confidence)}`}>{step.text.slice(start, end)}</span>{" "}
                  </span>
                );
              })
            : step.text}
        </p>
      )}
      <p className="soft meta">
        {step.text ? `${strength(step.confidence)}` : "…"}
        {step.saw?.length ? ` · saw step ${step.saw.join(", ")}` : ""}
        {step.seconds ? ` · ${step.seconds.toFixed(1)} s` : ""}
        {step.incomplete ? ` · ${step.incomplete}` : ""}
        {step.trace ? ` · ${step.trace}` : ""}
      </p>
      {sources.size > 0 && (
        <ul className="step-sources">
          {[...sources.values()].map((s) => (
            <li key={s.id} className={used.has(s.id) ? "used" : "soft"}>
              {titleOf(s)}
              {used.has(s.id) ? "" : " (read, not used)"}
              {nameOf(s.uri) !== titleOf(s) && <span className="sr"> {nameOf(s.uri)}</span>}
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}
