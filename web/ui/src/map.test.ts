import { expect, test } from "vitest";
import { lines } from "./parts/map";

test("a text is cut into lines that fit, at words, and says where it goes on", () => {
  const text = "For some days nothing could be read at Valentia but faint movements of the mirror, and these were written out";
  const cut = lines(text, 30, 3);
  expect(cut).toHaveLength(3);
  for (const l of cut) expect(l.length).toBeLessThanOrEqual(30);
  expect(cut[2]).toMatch(/…$/);
  expect(text.startsWith(cut.slice(0, 2).join(" "))).toBe(true);
});

test("a short text is whole, and a word without blanks is cut where it must be", () => {
  expect(lines("short", 30, 3)).toEqual(["short"]);
  expect(lines("", 30, 3)).toEqual([]);
  expect(lines("x".repeat(70), 30, 3)).toEqual(["x".repeat(30), "x".repeat(30), "x".repeat(10)]);
});
