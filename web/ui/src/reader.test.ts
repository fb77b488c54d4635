import { expect, it } from "vitest";
import { blocks, sheets } from "./views/blocks";

const encoder = new TextEncoder();
const at = (text: string, words: string) => encoder.encode(text.slice(0, text.indexOf(words))).length;

it("blocks of a document leave out nothing but blanks, and know their pages and headings", () => {
  const text = "Tïtle\nby me\n\n1. Begin\nThe first.\nStill the first.\n\n\n  Second page.\n\nEnd";
  const found = blocks({ text, outline: [{ at: 0, page: 1 }, { at: 0, heading: "Tïtle", level: 1 }, { at: at(text, "1. Begin"), heading: "1. Begin", level: 2 }, { at: at(text, "\n  Second"), page: 2 }] });
  expect(found.map((b) => [text.slice(b.start, b.end).trim(), b.page, b.level])).toEqual([
    ["Tïtle", 1, 1],
    ["by me", undefined, undefined],
    ["1. Begin", undefined, 2],
    ["The first.\nStill the first.", undefined, undefined],
    ["Second page.", 2, undefined],
    ["End", undefined, undefined],
  ]);
  let last = 0;
  for (const b of found) {
    expect(text.slice(last, b.start).trim()).toBe("");
    last = b.end;
  }
});

it("pages tile the document, and count each cited place on every page it stands on", () => {
  const text = "First page.\n\nStill it.\n\nSecond page.\n\nThird.";
  const found = blocks({ text, outline: [{ at: 0, page: 1 }, { at: at(text, "Second"), page: 2 }, { at: at(text, "Third"), page: 5 }] });
  const second = text.indexOf("Second");
  const all = sheets(found, text.length, [{ start: 0, end: 5 }, { start: 0, end: 5 }, { start: second - 4, end: second + 6 }]);
  expect(all.map((s) => [s.page, s.cited])).toEqual([[1, 2], [2, 1], [5, 0]]);
  expect(all.map((s) => text.slice(s.start, s.end)).join("")).toBe(text);
  expect(sheets(blocks({ text, outline: [] }), text.length, [])).toEqual([]);
});
