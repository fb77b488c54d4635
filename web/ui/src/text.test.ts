import { describe, expect, it } from "vitest";
import { Bytes, count, cut, findable, head, inChunk, safeURL, tail, within } from "./text";
import type { Chunk } from "./types";

const encoder = new TextEncoder();
const texts = ["", "plain", "naïve café", "日本語 text", "👍🏽 and 𝒳 and é", "a\u0000b\u2028c", "mixed é𝒳e"];

describe("Bytes", () => {
  it.each(texts)("gives the UTF-16 offset of every character of %j", (text) => {
    const bytes = new Bytes(text);
    for (let i = 0; i <= text.length; i++) {
      if (i > 0 && /[\ud800-\udbff]/.test(text[i - 1]) && /[\udc00-\udfff]/.test(text[i] ?? "")) continue; // inside a pair
      expect(bytes.utf16(encoder.encode(text.slice(0, i)).length)).toBe(i);
    }
  });
  it("goes to the start of a character that an offset cuts, and stays within the text", () => {
    const bytes = new Bytes("a𝒳b");
    expect([0, 1, 2, 3, 4, 5, 6, 99].map((b) => bytes.utf16(b))).toEqual([0, 1, 1, 1, 1, 3, 4, 4]);
  });
});

describe("spans", () => {
  it("are cut by UTF-16 units where they are given, else by bytes", () => {
    const text = "é says 5";
    expect(within(text, { start: 8, end: 9, utf16: [7, 8] })).toEqual([7, 8]);
    expect(within(text, { start: 8, end: 9 })).toEqual([7, 8]);
  });
  it("of a document stand in a chunk of it", () => {
    const before = "Ä. ";
    const chunk: Chunk = { text: "ö was laid", before: { runes: 3, utf16: 3 }, at: { document: "d", span: { start: encoder.encode(before).length, end: 15 } } };
    expect(inChunk(chunk, { start: 7, end: 10, utf16: [5, 8] })).toEqual([2, 5]);
    expect(inChunk(chunk, { start: 7, end: 10 })).toEqual([2, 5]);
    expect(inChunk(chunk, { start: 0, end: 99, utf16: [0, 99] })).toEqual([0, 10]);
  });
});

describe("cut", () => {
  it("tiles the range whatever the ranges are, and each piece knows what covers it", () => {
    const ranges = [
      { start: 2, end: 6, tag: "a" },
      { start: 4, end: 9, tag: "b" },
      { start: 0, end: 20, tag: "c" },
      { start: 5, end: 5, tag: "empty" },
    ];
    const pieces = cut(1, 10, ranges);
    expect(pieces[0].start).toBe(1);
    expect(pieces.at(-1)!.end).toBe(10);
    pieces.slice(1).forEach((p, i) => expect(p.start).toBe(pieces[i].end));
    for (const p of pieces) {
      const want = ranges.filter((r) => r.start <= p.start && r.end >= p.end && r.end > r.start).map((r) => r.tag);
      expect([...p.tags].sort()).toEqual(want.sort());
    }
  });
});

describe("excerpts", () => {
  it("end at words", () => {
    expect(head("one two three", 9)).toBe("one two…");
    expect(tail("one two three", 9)).toBe("…three");
    expect(head("short", 9) + tail("short", 9)).toBe("shortshort");
    expect(head("x".repeat(50), 9)).toBe("x".repeat(9) + "…");
    expect(head("🌊".repeat(9), 9)).toBe("🌊🌊🌊🌊…");
    expect(tail("🌊".repeat(9), 9)).toBe("…🌊🌊🌊🌊🌊");
  });
  it("count in words", () => expect([count(1, "source"), count(2, "source"), count(12345, "entry", "entries")]).toEqual(["1 source", "2 sources", "12 345 entries"]));
});

describe("findable", () => {
  it("waits for a word", () => {
    for (const words of ["", " ", '"', "…!", "%"]) expect(findable(words)).toBe(false);
    for (const words of ["a", '"a', "海", "7", "🎉"]) expect(findable(words)).toBe(true);
  });
});

describe("safeURL", () => {
  it.each(["javascript:alert(1)", " javascript:alert(1)", "JaVaScRiPt:alert(1)", "data:text/html,x", "vbscript:x", "file:///etc/passwd", "upload:///a.md", "//evil.example", "", "blob:http://x/1"])("%j is not followed", (u) => expect(safeURL(u)).toBeUndefined());
  it("http and https are", () => expect(safeURL("https://example.org/a?b#c")).toBe("https://example.org/a?b#c"));
});
