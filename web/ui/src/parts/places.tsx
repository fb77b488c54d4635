import type { Place } from "../types";

/** Where a statement stands: each place opens its document at the words. */
export function Places({ places, title }: { places: Place[]; title: (source: string) => string }) {
  return (
    <ul className="plain places">
      {places.map((p, i) => (
        <li key={i}>
          {p.number !== undefined && <sup>{p.number}</sup>}{" "}
          <a href={`/documents/${p.at.document}#${p.at.span.start}-${p.at.span.end}`}>{title(p.source)}</a>
          {p.locator && <span className="soft"> · {p.locator}</span>}
          <q className="quote">{p.quote}</q>
        </li>
      ))}
    </ul>
  );
}
