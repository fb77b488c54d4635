import type { Chunk, Span } from "./types";

const encoder = new TextEncoder();

/** Turns byte offsets of a text into UTF-16 offsets. Offsets inside a character go to its start. */
export class Bytes {
  private readonly starts: Uint32Array | null; // of each UTF-16 unit, in bytes; null where both count the same
  private readonly length: number;

  constructor(text: string) {
    this.length = text.length;
    if (encoder.encode(text).length === text.length) {
      this.starts = null;
      return;
    }
    const starts = new Uint32Array(text.length + 1);
    let at = 0;
    for (let i = 0; i < text.length; ) {
      const point = text.codePointAt(i)!;
      const units = point > 0xffff ? 2 : 1;
      starts[i] = at;
      if (units === 2) starts[i + 1] = at;
      at += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
      i += units;
    }
    starts[text.length] = at;
    this.starts = starts;
  }

  utf16(byte: number): number {
    if (!this.starts) return Math.min(Math.max(byte, 0), this.length);
    let low = 0;
    let high = this.length;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.starts[middle] <= byte) low = middle;
      else high = middle - 1;
    }
    // The second half of a pair begins where the first does: a span never cuts a character.
    return low > 0 && this.starts[low - 1] === this.starts[low] ? low - 1 : low;
  }
}

/** Where a span of the text stands in it. */
export function within(text: string, at: Span): [number, number] {
  if (at.utf16) return at.utf16;
  const bytes = new Bytes(text);
  return [bytes.utf16(at.start), bytes.utf16(at.end)];
}

/** Where a span of the document stands in the text of a chunk, cut to the chunk. */
export function inChunk(chunk: Chunk, at: Span): [number, number] {
  let start: number;
  let end: number;
  if (at.utf16) {
    [start, end] = at.utf16.map((n) => n - chunk.before.utf16);
  } else {
    const bytes = new Bytes(chunk.text);
    start = bytes.utf16(at.start - chunk.at.span.start);
    end = bytes.utf16(at.end - chunk.at.span.start);
  }
  const cut = (n: number) => Math.min(Math.max(n, 0), chunk.text.length);
  return [cut(start), cut(end)];
}

export interface Piece<T> {
  start: number;
  end: number;
  tags: T[];
}

/** Cuts [start, end) at the borders of ranges; each piece carries the tags of the ranges that cover it. */
export function cut<T>(start: number, end: number, ranges: { start: number; end: number; tag: T }[]): Piece<T>[] {
  const borders = new Set([start, end]);
  for (const r of ranges) {
    for (const at of [r.start, r.end]) if (at > start && at < end) borders.add(at);
  }
  const sorted = [...borders].sort((a, b) => a - b);
  const open = [...ranges].sort((a, b) => a.start - b.start);
  const pieces: Piece<T>[] = [];
  let next = 0;
  let live: typeof ranges = [];
  for (let i = 0; i + 1 < sorted.length; i++) {
    const [from, to] = [sorted[i], sorted[i + 1]];
    live = live.filter((r) => r.end > from);
    while (next < open.length && open[next].start <= from) {
      if (open[next].end > from) live.push(open[next]);
      next++;
    }
    pieces.push({ start: from, end: to, tags: live.map((r) => r.tag) });
  }
  return pieces;
}

/** The end of a text, from a word on, where it is longer than that. */
export function tail(text: string, most: number): string {
  if (text.length <= most) return text;
  const from = text.indexOf(" ", text.length - most);
  return "…" + text.slice(from < 0 ? whole(text, text.length - most) : from + 1);
}

/** The beginning of a text, up to a word, where it is longer than that. */
export function head(text: string, most: number): string {
  if (text.length <= most) return text;
  const to = text.lastIndexOf(" ", most);
  return text.slice(0, to <= 0 ? whole(text, most) : to) + "…";
}

/** Whether what is typed holds a word yet: the first sign may be the quote that opens some. */
export const findable = (words: string) => /[\p{L}\p{N}\p{So}]/u.test(words);

/** The place itself, or the one before it where it lies within a character. */
const whole = (text: string, at: number) => (/[\udc00-\udfff]/.test(text[at] ?? "") ? at - 1 : at);

/** An address that may be followed; anything but http and https is text. */
export function safeURL(address: string | undefined): string | undefined {
  if (!address) return undefined;
  try {
    const url = new URL(address);
    return url.protocol === "http:" || url.protocol === "https:" ? url.href : undefined;
  } catch {
    return undefined;
  }
}

export function day(time: string | undefined): string {
  const at = time ? new Date(time) : null;
  if (!at || Number.isNaN(at.getTime()) || at.getFullYear() < 1971) return "";
  return at.toLocaleDateString("en-GB", { day: "numeric", month: "short", year: "numeric" });
}

export function moment(time: string | undefined): string {
  const on = day(time);
  return on && `${on}, ${new Date(time!).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" })}`;
}

export function count(n: number, one: string, many = one + "s"): string {
  return `${n.toLocaleString("en-GB").replaceAll(",", " ")} ${n === 1 ? one : many}`;
}

export const percent = (share: number) => `${Math.round(share * 100)} %`;
