import { describe, expect, it } from "vitest";
import { runs } from "./answer";
import { sample } from "./sample.testing";
import { advance, begin, EventReader, type Live } from "./stream";

const wire = 'retry: 1000\n\nid: a.1\nevent: text\ndata: {"text":"é\\n"}\n\n: still here\n\nid: a.2\r\nevent: text\r\ndata: one\r\ndata: two\r\n\r\ndata: bare\n\nid: a.3\nevent: done\ndata: null\n\n';

describe("EventReader", () => {
  const whole = new EventReader().push(wire);
  it("reads events, comments and line ends of all kinds", () => {
    expect(whole.map((e) => [e.id, e.event, e.data])).toEqual([
      ["a.1", "text", '{"text":"é\\n"}'],
      ["a.2", "text", "one\ntwo"],
      ["a.2", "message", "bare"],
      ["a.3", "done", "null"],
    ]);
  });
  it("gives the same wherever the text is cut", () => {
    for (let i = 0; i <= wire.length; i++) {
      for (const j of [i, Math.min(i + 1, wire.length), Math.min(i + 7, wire.length)]) {
        const r = new EventReader();
        expect([...r.push(wire.slice(0, i)), ...r.push(wire.slice(i, j)), ...r.push(wire.slice(j))]).toEqual(whole);
      }
    }
  });
});

describe("an answer as it streams", () => {
  const a = sample();
  const tell = (): [string, unknown][] => [
    ["retrieved", { passages: a.passages }],
    ["text", { text: a.text.slice(0, 40) }],
    ["text", { text: a.text.slice(40) }],
    ...a.segments.map((s, i): [string, unknown] => {
      const of = a.attributions.filter((at) => at.of.start >= s.at.start && at.of.end <= s.at.end);
      return ["segment", { number: i + 1, segment: s, attributions: of, citations: a.citations.filter((c) => of.some((at) => at.to.span.start === c.at.span.start && at.to.document === c.at.document)) }];
    }),
  ];
  const play = (events: [string, unknown][]) => events.reduce<Live>((l, [k, d]) => advance(l, k, d), begin(a.question));

  it("shows at its end what is recorded", () => {
    const streamed = play(tell());
    expect(runs(streamed.answer)).toEqual(runs(a));
    expect(streamed.answer.citations.map((c) => c.number).sort()).toEqual(a.citations.map((c) => c.number).sort());
    expect(advance(streamed, "done", a)).toMatchObject({ state: "done", answer: a });
  });
  it("tiles its text at every moment", () => {
    let live = begin("q");
    for (const [k, d] of tell()) {
      live = advance(live, k, d);
      expect(
        runs(live.answer)
          .flatMap((r) => r.pieces.map((p) => p.text))
          .join(""),
      ).toBe(live.answer.text);
    }
  });
  it("keeps what came when it is cut, and says why", () => {
    const cut = play([...tell().slice(0, 3), ["error", { detail: "the model went away" }], ["done", { ...a, incomplete: "cut" }]]);
    expect(cut).toMatchObject({ state: "failed", error: "the model went away", answer: { id: "4f2a" } });
    expect(play([["error", { title: "Busy" }], ["done", null]])).toMatchObject({ state: "failed", error: "Busy" });
    expect(play([["done", null]]).state).toBe("failed");
  });
  it("takes steps in any order, and text of steps is not the answer's", () => {
    const step = { number: 2, question: "b", text: "", confidence: 0 };
    const live = play([["plan", {}], ["step", step], ["step", { number: 1, question: "a", trace: "why" }], ["text", { step: 1, text: "inner" }], ["stepped", { ...step, text: "done", confidence: 0.9 }]]);
    expect(live.answer.steps?.map((s) => [s.number, s.text])).toEqual([[1, ""], [2, "done"]]);
    expect(live.answer.text).toBe("");
  });
  it("passes over events it does not know", () => expect(advance(begin("q"), "novelty", { x: 1 })).toEqual(begin("q")));
});
