import { expect, it } from "vitest";
import { blocks } from "./views/blocks";

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
