import { download } from "../api";
import { percent } from "../text";
import type { Answer, Verdict } from "../types";
import { Doing } from "./small";

/** What the gate said, and the line of the log that keeps it. Nothing is shown where there is neither. */
export function Decision({ answer }: { answer: Answer }) {
  const v = answer.verdict;
  const entry = answer.entry ?? v?.entry;
  if (!v && entry === undefined) return null;
  // That the coverage is too low is said already, with both figures.
  const reasons = v && !v.pass ? (v.reasons ?? []).filter((r) => !r.startsWith("Attribution coverage")) : [];
  return (
    <p className="decision">
      {v && (
        <span className={verdictClass(v)}>
          gate: {verdictWords(v)} ({percent(v.coverage)} of claims covered{v.threshold !== undefined && `, ${percent(v.threshold)} asked for`})
        </span>
      )}
      {v && entry !== undefined && " · "}
      {entry !== undefined && <a href={`/audit#${entry}`}>log entry {entry.toLocaleString("en-GB").replaceAll(",", " ")}, proof</a>}
      {entry !== undefined && (
        <>
          {" · "}
          <Doing className="link" done=" kept" onClick={() => download(`/api/v1/answers/${encodeURIComponent(answer.id)}/receipt`, `receipt-${answer.id}.json`)}>
            receipt
          </Doing>
        </>
      )}
      {reasons.length > 0 && <span className="soft"> {reasons.join("; ")}</span>}
    </p>
  );
}

const words: Record<string, string> = { pass: "passed", warn: "shown with a warning", flag: "flagged for review", repair: "repaired", block: "refused" };

export const verdictWords = (v: Verdict) => words[v.outcome ?? ""] ?? (v.pass ? "passed" : "not passed");

export const verdictClass = (v: Verdict) => (v.pass ? "passed" : v.outcome === "block" ? "refused" : "warned");
