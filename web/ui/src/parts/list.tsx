import { count } from "../text";
import type { Paged } from "../hooks";

/** A field to find something in a list, and how much was found. */
export function Finder({ words, onWords, label, list, one }: { words: string; onWords: (words: string) => void; label: string; list: Paged<unknown>; one: string }) {
  return (
    <div className="filter" role="search">
      <label htmlFor="filter" className="sr">
        {label}
      </label>
      <input id="filter" type="search" value={words} maxLength={500} autoComplete="off" onChange={(e) => onWords(e.target.value)} placeholder={label.toLowerCase()} />
      <span className="soft" role="status">
        {list.data && (list.more || list.back ? "" : count(list.data.items.length, one))}
      </span>
    </div>
  );
}

/** The ways to the page before and to the next. */
export function Pager({ list, back = "‹ back", more = "more ›" }: { list: Paged<unknown>; back?: string; more?: string }) {
  if (!list.back && !list.more) return null;
  return (
    <nav className="row" aria-label="Pages">
      {list.back && (
        <button type="button" onClick={list.back}>
          {back}
        </button>
      )}
      {list.more && (
        <button type="button" onClick={list.more}>
          {more}
        </button>
      )}
    </nav>
  );
}
