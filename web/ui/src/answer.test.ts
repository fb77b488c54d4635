import { describe, expect, it } from "vitest";
import { cited, denied, evidence, excerpt, lines, locator, look, nameOf, numbers, runs, shares, sign, spoken, strength } from "./answer";
import { sample, span } from "./sample.testing";
import type { Segment } from "./types";

describe("runs", () => {
  it("tile the text: joined in order they give it back", () => {
    const a = sample();
    const all = runs(a);
    expect(all.flatMap((r) => r.pieces.map((p) => p.text)).join("")).toBe(a.text);
    all.slice(1).forEach((r, i) => expect(r.start).toBe(all[i].end));
  });
  it("leave out a segment that a stream has told before its text", () => {
    const a = sample();
    a.text = a.text.slice(0, 30);
    expect(
      runs(a)
        .flatMap((r) => r.pieces.map((p) => p.text))
        .join(""),
    ).toBe(a.text);
  });
  it("underline words without support, and those that a source denies before them", () => {
    const a = sample();
    const under = runs(a).flatMap((r) => r.pieces.filter((p) => p.under).map((p) => [p.text, p.under]));
    expect(under).toEqual([
      ["about", "open"],
      ["9 August", "denied"],
    ]);
  });
  it("by lines lose nothing but line ends", () => {
    const a = sample();
    a.text += "\n\n- item\n- next";
    const ink = (t: string) => t.replace(/\n/g, "");
    expect(ink(lines(a).flatMap((l) => l.runs.flatMap((r) => r.pieces.map((p) => p.text))).join(""))).toBe(ink(a.text));
    expect(lines(a).map((l) => l.gap)).toEqual([false, true, true, false]);
  });
});

describe("signs", () => {
  const a = sample();
  const said = a.segments.map((s) => sign(s, numbers(a, s)));
  it("are those of the terminal", () => expect(said).toEqual(["1", "1 2 ◐", "◇", "✕ 1", ""]));
  it("are told in words to who cannot see them", () =>
    expect(a.segments.map((s) => spoken(s, numbers(a, s)))).toEqual(["from source 1, strong", "in part from source 1 and 2, fair", "the model’s own, weak", "source 1 says otherwise, strong", ""]));
  it("have three strengths", () => expect([0.8, 0.79, 0.5, 0.49, 0].map(strength)).toEqual(["strong", "fair", "fair", "weak", "weak"]));
  it("a denial goes before an origin", () => expect(look({ origin: "RAG", contradicted: [{}] } as unknown as Segment)).toBe("denied"));
});

describe("evidence", () => {
  const a = sample();
  it("belongs to the segment it lies within", () => expect(a.segments.map((s) => evidence(a, s).length)).toEqual([1, 2, 0, 1, 0]));
  it("parts a passage at the words, to the character", () => {
    const at = a.attributions[0];
    const e = excerpt(a.passages[0], at);
    expect(e.before + e.quote.map((q) => q.text).join("") + e.after).toBe(a.passages[0].chunk.text);
    expect(e.quote.map((q) => q.text).join("")).toBe("The landing was completed on 5 August 1858.");
    expect(e.quote.filter((q) => q.word).map((q) => q.text)).toEqual(["5 August 1858"]);
  });
  it("says where, by page, else by heading, but never by the title again", () => {
    expect(locator(a.passages[0], a.attributions[0])).toBe("p. 3");
    expect(locator(a.passages[1], a.attributions[2])).toBe("§ September");
    const p = { ...a.passages[1], chunk: { ...a.passages[1].chunk, heading: ["Letters"] } };
    expect(locator(p, a.attributions[2])).toBe("");
  });
  it("lists only what is cited", () => expect(cited(a).map((c) => [c.number, c.source.id])).toEqual([[1, "s1"], [2, "s2"]]));
});

it("shares count the ink of claims, a mixed one by its supported part", () => {
  const a = sample();
  const ink = (t: string) => t.replace(/\s/g, "").length;
  const claimed = a.segments.slice(0, 4).map((s) => ink(a.text.slice(...(s.at.utf16 as [number, number]))));
  const own = ink("about") + claimed[2];
  const total = claimed.reduce((x, y) => x + y);
  expect(shares(a).model).toBeCloseTo(own / total, 10);
  expect(shares(a).sources + shares(a).model).toBeCloseTo(1, 10);
  expect(shares({ ...a, segments: a.segments.slice(4) })).toEqual({ sources: 0, model: 0 });
});

it("names are the last part of an address", () => {
  expect(["file:///a%20b.pdf", "https://x.org/p/q.html?r#s", "https://x.org/", "bad%zz", ""].map(nameOf)).toEqual(["a b.pdf", "q.html", "x.org", "bad%zz", ""]);
});

it("the sample's own spans are right", () => {
  const a = sample();
  expect(span(a.text, "about").utf16).toEqual([a.text.indexOf("about"), a.text.indexOf("about") + 5]);
});

describe("what sources deny", () => {
  it("is counted, and its first sentence named", () => {
    const a = sample();
    const at = a.segments.findIndex((s) => look(s) === "denied");
    expect(denied(a)).toEqual({ first: at, sentences: a.segments.filter((s) => look(s) === "denied").length });
    expect(denied({ ...a, segments: a.segments.slice(0, at) })).toEqual({ first: -1, sentences: 0 });
  });
  it("is shown from the source that denies it, whichever link is the best", () => {
    const a = sample();
    const s = a.segments.find((s) => look(s) === "denied")!;
    const [link] = evidence(a, s);
    const other = { ...link, to: { ...link.to, document: "another" } };
    a.attributions = [other, ...a.attributions];
    s.contradicted![0].to = link.to;
    expect(evidence(a, s).map((l) => l.to.document)).toEqual([link.to.document, "another"]);
    s.contradicted = [];
    expect(evidence(a, s)[0].to.document).toBe("another");
  });
});
