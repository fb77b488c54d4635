import { describe, expect, it } from "vitest";
import { sample } from "./sample.testing";
import { asShared, escape } from "./share";

describe("a shared answer", () => {
  const html = asShared(sample());
  it("keeps signs, notes and sources", () => {
    for (const words of ["<sup>1 2 ◐</sup>", "<sup>◇</sup>", "<sup>✕ 1</sup>", "the source says 16 August", "✕ 1 sentence that a source denies", "<mark>The landing was completed on 5 August 1858.</mark>", "The Cable of 1858"]) expect(html).toContain(words);
  });
  it("has no script and takes nothing from elsewhere", () => {
    expect(html).not.toMatch(/<script|<img|<link|<iframe|\son\w+=|url\(|@import/i);
    expect(html).toContain("default-src 'none'");
  });
  it("holds hostile text as text, wherever it comes from", () => {
    const a = sample();
    const bad = `</style><script>alert(1)</script><img src=x onerror=alert(2)>"'&`;
    a.question = bad;
    a.passages[0].source.reference.title = bad;
    a.passages[0].source.uri = "javascript:alert(3)";
    a.segments[3].contradicted![0].reason = bad;
    const out = asShared(a);
    expect(out).not.toContain("<script");
    expect(out).not.toContain("<img");
    expect(out).not.toContain("javascript:");
    expect(out.split(escape(bad)).length).toBeGreaterThan(3);
  });
});
