import { memo } from "react";
import { lines, look, numbers, sign, spoken, strength, type Linked, type Run } from "../answer";

/** The answer as prose. Each segment that claims something is a link to its evidence. */
export const Prose = memo(function Prose({
  answer,
  active,
  pinned,
  prefix,
  onPoint,
  onPin,
  writing,
}: {
  answer: Linked;
  active: number;
  pinned: number;
  prefix: string;
  onPoint: (segment: number) => void;
  onPin: (segment: number) => void;
  writing?: boolean;
}) {
  const all = lines(answer);
  const show = (run: Run, key: number) => {
    const s = answer.segments[run.segment];
    const kind = s && look(s);
    if (!s || kind === "none") {
      const form = s?.kind === "heading" ? "heading" : s?.kind === "code" ? "code" : undefined;
      return (
        <span key={key} className={form}>
          {run.pieces.map((p) => p.text).join("")}
        </span>
      );
    }
    const i = run.segment;
    const cited = numbers(answer, s);
    const classes = ["seg", kind, strength(s.confidence), s.kind === "code" || s.kind === "row" ? "code" : "", i === active ? "active" : "", i === pinned ? "pinned" : ""];
    return (
      <a
        key={key}
        id={`${prefix}${i + 1}`}
        className={classes.filter(Boolean).join(" ")}
        href={`#${prefix}${i + 1}`}
        aria-current={i === pinned ? "true" : undefined}
        onMouseEnter={() => onPoint(i)}
        onFocus={() => onPoint(i)}
        onClick={(e) => {
          if (e.metaKey || e.ctrlKey || e.shiftKey) return;
          e.preventDefault();
          onPin(i);
        }}
      >
        {run.pieces.map((p, k) =>
          p.under ? (
            <span key={k} className={`under-${p.under}`}>
              {p.text}
            </span>
          ) : (
            p.text
          ),
        )}
        <sup aria-hidden="true">{sign(s, cited)}</sup>
        <span className="sr"> ({spoken(s, cited)})</span>
      </a>
    );
  };
  return (
    <div className={writing ? "prose writing" : "prose"} onMouseLeave={() => onPoint(-1)}>
      {all.map((line, n) => (
        <p key={n} className={line.gap || n === 0 ? undefined : "tight"}>
          {line.runs.map(show)}
        </p>
      ))}
    </div>
  );
});
