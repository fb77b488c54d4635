import { useMemo, useState } from "react";
import { nameOf } from "../answer";
import { remove } from "../api";
import { difference, near } from "../diff";
import { useLoad, useTitle } from "../hooks";
import { Failed, Sure, Waiting } from "../parts/small";
import { answersOf, go } from "../router";
import { count, moment, safeURL } from "../text";
import type { Document, Me, Page, Source, Version } from "../types";
import { kindOf } from "./library";
import { DocumentView } from "./reader";

/** A source: its record, its versions with what changed, and its newest text with all that was ever cited. */
export function SourceView({ id, me }: { id: string; me: Me }) {
  const source = useLoad<Source>(`/api/v1/sources/${encodeURIComponent(id)}`);
  const versions = useLoad<Page<Version>>(`/api/v1/sources/${encodeURIComponent(id)}/versions`);
  const [compare, setCompare] = useState(0);
  useTitle(source.data?.title ?? "");
  if (source.error) return <Failed error={source.error} again={source.again} />;
  const s = source.data;
  if (!s) return <Waiting>opening the source</Waiting>;
  const all = versions.data?.items ?? [];
  const newest = s.newest?.document ?? all[0]?.document;
  const outside = safeURL(s.uri);
  const older = compare > 0 ? all.find((v) => v.version === compare) : undefined;
  const newer = older && all.find((v) => v.version === compare + 1);
  return (
    <div className="wide">
      <p className="back">
        <a href="/library">Library</a>
      </p>
      <h1>{s.title}</h1>
      <p className="soft">{[authors(s.reference), year(s.reference), nameOf(s.uri) !== s.title && nameOf(s.uri), kindOf(s.newest?.media_type), `added ${moment(s.added_at)}`].filter(Boolean).join(" · ")}</p>
      <div className="row">
        {outside && (
          <a href={outside} target="_blank" rel="noreferrer noopener">
            its page ↗
          </a>
        )}
        <a href={answersOf({ source: id })}>answers that rest on it</a>
        {me.scope !== "read" && (
          <Sure
            ask="take out of the library…"
            act="Take it out"
            note="answers that cite it can still open what they cite"
            onSure={() => remove(`/api/v1/sources/${encodeURIComponent(id)}`).then(() => go("/library"))}
          />
        )}
      </div>
      {all.length > 1 && (
        <section aria-labelledby="versions">
          <h2 id="versions">{count(all.length, "version")}</h2>
          <ol className="versions" reversed>
            {all.map((v) => (
              <li key={v.document}>
                <a href={`/documents/${v.document}`}>version {v.version}</a> <span className="soft">{moment(v.fetched_at)}</span>{" "}
                {v.version > 1 && (
                  <button type="button" className="link" aria-expanded={compare === v.version - 1} onClick={() => setCompare(compare === v.version - 1 ? 0 : v.version - 1)}>
                    what changed
                  </button>
                )}
              </li>
            ))}
          </ol>
          {older && newer && <Difference older={older} newer={newer} />}
        </section>
      )}
      {newest && <DocumentView id={newest} plain />}
    </div>
  );
}

function Difference({ older, newer }: { older: Version; newer: Version }) {
  const a = useLoad<Document>(`/api/v1/documents/${older.document}`);
  const b = useLoad<Document>(`/api/v1/documents/${newer.document}`);
  const changes = useMemo(() => (a.data && b.data ? near(difference(a.data.text, b.data.text)) : undefined), [a.data, b.data]);
  const error = a.error ?? b.error;
  if (error) return <Failed error={error} />;
  if (!changes) return <Waiting>comparing</Waiting>;
  return (
    <div className="difference" aria-label={`From version ${older.version} to ${newer.version}`} role="region">
      {changes.map((c, i) => (c.kind === "added" ? <ins key={i}>{c.text}</ins> : c.kind === "removed" ? <del key={i}>{c.text}</del> : <span key={i}>{c.text}</span>))}
    </div>
  );
}

function authors(r: Source["reference"]): string {
  const list = r.author as { family?: string; given?: string; literal?: string }[] | undefined;
  return Array.isArray(list) ? list.map((a) => a.literal ?? [a.given, a.family].filter(Boolean).join(" ")).join(", ") : "";
}

function year(r: Source["reference"]): string {
  const issued = r.issued as { "date-parts"?: (number | string)[][] } | undefined;
  return String(issued?.["date-parts"]?.[0]?.[0] ?? "");
}
