import { useEffect, useMemo, useRef, useState, type ReactNode } from "react";
import { strength } from "../answer";
import { useLoad, useTitle } from "../hooks";
import { Failed, Waiting } from "../parts/small";
import { usePlace } from "../router";
import { Bytes, count, cut, head, moment } from "../text";
import type { CitedPlace, Document, Page, Source } from "../types";
import { blocks, sheets, type Block, type Sheet } from "./blocks";

/** The reader of one snapshot, at its own address: /documents/ID#start-end brings those bytes into view, #p3 its third page. */
export function Reader({ id }: { id: string }) {
  return (
    <div className="wide">
      <DocumentView id={id} />
    </div>
  );
}

type Tag = { kind: "cited"; place: number } | { kind: "target" };

export function DocumentView({ id, plain }: { id: string; plain?: boolean }) {
  const doc = useLoad<Document>(`/api/v1/documents/${encodeURIComponent(id)}`);
  const source = useLoad<Source>(doc.data ? `/api/v1/sources/${encodeURIComponent(doc.data.source)}` : "");
  const cited = useLoad<Page<CitedPlace>>(doc.data ? `/api/v1/sources/${encodeURIComponent(doc.data.source)}/citations` : "");
  const { hash } = usePlace();
  const [, from, to] = /^(\d+)-(\d+)$/.exec(hash) ?? [];
  const leaf = /^(p\d+|h\d+)$/.test(hash) ? hash : "";
  const [chosen, setChosen] = useState<number[]>([]);
  const target = useRef<HTMLElement>(null);
  useTitle(plain ? "" : (source.data?.title ?? ""));

  const places = useMemo(() => (cited.data?.items ?? []).filter((p) => p.at.document === id), [cited.data, id]);
  const laid = useMemo(() => {
    if (!doc.data) return undefined;
    const bytes = new Bytes(doc.data.text);
    const ranges: { start: number; end: number; tag: Tag }[] = places.map((p, i) => ({ start: bytes.utf16(p.at.span.start), end: bytes.utf16(p.at.span.end), tag: { kind: "cited", place: i } }));
    if (from) ranges.push({ start: bytes.utf16(+from), end: bytes.utf16(+to), tag: { kind: "target" } });
    const found = blocks(doc.data, bytes);
    return { ranges, blocks: found, sheets: sheets(found, doc.data.text.length, ranges.filter((r) => r.tag.kind === "cited")) };
  }, [doc.data, places, from, to]);

  useEffect(() => {
    if (from && laid) target.current?.scrollIntoView({ block: "center" });
    else if (leaf && laid) document.getElementById(leaf)?.scrollIntoView({ block: "start" });
  }, [from, to, leaf, laid]);

  if (doc.error) return <Failed error={doc.error} again={doc.again} />;
  if (!doc.data || !laid) return <Waiting>opening the document</Waiting>;
  const d = doc.data;
  const newest = !source.data?.newest || source.data.newest.document === d.id;
  let targetSet = false;
  const answers = new Set(places.map((p) => p.answer));
  return (
    <>
      {!plain && source.data && (
        <>
          <p className="back">
            <a href="/library">Library</a> / <a href={`/library/${d.source}`}>{source.data.title}</a>
          </p>
          <h1>{source.data.title}</h1>
        </>
      )}
      <p className="soft">
        version {d.version}
        {source.data && ` of ${source.data.versions}`} · {moment(d.fetched_at)}
        {!newest && (
          <>
            {" · "}
            <a href={`/documents/${source.data!.newest!.document}`}>the source has changed since</a>
          </>
        )}
        {" · "}
        {places.length ? `${count(new Set(places.map((p) => `${p.at.span.start}-${p.at.span.end}`)).size, "place")} cited by ${count(answers.size, "answer")}` : "nothing of it is cited yet"}
      </p>
      <Contents text={d.text} blocks={laid.blocks} sheets={laid.sheets} />
      <div className="beside">
        <div className="document">
          {laid.blocks.map((b) => {
            const pieces = cut(
              b.start,
              b.end,
              laid.ranges.filter((r) => r.start < b.end && r.end > b.start),
            );
            const body = pieces.map((p) => {
              const text = d.text.slice(p.start, p.end);
              if (!p.tags.length) return text;
              const on = p.tags.flatMap((t) => (t.kind === "cited" ? [t.place] : []));
              const aimed = p.tags.some((t) => t.kind === "target");
              const first = aimed && !targetSet;
              targetSet ||= aimed;
              return (
                <mark
                  key={p.start}
                  ref={first ? target : undefined}
                  className={[aimed && "target", on.length && "cited", on.some((i) => chosen.includes(i)) && "chosen"].filter(Boolean).join(" ")}
                >
                  {on.length ? (
                    <a
                      href={`#${places[on[0]].at.span.start}-${places[on[0]].at.span.end}`}
                      aria-label={`${text} (cited by ${count(new Set(on.map((i) => places[i].answer)).size, "answer")})`}
                      onMouseEnter={() => setChosen(on)}
                      onFocus={() => setChosen(on)}
                      onClick={() => setChosen(on)}
                    >
                      {text}
                    </a>
                  ) : (
                    text
                  )}
                </mark>
              );
            });
            return (
              <div key={b.key} className="block">
                {b.page !== undefined && <PageBreak sheet={laid.sheets.find((s) => s.page === b.page)!} last={laid.sheets.at(-1)!.page} />}
                {b.level ? <Heading block={b}>{body}</Heading> : <p>{body}</p>}
              </div>
            );
          })}
        </div>
        <aside className="evidence-column" aria-label="Cited by">
          {places.length > 0 && <CitedBy places={places} chosen={chosen} />}
        </aside>
      </div>
    </>
  );
}

/** Where a page begins, and how much of it is cited. */
function PageBreak({ sheet, last }: { sheet: Sheet; last: number }) {
  return (
    <p className="page-break" id={`p${sheet.page}`}>
      <span>
        p. {sheet.page} of {last}
        {sheet.cited > 0 && ` · ${count(sheet.cited, "place")} cited`}
      </span>
    </p>
  );
}

/** A heading of the document, one level below those of the page. */
function Heading({ block, children }: { block: Block; children: ReactNode }) {
  const level = Math.min(block.level!, 4);
  const Tag = `h${Math.min(level + 1, 4)}` as "h2" | "h3" | "h4";
  return (
    <Tag id={`h${block.start}`} className={`heading h-${level}`}>
      {children}
    </Tag>
  );
}

/** Pages and headings of a document that has several, as links into it. */
function Contents({ text, blocks, sheets }: { text: string; blocks: Block[]; sheets: Sheet[] }) {
  const headings = blocks.filter((b) => b.level);
  if (sheets.length < 2 && headings.length < 3) return null;
  return (
    <nav className="contents" aria-label="Contents of the document">
      {sheets.length > 1 && (
        <p>
          Pages{" "}
          {sheets.map((s) => (
            <a key={s.page} href={`#p${s.page}`} className={s.cited ? "has-cited" : undefined}>
              <span className="sr">page </span>
              {s.page}
              {s.cited > 0 && (
                <sup>
                  {" "}
                  {s.cited}
                  <span className="sr"> cited</span>
                </sup>
              )}
            </a>
          ))}
        </p>
      )}
      {headings.length > 2 && (
        <details>
          <summary>{count(headings.length, "heading")}</summary>
          <ul className="plain">
            {headings.map((b) => (
              <li key={b.start} className={`in-${Math.min(b.level!, 4)}`}>
                <a href={`#h${b.start}`}>{head(text.slice(b.start, b.end).replace(/^#+\s*/, ""), 90)}</a>
              </li>
            ))}
          </ul>
        </details>
      )}
    </nav>
  );
}

function CitedBy({ places, chosen }: { places: CitedPlace[]; chosen: number[] }) {
  const shown = chosen.length ? chosen.map((i) => places[i]) : places;
  const by = new Map(shown.map((p) => [`${p.answer} ${p.number}`, p]));
  return (
    <div className="evidence source">
      <p className="verdict">{chosen.length ? "Cited here by" : "Cited by"}</p>
      <ul className="plain cited-by">
        {[...by.values()].map((p) => (
          <li key={`${p.answer} ${p.number}`}>
            <a href={`/answers/${p.answer}`}>{p.question}</a>{" "}
            <span className="soft">
              as {p.number} · {strength(p.confidence)} · {moment(p.created_at)}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
