import { collection, headerOf } from "./collection";
import { EventReader, type ServerEvent } from "./stream";

// The thin client of the API: errors are problems of RFC 9457, and their detail is what people are told.

export class Problem extends Error {
  constructor(
    readonly status: number,
    detail: string,
    readonly where = "",
  ) {
    super(detail);
  }
}

const stored = "ibid-key";

/** The key lives as long as the tab. A server on this machine asks for none. */
export const key = {
  get: () => sessionStorage.getItem(stored) ?? "",
  set(value: string) {
    if (value) sessionStorage.setItem(stored, value);
    else sessionStorage.removeItem(stored);
  },
};

function headers(more: Record<string, string> = {}): Record<string, string> {
  const secret = key.get();
  const name = collection();
  return { ...more, ...(secret && { Authorization: `Bearer ${secret}` }), ...(name !== null && { "Ibid-Collection": headerOf(name) }) };
}

async function send(path: string, init: RequestInit): Promise<Response> {
  let res: Response;
  try {
    res = await fetch(path, init);
  } catch (err) {
    if (err instanceof DOMException && err.name === "AbortError") throw err;
    throw new Problem(0, "the server does not answer; is it still running?");
  }
  if (res.ok) return res;
  const body = await res.text();
  let detail = res.statusText || `status ${res.status}`;
  let where = "";
  try {
    const p = JSON.parse(body) as { detail?: string; title?: string; errors?: { message?: string; location?: string }[] };
    where = p.errors?.[0]?.location ?? "";
    detail = p.errors?.[0]?.message ?? p.detail ?? p.title ?? detail;
  } catch {
    // not a problem in JSON: the status is all that is known
  }
  throw new Problem(res.status, detail, where);
}

export async function get<T>(path: string, signal?: AbortSignal): Promise<T> {
  return (await send(path, { headers: headers({ Accept: "application/json" }), signal })).json() as Promise<T>;
}

export async function post<T>(path: string, body: unknown, signal?: AbortSignal): Promise<T> {
  const res = await send(path, { method: "POST", headers: headers({ "Content-Type": "application/json", Accept: "application/json" }), body: JSON.stringify(body), signal });
  return (res.status === 204 ? undefined : await res.json()) as T;
}

export async function remove(path: string): Promise<void> {
  await send(path, { method: "DELETE", headers: headers() });
}

export async function upload<T>(path: string, files: File[]): Promise<T> {
  const form = new FormData();
  for (const f of files) form.append("file", f, f.name);
  return (await send(path, { method: "POST", headers: headers(), body: form })).json() as Promise<T>;
}

export async function blob(path: string): Promise<Blob> {
  return (await send(path, { headers: headers() })).blob();
}

/** Fetches a file and hands it to the browser to keep. */
export async function download(path: string, name: string): Promise<void> {
  save(await blob(path), name);
}

export function save(content: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** How often a stream that was cut is taken up before it is given up, and what it waits for the first time; the waits double. The
 * server goes on with an answer for half a minute without a reader. */
const resumes = 7;
const firstWait = 200;

/** Events of a stream until its end. One that is cut is taken up where it was, also where the line is down for a while. */
export async function* events(path: string, body: unknown, signal: AbortSignal, pause = wait): AsyncGenerator<ServerEvent> {
  let res: Response | undefined = await send(path, { method: "POST", headers: headers({ "Content-Type": "application/json", Accept: "text/event-stream" }), body: JSON.stringify(body), signal });
  const stream = res.headers.get("Ibid-Stream");
  let last = "";
  for (let tries = 0; ; tries++) {
    try {
      res ??= await send(`/api/v1/streams/${encodeURIComponent(stream!)}`, { headers: headers({ Accept: "text/event-stream", ...(last && { "Last-Event-ID": last }) }), signal });
      for await (const e of read(res)) {
        last = e.id || last;
        tries = 0;
        yield e;
        if (e.event === "done") return;
      }
    } catch (err) {
      if (signal.aborted || !stream || refused(err)) throw err;
    }
    if (!stream || tries === resumes) throw new Problem(0, "the connection was lost before the answer ended; it is recorded as far as it came");
    res = undefined;
    await pause(firstWait * 2 ** tries);
  }
}

const wait = (milliseconds: number) => new Promise<void>((ok) => setTimeout(ok, milliseconds));

/** Whether the server will not give it, however often it is asked. */
const refused = (err: unknown) => err instanceof Problem && err.status >= 400 && err.status < 500 && err.status !== 429;

async function* read(res: Response): AsyncGenerator<ServerEvent> {
  if (!res.body) throw new Problem(0, "the browser cannot read streams");
  const reader = res.body.pipeThrough(new TextDecoderStream()).getReader();
  const parse = new EventReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield* parse.push(value);
  }
}

/** Whether the server has an operation: the page shows only what there is. */
let operations: Promise<Set<string>> | undefined;

export function has(method: string, path: string): Promise<boolean> {
  operations ??= get<{ paths?: Record<string, Record<string, unknown>> }>("/openapi.json").then(
    (doc) => new Set(Object.entries(doc.paths ?? {}).flatMap(([p, item]) => Object.keys(item).map((m) => `${m.toUpperCase()} ${p}`))),
    () => new Set<string>(),
  );
  return operations.then((all) => all.has(`${method} ${path}`));
}
