import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { events } from "./api";

const event = (n: number, kind = "text") => `id: s.${n}\nevent: ${kind}\ndata: {}\n\n`;

/** An answer of the server that breaks off behind its text, when that was read. */
function cut(text: string): Response {
  let rest = [text];
  const body = new ReadableStream({
    async pull(to) {
      for (const t of rest) to.enqueue(new TextEncoder().encode(t));
      await new Promise((ok) => setTimeout(ok, 5));
      if (!rest.length) to.error(new TypeError("cut"));
      rest = [];
    },
  });
  return new Response(body, { headers: { "Ibid-Stream": "s" } });
}

const whole = (text: string) => new Response(text, { headers: { "Ibid-Stream": "s" } });
const problem = (status: number) => new Response(JSON.stringify({ detail: `it is ${status}` }), { status });

describe("a stream that is cut", () => {
  beforeEach(() => vi.stubGlobal("sessionStorage", { getItem: () => null }));
  afterEach(() => vi.unstubAllGlobals());

  /** Reads a stream whose requests are answered in turn. */
  async function readAll(...answers: (Response | Error)[]) {
    const asked: string[] = [];
    const waits: number[] = [];
    vi.stubGlobal("fetch", async (path: string, init: RequestInit) => {
      asked.push(`${path} ${(init.headers as Record<string, string>)["Last-Event-ID"] ?? ""}`.trim());
      const next = answers.shift() ?? new TypeError("down");
      if (next instanceof Error) throw next;
      return next;
    });
    const got: string[] = [];
    let failed = "";
    try {
      for await (const e of events("/ask", {}, new AbortController().signal, async (ms) => void waits.push(ms))) got.push(e.id);
    } catch (err) {
      failed = (err as Error).message;
    }
    return { asked, got, failed, waits };
  }

  it("is read on when the line is back, each event once", async () => {
    const r = await readAll(cut(event(1)), new TypeError("down"), problem(503), cut(event(2)), new TypeError("down"), whole(event(3, "done")));
    expect(r.failed).toBe("");
    expect(r.got).toEqual(["s.1", "s.2", "s.3"]);
    expect(r.asked.slice(1)).toEqual(["/api/v1/streams/s s.1", "/api/v1/streams/s s.1", "/api/v1/streams/s s.1", "/api/v1/streams/s s.2", "/api/v1/streams/s s.2"]);
  });
  it("is given up after half a minute", async () => {
    const r = await readAll(cut(event(1)));
    expect(r.failed).toMatch(/the connection was lost/);
    const sum = r.waits.reduce((a, b) => a + b, 0);
    expect(sum).toBeGreaterThan(20_000);
    expect(sum).toBeLessThan(30_000);
  });
  it("is not asked for again where the server has it no more", async () => {
    const r = await readAll(cut(event(1)), problem(404));
    expect(r.failed).toBe("it is 404");
    expect(r.asked.length).toBe(2);
  });
});
