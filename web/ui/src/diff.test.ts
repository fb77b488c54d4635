import { describe, expect, it } from "vitest";
import { diff, difference, near } from "./diff";

const sides = (changes: { kind: string; text: string }[]) => ({
  old: changes.filter((c) => c.kind !== "added").map((c) => c.text).join(""),
  fresh: changes.filter((c) => c.kind !== "removed").map((c) => c.text).join(""),
});

/** A small generator, the same each time. */
function* dice(seed: number) {
  for (let x = seed; ; ) {
    x = (x * 1103515245 + 12345) % 2147483648;
    yield x;
  }
}

describe("difference", () => {
  it("gives back both texts, for any two", () => {
    const next = dice(7);
    const roll = (n: number) => (next.next().value as number) % n;
    const words = ["the ", "cable ", "was ", "laid\n", "in ", "1858.\n", "é", "\n\n", "👍 "];
    for (let round = 0; round < 300; round++) {
      const make = () => Array.from({ length: roll(30) }, () => words[roll(words.length)]).join("");
      const [a, b] = [make(), make()];
      expect(sides(difference(a, b))).toEqual({ old: a, fresh: b });
    }
  });
  it("names the words that changed and no more", () => {
    expect(difference("It was laid in 1857 by ship.\n", "It was laid in 1858 by ship.\n")).toEqual([
      { kind: "same", text: "It was laid in " },
      { kind: "removed", text: "1857" },
      { kind: "added", text: "1858" },
      { kind: "same", text: " by ship.\n" },
    ]);
  });
  it("stays bounded where everything differs", () => {
    const a = Array.from({ length: 20000 }, (_, i) => `a${i}`);
    const b = Array.from({ length: 20000 }, (_, i) => `b${i}`);
    expect(sides(diff(a, b, 200))).toEqual({ old: a.join(""), fresh: b.join("") });
  });
  it("shows only what is near to a change", () => {
    const same = Array.from({ length: 50 }, (_, i) => `line ${i}\n`).join("");
    const shown = near(difference(same + "old\n", same + "new\n"));
    expect(shown[0].text.split("\n").length).toBeLessThan(6);
    expect(shown[0].text).toContain("⋯");
  });
});
