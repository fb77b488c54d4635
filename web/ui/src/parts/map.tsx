import { head } from "../text";
import type { Argument, Statement } from "../types";
import { Table } from "./small";

const line = 17;
const [claimWide, boxWide, gap] = [170, 330, 14];

/** Cuts a text into lines that fit, at words. */
export function lines(text: string, most: number, count: number): string[] {
  const out: string[] = [];
  let rest = text.trim();
  while (rest && out.length < count) {
    if (rest.length <= most) {
      out.push(rest);
      break;
    }
    if (out.length === count - 1) {
      out.push(head(rest, most - 1));
      break;
    }
    const at = rest.lastIndexOf(" ", most);
    out.push(rest.slice(0, at <= 0 ? most : at));
    rest = rest.slice(at <= 0 ? most : at + 1);
  }
  return out;
}

const side = { proponent: "for", opponent: "against", synthesis: "weighed" } as const;

/** The claim, what is said for and against it, and the sources that say so. A wider line bears more. The table says the same. */
export function ArgumentMap({ argument }: { argument: Argument }) {
  const shown = argument.statements.filter((s) => s.stance !== "synthesis");
  if (!shown.length) return null;
  let y = 0;
  const boxes = shown.map((s) => {
    const words = lines(s.text, 42, 3);
    const box = { s, words, y, height: words.length * line + 14 };
    y += box.height + gap;
    return box;
  });
  const height = Math.max(y - gap, argument.sources.length * 30, 90);
  const at = (i: number) => ((i + 0.5) * height) / Math.max(argument.sources.length, 1);
  const [left, right] = [claimWide + 70, claimWide + 70 + boxWide];
  const claim = lines(argument.claim, 23, 6);
  const middle = height / 2;
  return (
    <figure className="map">
      <figcaption>The claim, both sides, and their sources; a wider line bears more on the claim</figcaption>
      <div className="scroll" tabIndex={0} role="region" aria-label="Map of the argument">
        <svg viewBox={`-4 -4 900 ${height + 8}`} role="img" aria-label="Statements for and against the claim, joined to their sources; the table below says the same">
          {boxes.map(({ s, y, height: h }) => (
            <path key={s.id} className={`link ${s.stance}`} strokeWidth={1 + 9 * s.strength} d={`M${claimWide} ${middle}C${claimWide + 35} ${middle} ${claimWide + 35} ${y + h / 2} ${left} ${y + h / 2}`} />
          ))}
          {boxes.flatMap(({ s, y, height: h }) =>
            [...new Set(s.places.map((p) => p.number))].map((n) => {
              const to = at(argument.sources.findIndex((x) => x.number === n));
              return <path key={`${s.id} ${n}`} className="link rests" strokeWidth="1.5" d={`M${right} ${y + h / 2}C${right + 40} ${y + h / 2} ${right + 40} ${to} ${right + 80} ${to}`} />;
            }),
          )}
          <g className="claim">
            <rect x="0" y={middle - (claim.length * line + 16) / 2} width={claimWide} height={claim.length * line + 16} rx="8" />
            <Words x={12} y={middle - (claim.length * line) / 2} words={claim} />
          </g>
          {boxes.map(({ s, words, y, height: h }) => (
            <g key={s.id} className={s.stance}>
              <rect x={left} y={y} width={boxWide} height={h} rx="8" />
              <Words x={left + 12} y={y + 7} words={words} />
            </g>
          ))}
          {argument.sources.map((src, i) => (
            <text key={src.number} x={right + 86} y={at(i)} dominantBaseline="middle">
              {src.number} {head(src.title, 29)}
            </text>
          ))}
        </svg>
      </div>
      <details>
        <summary>as a table</summary>
        <Table caption="Statements of the argument" hidden head={["Side", "Statement", "Strength", "Sources"]} rows={argument.statements.map((s) => [side[s.stance], s.text, s.strength.toFixed(2), numbers(s) || "none"])} />
      </details>
    </figure>
  );
}

function Words({ x, y, words }: { x: number; y: number; words: string[] }) {
  return (
    <text>
      {words.map((w, i) => (
        <tspan key={i} x={x} y={y + (i + 0.75) * line}>
          {w}
        </tspan>
      ))}
    </text>
  );
}

/** The numbers of a statement's sources, as people see them. */
export const numbers = (s: Statement) => [...new Set(s.places.map((p) => p.number))].join(" ");
