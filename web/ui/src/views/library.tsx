import { useState } from "react";
import { nameOf } from "../answer";
import { get, post, upload } from "../api";
import { asProblem, usePages, useSettled, useTitle } from "../hooks";
import { LibraryBibliography } from "../parts/bibliography";
import { Finder, Pager } from "../parts/list";
import { Drop, Failed, Waiting } from "../parts/small";
import { count, day } from "../text";
import type { Job, Me, Source } from "../types";
import { Teach } from "./ask";

const kinds: Record<string, string> = {
  "application/pdf": "PDF",
  "text/html": "HTML",
  "text/markdown": "Markdown",
  "text/plain": "text",
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "Word",
};

export const kindOf = (media = "") => kinds[media.split(";")[0]] ?? media.split(";")[0];

/** Library: what can be cited. Files and pages are taken in here. */
export function Library({ me }: { me: Me }) {
  useTitle("Library");
  const [words, setWords] = useState("");
  const asked = useSettled(words.trim());
  const list = usePages<Source>(`/api/v1/sources${asked && `?q=${encodeURIComponent(asked)}`}`, 200);
  const [job, setJob] = useState<Job>();
  const [error, setError] = useState("");
  const [address, setAddress] = useState("");
  const [round, setRound] = useState(0);

  const run = async (start: () => Promise<Job>) => {
    setError("");
    setJob({ id: "", state: "running", total: 0, done: 0, failed: 0, outcomes: [] });
    try {
      let j = await start();
      for (;;) {
        setJob(j);
        if (j.state !== "running") break;
        await new Promise((ok) => setTimeout(ok, 400));
        j = await get<Job>(`/api/v1/jobs/${j.id}`);
      }
    } catch (err) {
      setJob(undefined);
      setError(asProblem(err).message);
    }
    list.again();
    setRound((n) => n + 1);
  };
  const shown = list.data?.items;
  const mayWrite = me.scope !== "read";
  return (
    <div className="one wider">
      <h1>Library</h1>
      {mayWrite && (
        <div className="take-in">
          <Drop label="Choose files" onFiles={(files) => void run(() => upload<Job>("/api/v1/upload", files))}>
            or drop them here: PDF, Word, PowerPoint, Excel, EPUB, HTML, Markdown, text …
          </Drop>
          <form
            className="ask-row"
            onSubmit={(e) => {
              e.preventDefault();
              if (address.trim()) void run(() => post<Job>("/api/v1/ingest", { urls: [address.trim()] })).then(() => setAddress(""));
            }}
          >
            <label htmlFor="address" className="sr">
              Address of a page
            </label>
            <input id="address" inputMode="url" value={address} onChange={(e) => setAddress(e.target.value)} placeholder="https://… a page to take in" />
            <button type="submit">Take in</button>
          </form>
        </div>
      )}
      {error && (
        <p className="failed" role="alert">
          {error}
        </p>
      )}
      {job && <Progress job={job} />}
      {list.error && <Failed error={list.error} again={list.again} />}
      {shown?.length === 0 && !asked && <Teach onLoaded={list.again} me={me} />}
      {shown && (asked || shown.length > 0) && (
        <>
          <LibraryBibliography round={round} />
          {(asked || shown.length > 8) && <Finder label="Find a source" words={words} onWords={setWords} list={list} one="source" />}
          {shown.length === 0 && <p className="soft">No source has these words in its title, name or address.</p>}
          <ul className="list">
            {shown.map((s) => (
              <li key={s.id}>
                <a href={`/library/${s.id}`}>{s.title}</a>
                <span className="soft">
                  {[nameOf(s.uri) !== s.title && nameOf(s.uri), kindOf(s.newest?.media_type), s.versions > 1 && count(s.versions, "version"), day(s.added_at)].filter(Boolean).join(" · ")}
                </span>
              </li>
            ))}
          </ul>
          <Pager list={list} />
        </>
      )}
    </div>
  );
}

function Progress({ job }: { job: Job }) {
  if (job.state === "running") {
    const last = job.outcomes.at(-1)?.name;
    return (
      <Waiting>
        reading {job.total ? `${Math.min(job.done + 1, job.total)} of ${job.total}` : ""}
        {last ? `: after ${last}` : ""}
      </Waiting>
    );
  }
  const fresh = job.outcomes.filter((o) => o.new);
  const known = job.outcomes.filter((o) => !o.new && !o.error);
  return (
    <div className="outcome" role="status">
      <p>
        {[fresh.length && `${count(fresh.length, "source")} taken in`, known.length && `${known.length} known already`, job.failed && `${job.failed} left out`].filter(Boolean).join(" · ") || "nothing was taken in"}
        {job.error && ` · ${job.error}`}
      </p>
      <ul className="plain">
        {job.outcomes
          .filter((o) => o.error || o.warnings?.length || (o.new && (o.version ?? 1) > 1))
          .map((o, i) => (
            <li key={i} className={o.error ? "failed" : "soft"}>
              {o.name}: {o.error ?? o.warnings?.join("; ") ?? `version ${o.version}`}
            </li>
          ))}
      </ul>
    </div>
  );
}
