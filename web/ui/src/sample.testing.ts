import type { Answer, Span } from "./types";

// An answer with one segment of each look, for tests. It has letters outside of ASCII, so that bytes and UTF-16 differ.

const encoder = new TextEncoder();

export function span(text: string, words: string, before = ""): Span {
  const at = text.indexOf(words);
  if (at < 0) throw new Error(`${words} is not in the text`);
  const bytes = (t: string) => encoder.encode(before + t).length;
  return { start: bytes(text.slice(0, at)), end: bytes(text.slice(0, at + words.length)), utf16: [before.length + at, before.length + at + words.length] };
}

export function sample(): Answer {
  const sentences = ["Café Héloïse: the cable was completed on 5 August 1858.", "It worked for about three weeks.", "Whitehouse is usually blamed.", "The Queen wrote on 9 August."];
  const text = sentences.join(" ") + "\n\nAsk if you need more.";
  const first = "Ægir hauled the end ashore. The landing was completed on 5 August 1858. The Queen wrote on 16 August. Weeks followed: three weeks of talk.";
  const second = "For three weeks the wire spoke, then was silent.";
  const intro = "Ünder a title.\n";
  const at = (t: string, words: string) => ({ document: t === first ? "d1" : "d2", span: span(t, words, t === first ? intro : "") });
  const whole = (t: string) => at(t, t);
  return {
    id: "4f2a",
    question: "When was the first transatlantic cable laid?",
    text,
    model: "test",
    created_at: "2026-05-03T10:00:00Z",
    passages: [
      { rank: 1, score: 0.9, source: { id: "s1", uri: "file:///cable-1858.pdf", reference: { title: "The Cable of 1858" } }, chunk: { at: whole(first), page: 3, text: first, before: { runes: intro.length, utf16: intro.length } } },
      { rank: 2, score: 0.5, source: { id: "s2", uri: "file:///letters.md", reference: { title: "Letters" } }, chunk: { at: whole(second), heading: ["Letters", "September"], text: second, before: { runes: 0, utf16: 0 } } },
      { rank: 3, score: 0.1, source: { id: "s3", uri: "https://example.org/x", reference: {} }, chunk: { at: { document: "d3", span: { start: 0, end: 4 } }, text: "Else", before: { runes: 0, utf16: 0 } } },
    ],
    segments: [
      { at: span(text, sentences[0]), origin: "RAG", support: 0.95, confidence: 0.95, refs: [1], reasons: ["date and event agree"] },
      { at: span(text, sentences[1]), origin: "HYBRID", support: 0.6, confidence: 0.6, refs: [1, 2], unsupported: [span(text, "about")] },
      { at: span(text, sentences[2]), origin: "LLM", support: 0.1, confidence: 0.4, unsupported: [span(text, sentences[2])] },
      { at: span(text, sentences[3]), origin: "RAG", support: 0.2, confidence: 0.9, refs: [1], unsupported: [span(text, "9 August")], contradicted: [{ of: span(text, "9 August"), to: at(first, "16 August"), reason: "the source says 16 August" }] },
      { at: span(text, "Ask if you need more."), origin: "NONE", support: 0, confidence: 0.9 },
    ],
    attributions: [
      { of: span(text, sentences[0]), to: at(first, "The landing was completed on 5 August 1858."), ref: 1, confidence: 0.95, method: "words", trust: "judged", words: [span(first, "5 August 1858", intro)] },
      { of: span(text, sentences[1]), to: at(first, "Weeks followed: three weeks of talk."), ref: 1, confidence: 0.6, method: "words", trust: "judged" },
      { of: span(text, sentences[1]), to: at(second, "For three weeks the wire spoke"), ref: 2, confidence: 0.55, method: "words", trust: "judged" },
      { of: span(text, sentences[3]), to: at(first, "The Queen wrote on 16 August."), ref: 1, confidence: 0.8, method: "words", trust: "judged" },
    ],
    citations: [
      { number: 1, key: "cable", source: "s1", at: at(first, "The landing was completed on 5 August 1858."), quote: "The landing was completed on 5 August 1858.", locator: "p. 3", confidence: 0.95 },
      { number: 1, key: "cable", source: "s1", at: at(first, "Weeks followed: three weeks of talk."), quote: "Weeks followed: three weeks of talk.", confidence: 0.6 },
      { number: 2, key: "letters", source: "s2", at: at(second, "For three weeks the wire spoke"), quote: "For three weeks the wire spoke", confidence: 0.55 },
      { number: 1, key: "cable", source: "s1", at: at(first, "The Queen wrote on 16 August."), quote: "The Queen wrote on 16 August.", confidence: 0.8 },
    ],
  };
}
