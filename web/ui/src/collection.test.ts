import { describe, expect, it } from "vitest";
import { headerOf, inside } from "./collection";

describe("addresses within a collection", () => {
  it("name it, before the place in the page", () => {
    expect(inside("/", "thesis")).toBe("/?in=thesis");
    expect(inside("/", "")).toBe("/?in=");
    expect(inside("/answers/4f2a#s3.2", "thesis")).toBe("/answers/4f2a?in=thesis#s3.2");
    expect(inside("/a?b=c#d?e", "Thèse & co")).toBe("/a?b=c&in=Th%C3%A8se%20%26%20co#d?e");
  });
  it("stay as they are where they name one, or there is none", () => {
    expect(inside("/library?in=other#x", "thesis")).toBe("/library?in=other#x");
    expect(inside("/library#x", null)).toBe("/library#x");
  });
});

describe("names in a header", () => {
  it("are plain where they can be", () => {
    expect(headerOf("my thesis")).toBe("my thesis");
  });
  it("are written in ASCII where not", () => {
    for (const name of ["Thèse", "論文", " a", "a\n", "UTF-8''x", ""]) {
      const sent = headerOf(name);
      expect(sent).toMatch(/^UTF-8''[\x21-\x7e]*$/);
      expect(decodeURIComponent(sent.slice(7))).toBe(name);
    }
  });
});
