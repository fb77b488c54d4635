import { percent } from "../text";
import type { Answer } from "../types";

/** What the gate said, and the line of the log that keeps it. Nothing is shown where there is neither. */
export function Decision({ answer }: { answer: Answer }) {
  const v = answer.verdict;
  const entry = answer.entry ?? v?.entry;
  if (!v && entry === undefined) return null;
  return (
    <p className="decision">
      {v && (
        <span className={v.pass ? "passed" : "refused"}>
          gate: {outcome(v)}
          {v.threshold !== undefined ? ` (${percent(v.coverage)} covered, ${percent(v.threshold)} asked)` : ` (${percent(v.coverage)} covered)`}
        </span>
      )}
      {v && entry !== undefined && " · "}
      {entry !== undefined && <a href={`/audit#${entry}`}>log entry {entry.toLocaleString("en-GB").replaceAll(",", " ")}, proof</a>}
      {v && !v.pass && !!v.reasons?.length && <span className="soft"> {v.reasons.join("; ")}</span>}
    </p>
  );
}

function outcome(v: { pass: boolean; outcome?: string }): string {
  return { pass: "passed", warn: "passed with a warning", flag: "flagged for review", repair: "repaired", block: "refused" }[v.outcome ?? ""] ?? (v.pass ? "passed" : "not passed");
}
