import { Bytes } from "../text";
import type { Document } from "../types";

export interface Block {
  key: number;
  start: number;
  end: number;
  page?: number;
  level?: number;
}

/** Paragraphs of a text, cut at blank lines and where its outline has pages and headings. Only blanks lie between them. */
export function blocks(d: Pick<Document, "text" | "outline">, bytes = new Bytes(d.text)): Block[] {
  const { text } = d;
  const borders = new Set([0]);
  for (const gap of text.matchAll(/\n[^\S\n]*\n\s*/g)) borders.add(gap.index + gap[0].length);
  const marks = new Map<number, { page?: number; level?: number }>();
  for (const m of d.outline) {
    const at = bytes.utf16(m.at);
    const here = marks.get(at) ?? {};
    if (m.page) here.page = m.page;
    else if (m.heading) {
      here.level = m.level ?? 1;
      const end = text.indexOf("\n", at);
      if (end >= 0) borders.add(end + 1);
    }
    marks.set(at, here);
    borders.add(at);
  }
  const sorted = [...borders].filter((at) => at <= text.length).sort((a, b) => a - b);
  const out: Block[] = [];
  let waiting: { page?: number; level?: number } = {};
  sorted.forEach((start, i) => {
    const part = text.slice(start, sorted[i + 1] ?? text.length);
    const own = { ...waiting, ...marks.get(start) };
    const ink = part.trimEnd();
    if (!ink) {
      waiting = own; // a page may begin with blanks
      return;
    }
    waiting = {};
    out.push({ key: start, start, end: start + ink.length, ...own });
  });
  return out;
}

/** A page of a document, with the places of it that are cited. */
export interface Sheet {
  page: number;
  start: number;
  end: number;
  cited: number;
}

/** The pages of a document, each from where it begins to where the next does. What stands before the first belongs to it. */
export function sheets(found: Block[], length: number, cited: { start: number; end: number }[]): Sheet[] {
  const begins = found.filter((b) => b.page !== undefined);
  return begins.map((b, i) => {
    const [start, end] = [i ? b.start : 0, begins[i + 1]?.start ?? length];
    const places = new Set(cited.filter((c) => c.start < end && c.end > start).map((c) => `${c.start}-${c.end}`));
    return { page: b.page!, start, end, cited: places.size };
  });
}
