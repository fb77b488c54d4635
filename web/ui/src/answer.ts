import { cut, inChunk, within } from "./text";
import type { Answer, Attribution, Citation, Contradiction, Passage, PassageSource, Segment, Step } from "./types";

// What the page says of an answer, worked out of its record. The signs are those of the terminal and of exported files.

export type Strength = "strong" | "fair" | "weak";

export function strength(confidence: number): Strength {
  return confidence >= 0.8 ? "strong" : confidence >= 0.5 ? "fair" : "weak";
}

export type Look = "source" | "mixed" | "model" | "denied" | "none";

export function look(s: Segment): Look {
  if (s.contradicted?.length) return "denied";
  switch (s.origin) {
    case "RAG":
      return "source";
    case "HYBRID":
      return "mixed";
    case "LLM":
      return "model";
    default:
      return "none";
  }
}

export const inWords: Record<Look, string> = {
  source: "from a source",
  mixed: "in part from a source",
  model: "the model’s own",
  denied: "a source says otherwise",
  none: "makes no claim",
};

/** What holds text with links to passages: an answer, or one step of its chain of thought. */
export type Linked = Pick<Answer, "text" | "passages" | "segments" | "attributions" | "citations">;

export function ofStep(step: Step): Linked {
  return { text: step.text, passages: step.passages ?? [], segments: step.segments ?? [], attributions: step.attributions ?? [], citations: [] };
}

/** The attributions of a segment: those that say otherwise first, then the best. */
export function evidence(a: Linked, s: Segment): Attribution[] {
  const links = a.attributions.filter((at) => at.of.start >= s.at.start && at.of.end <= s.at.end);
  const denies = (at: Attribution) => !!s.contradicted?.some((c) => c.to.document === at.to.document && c.to.span.start < at.to.span.end && at.to.span.start < c.to.span.end);
  return [...links.filter(denies), ...links.filter((at) => !denies(at))];
}

export function passage(a: Linked, rank: number): Passage | undefined {
  return a.passages.find((p) => p.rank === rank);
}

function samePlace(at: Attribution, c: Citation): boolean {
  return at.to.document === c.at.document && at.to.span.start === c.at.span.start && at.to.span.end === c.at.span.end;
}

/** The number that people see for a place; undefined where it is not cited. */
export function numberOf(a: Linked, at: Attribution): number | undefined {
  return a.citations.find((c) => samePlace(at, c))?.number;
}

/** The citation numbers of a segment, ascending. */
export function numbers(a: Linked, s: Segment): number[] {
  const found = new Set<number>();
  for (const at of evidence(a, s)) {
    const n = numberOf(a, at);
    if (n !== undefined) found.add(n);
  }
  return [...found].sort((x, y) => x - y);
}

/** The sign behind a segment: ¹ ³, ¹ ◐, ◇ or ✕ ¹. */
export function sign(s: Segment, cited: number[]): string {
  const joined = cited.join(" ");
  switch (look(s)) {
    case "denied":
      return joined ? `✕ ${joined}` : "✕";
    case "mixed":
      return joined ? `${joined} ◐` : "◐";
    case "model":
      return "◇";
    case "source":
      return joined;
    default:
      return "";
  }
}

/** The sign in words, for who cannot see it. */
export function spoken(s: Segment, cited: number[]): string {
  const kind = look(s);
  if (kind === "none") return "";
  const which = cited.length ? ` ${cited.join(" and ")}` : "";
  const words = {
    source: `from source${which}`,
    mixed: `in part from source${which}`,
    model: "the model’s own",
    denied: `source${which} says otherwise`,
  }[kind];
  return `${words}, ${strength(s.confidence)}`;
}

export type Under = "open" | "denied";

export interface Run {
  start: number;
  end: number;
  /** Index of the segment; -1 for what stands between two of them. */
  segment: number;
  pieces: { text: string; under?: Under }[];
}

/** The text as runs that tile it: joined in order they give it back. */
export function runs(a: Linked): Run[] {
  const out: Run[] = [];
  let at = 0;
  a.segments.forEach((s, i) => {
    const [start, end] = within(a.text, s.at);
    if (start < at || end > a.text.length) return; // a stream may be ahead of its text
    if (start > at) out.push({ start: at, end: start, segment: -1, pieces: [{ text: a.text.slice(at, start) }] });
    const ranges = [
      ...(s.unsupported ?? []).map((u) => ({ at: u, tag: "open" as Under })),
      ...(s.contradicted ?? []).map((c) => ({ at: c.of, tag: "denied" as Under })),
    ].map(({ at, tag }) => {
      const [from, to] = within(a.text, at);
      return { start: from, end: to, tag };
    });
    const pieces = cut(start, end, s.origin === "LLM" && !s.contradicted?.length ? [] : ranges).map((p) => ({
      text: a.text.slice(p.start, p.end),
      under: p.tags.includes("denied") ? ("denied" as Under) : p.tags[0],
    }));
    out.push({ start, end, segment: i, pieces });
    at = end;
  });
  if (at < a.text.length) out.push({ start: at, end: a.text.length, segment: -1, pieces: [{ text: a.text.slice(at) }] });
  return out;
}

/** Runs by line: each inner list is a paragraph, a list item, a heading or a row. Lines without ink part them. */
export function lines(a: Linked): { runs: Run[]; gap: boolean }[] {
  const out: { runs: Run[]; gap: boolean }[] = [];
  let line: Run[] = [];
  let gap = false;
  const close = () => {
    if (line.some((r) => r.pieces.some((p) => p.text.trim()))) {
      out.push({ runs: line, gap });
      gap = false;
    } else if (out.length) {
      gap = true;
    }
    line = [];
  };
  for (const run of runs(a)) {
    if (run.segment >= 0) {
      line.push(run); // a segment is not cut, even where it has lines (a block of code)
      continue;
    }
    let start = run.start;
    run.pieces[0].text.split("\n").forEach((part, i) => {
      if (i > 0) close();
      if (part) line.push({ start, end: start + part.length, segment: -1, pieces: [{ text: part }] });
      start += part.length + 1;
    });
  }
  close();
  return out;
}

export function titleOf(s: PassageSource): string {
  return s.reference?.title || nameOf(s.uri) || s.id;
}

/** The last part of an address: a file's or a page's own name. */
export function nameOf(uri: string): string {
  const path = uri.split(/[?#]/, 1)[0].replace(/\/+$/, "");
  const last = path.slice(path.lastIndexOf("/") + 1);
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}

/** Page or heading of an attribution: "p. 3", else "§ September". */
export function locator(p: Passage, at: Attribution): string {
  let page = p.chunk.page ?? 0;
  let heading = p.chunk.heading?.at(-1) ?? "";
  for (const mark of p.chunk.breaks ?? []) {
    if (mark.at > at.to.span.start) break;
    if (mark.page) page = mark.page;
    else heading = mark.heading ?? heading;
  }
  if (page) return `p. ${page}`;
  return heading && heading !== titleOf(p.source) ? `§ ${heading}` : "";
}

/** A passage around the words that support a segment, and those in it that deny words of it. */
export function excerpt(p: Passage, at: Attribution, denials: Contradiction[] = []): { before: string; quote: { text: string; word: boolean; denies: boolean }[]; after: string } {
  const [start, end] = inChunk(p.chunk, at.to.span);
  const words = (at.words ?? []).map((w) => {
    const [from, to] = inChunk(p.chunk, w);
    return { start: from, end: to, tag: "word" };
  });
  for (const d of denials) {
    if (d.to.document !== at.to.document) continue;
    const [from, to] = inChunk(p.chunk, d.to.span);
    if (from >= start && to <= end && to - from < end - start) words.push({ start: from, end: to, tag: "denies" });
  }
  const text = p.chunk.text;
  return {
    before: text.slice(0, start),
    quote: cut(start, end, words).map((q) => ({ text: text.slice(q.start, q.end), word: q.tags.includes("word"), denies: q.tags.includes("denies") })),
    after: text.slice(end),
  };
}

const trusted: Record<string, string> = {
  tool: "captured where a tool returned it",
  provider: "cited by the model’s provider, checked",
  quote: "the words stand there",
  judged: "judged to say so",
  marker: "claimed by the model, not checked",
  unlinked: "no link",
};

export const trust = (rung: string) => trusted[rung] ?? rung;

/** Shares of what is claimed, as the record counts them: characters that are not blank. */
export function shares(a: Linked): { sources: number; model: number } {
  const inked = (text: string) => Array.from(text.replace(/\s/g, "")).length;
  let sources = 0;
  let model = 0;
  for (const s of a.segments) {
    if (s.origin === "NONE") continue;
    const [start, end] = within(a.text, s.at);
    const all = inked(a.text.slice(start, end));
    let own = s.origin === "LLM" ? all : 0;
    if (s.origin === "HYBRID") {
      for (const u of s.unsupported ?? []) {
        const [from, to] = within(a.text, u);
        own += inked(a.text.slice(from, to));
      }
    }
    model += own;
    sources += all - own;
  }
  const total = sources + model;
  return total ? { sources: sources / total, model: model / total } : { sources: 0, model: 0 };
}

/** The sources an answer cites, by number. */
export function cited(a: Linked): { number: number; source: PassageSource; places: Citation[] }[] {
  const by = new Map<number, { number: number; source: PassageSource; places: Citation[] }>();
  for (const c of a.citations) {
    const source = a.passages.find((p) => p.source.id === c.source)?.source ?? { id: c.source, uri: "", reference: {} };
    const entry = by.get(c.number) ?? { number: c.number, source, places: [] };
    entry.places.push(c);
    by.set(c.number, entry);
  }
  return [...by.values()].sort((x, y) => x.number - y.number);
}

/** The first segment that a source denies, from 0, and how many there are. What is denied may be made of a source's words, so
 * that the shares alone do not tell of it. */
export function denied(a: Linked): { first: number; sentences: number } {
  const all = a.segments.map((s, i) => (look(s) === "denied" ? i : -1)).filter((i) => i >= 0);
  return { first: all[0] ?? -1, sentences: all.length };
}

/** Whether an entry of a bibliography is written with its number, as "[1] …" and "1. …" are. */
export const saysNumber = (entry: string, n: number): boolean => new RegExp(`^[[(]?${n}(?!\\d)`).test(entry);
