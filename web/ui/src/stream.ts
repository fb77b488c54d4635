import type { Answer, Attribution, Citation, Passage, Segment, Step, Verdict } from "./types";

/** One server-sent event. */
export interface ServerEvent {
  id: string;
  event: string;
  data: string;
}

/** Reads server-sent events however their text is cut. */
export class EventReader {
  private rest = "";
  private fields = { id: "", event: "", data: [] as string[] };

  push(text: string): ServerEvent[] {
    const out: ServerEvent[] = [];
    this.rest += text;
    for (;;) {
      const end = this.rest.search(/\r\n|\n|\r/);
      // A line feed may still follow a carriage return at the end of what came.
      if (end < 0 || (this.rest[end] === "\r" && end + 1 === this.rest.length)) return out;
      const line = this.rest.slice(0, end);
      this.rest = this.rest.slice(end + (this.rest.startsWith("\r\n", end) ? 2 : 1));
      if (line === "") {
        if (this.fields.data.length) {
          out.push({ id: this.fields.id, event: this.fields.event || "message", data: this.fields.data.join("\n") });
        }
        this.fields = { id: this.fields.id, event: "", data: [] };
        continue;
      }
      const colon = line.indexOf(":");
      const name = colon < 0 ? line : line.slice(0, colon);
      const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
      if (name === "data") this.fields.data.push(value);
      else if (name === "event") this.fields.event = value;
      else if (name === "id") this.fields.id = value;
    }
  }
}

/** An answer as far as it has come. */
export interface Live {
  answer: Answer;
  state: "waiting" | "retrieved" | "writing" | "done" | "failed";
  /** What is happening, for people who wait. */
  doing: string;
  error?: string;
}

export function begin(question: string): Live {
  return {
    state: "waiting",
    doing: "looking through the library",
    answer: { id: "", question, passages: [], text: "", segments: [], attributions: [], citations: [], model: "", created_at: "" },
  };
}

/** What an event adds. The last one, done, carries the whole as it is recorded and takes the place of what came before. */
export function advance(live: Live, kind: string, data: unknown): Live {
  const a = live.answer;
  const step = (data as { step?: number } | null)?.step ?? 0;
  switch (kind) {
    case "retrieved": {
      const { passages } = data as { passages: Passage[] | number };
      if (step) return { ...live, doing: `step ${step}: reading its passages` };
      const list = Array.isArray(passages) ? passages : [];
      return { ...live, state: "retrieved", doing: "reading what was found", answer: { ...a, passages: list } };
    }
    case "text": {
      const { text } = data as { text: string };
      if (step) return live;
      return { ...live, state: "writing", doing: "writing", answer: { ...a, text: a.text + text } };
    }
    case "segment": {
      if (step) return live;
      const part = data as { segment: Segment; attributions?: Attribution[]; citations?: Citation[] };
      const known = (c: Citation) => a.citations.some((k) => k.number === c.number && k.at.document === c.at.document && k.at.span.start === c.at.span.start && k.at.span.end === c.at.span.end);
      return {
        ...live,
        answer: {
          ...a,
          segments: [...a.segments, part.segment],
          attributions: [...a.attributions, ...(part.attributions ?? [])],
          citations: [...a.citations, ...(part.citations ?? []).filter((c) => !known(c))],
        },
      };
    }
    case "plan":
      return { ...live, doing: "taking the question apart" };
    case "step": {
      const begun = stepOf(data);
      return begun ? { ...live, doing: `step ${begun.number}: ${begun.question}`, answer: { ...a, steps: withStep(a.steps, begun) } } : live;
    }
    case "stepped": {
      const taken = stepOf(data);
      return taken ? { ...live, answer: { ...a, steps: withStep(a.steps, taken) } } : live;
    }
    case "gate":
      return { ...live, answer: { ...a, verdict: data as Verdict } };
    case "receipt":
      return { ...live, answer: { ...a, entry: (data as { entry: number }).entry } };
    case "error": {
      const { detail, title } = (data ?? {}) as { detail?: string; title?: string };
      return { ...live, state: "failed", error: detail || title || "the answer ended before its end" };
    }
    case "done":
      if (!data) return live.state === "failed" ? live : { ...live, state: "failed", error: "nothing was answered" };
      return { ...live, state: live.error ? "failed" : "done", doing: "", answer: data as Answer };
    default:
      return live;
  }
}

function stepOf(data: unknown): Step | undefined {
  const d = data as Step | { step: Step } | null;
  const inner = d && "step" in d && typeof d.step === "object" ? d.step : (d as Step | null);
  // One that has only begun has no text yet.
  return inner && typeof inner.number === "number" && typeof inner.question === "string" ? { ...inner, text: inner.text ?? "", confidence: inner.confidence ?? 0 } : undefined;
}

function withStep(steps: Step[] | undefined, step: Step): Step[] {
  return [...(steps ?? []).filter((s) => s.number !== step.number), step].sort((x, y) => x.number - y.number);
}
