import { evidence, ofStep, passage, titleOf } from "../answer";
import { head } from "../text";
import type { Step } from "../types";
import { Table } from "./small";

interface Band {
  step: number;
  source: string;
  influence: number;
}

/** How much each source says in each step: the confidence of its links, weighed by the words they stand for. */
export function influence(steps: Step[]): { bands: Band[]; titles: Map<string, string> } {
  const titles = new Map<string, string>();
  const bands: Band[] = [];
  for (const step of steps) {
    const linked = ofStep(step);
    const of = new Map<string, number>();
    for (const s of linked.segments) {
      for (const at of evidence(linked, s)) {
        const source = passage(linked, at.ref)?.source;
        if (!source) continue;
        titles.set(source.id, titleOf(source));
        of.set(source.id, (of.get(source.id) ?? 0) + at.confidence * (at.of.end - at.of.start));
      }
    }
    for (const [source, weight] of of) bands.push({ step: step.number, source, influence: weight });
  }
  const total = bands.reduce((sum, b) => sum + b.influence, 0) || 1;
  return { bands: bands.map((b) => ({ ...b, influence: b.influence / total })), titles };
}

/** Steps to sources as bands whose width is influence, and the same as a table. */
export function Bands({ steps }: { steps: Step[] }) {
  const { bands, titles } = influence(steps);
  if (bands.length < 2) return null;
  const sources = [...titles.keys()];
  const height = Math.max(120, 34 * Math.max(steps.length, sources.length));
  const gap = 10;
  const stack = (keys: (string | number)[], of: (b: Band) => string | number) => {
    const room = height - gap * (keys.length - 1);
    let y = 0;
    return new Map(
      keys.map((k) => {
        const size = bands.filter((b) => of(b) === k).reduce((sum, b) => sum + b.influence, 0) * room;
        const at = { y, size, used: 0 };
        y += size + gap;
        return [k, at];
      }),
    );
  };
  const numbers = steps.map((s) => s.number).filter((n) => bands.some((b) => b.step === n));
  const left = stack(numbers, (b) => b.step);
  const right = stack(sources, (b) => b.source);
  const room = (n: number) => height - gap * (n - 1);
  return (
    <figure className="bands">
      <figcaption>What each step rests on</figcaption>
      <svg viewBox={`0 0 560 ${height}`} role="img" aria-label="Which sources each step rests on; the table below says the same">
        {bands.map((b, i) => {
          const from = left.get(b.step)!;
          const to = right.get(b.source)!;
          const [h1, h2] = [b.influence * room(left.size), b.influence * room(right.size)];
          const [y1, y2] = [from.y + from.used, to.y + to.used];
          from.used += h1;
          to.used += h2;
          return <path key={i} className="band" d={`M70 ${y1}C190 ${y1} 190 ${y2} 310 ${y2}v${h2}C190 ${y2 + h2} 190 ${y1 + h1} 70 ${y1 + h1}z`} />;
        })}
        {[...left].map(([n, at]) => (
          <g key={n}>
            <rect x="64" y={at.y} width="6" height={at.size} className="bar-sources" />
            <text x="58" y={at.y + at.size / 2} textAnchor="end" dominantBaseline="middle">
              step {n}
            </text>
          </g>
        ))}
        {[...right].map(([id, at]) => (
          <g key={id}>
            <rect x="310" y={at.y} width="6" height={at.size} className="bar-sources" />
            <text x="322" y={at.y + at.size / 2} dominantBaseline="middle">
              {head(titles.get(id as string) ?? "", 34)}
            </text>
          </g>
        ))}
      </svg>
      <details>
        <summary>as a table</summary>
        <Table caption="Influence of sources on steps" hidden head={["Step", "Source", "Influence"]} rows={bands.map((b) => [b.step, titles.get(b.source), `${Math.round(b.influence * 100)} %`])} />
      </details>
    </figure>
  );
}
