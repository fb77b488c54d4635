import { useEffect, useState, type Ref } from "react";
import { evidence, excerpt, inWords, locator, look, nameOf, numberOf, passage, strength, titleOf, trust, type Linked } from "../answer";
import { post } from "../api";
import { asProblem, useHas, useLoad, useMedia } from "../hooks";
import { day, head, safeURL, tail, within } from "../text";
import type { Attribution, Document, Feedback, Passage, Segment, Source, Span, Thumb } from "../types";

/** What one segment rests on: the words in their context, why, and what people say of it. */
export function Evidence({
  answer,
  index,
  at,
  step,
  pinned,
  record,
  thumbs,
  onThumb,
  onClose,
  box,
}: {
  answer: Linked;
  index: number;
  at: number;
  step: (by: number) => void;
  pinned: boolean;
  /** Id of the recorded answer; empty where it is not recorded and its sources are not in the library. */
  record: string;
  thumbs: Feedback[];
  onThumb: (f: Feedback) => void;
  onClose: () => void;
  box?: Ref<HTMLDivElement>;
}) {
  const s = answer.segments[index];
  const kind = look(s);
  const links = evidence(answer, s);
  const link = links[Math.min(at, links.length - 1)];
  const from = link && passage(answer, link.ref);
  const [start, end] = within(answer.text, s.at);
  return (
    <div className={`evidence ${kind}`} ref={box}>
      <div className="evidence-top">
        <p className="verdict">
          <Sign kind={kind} /> {capital(inWords[kind])}
          <span className="soft">
            {" · "}
            <Number value={s.confidence} />
          </span>
        </p>
        {pinned && (
          <button type="button" className="icon" onClick={onClose} aria-label="Let go of this evidence (Escape)" title="Let go (Esc)">
            ✕
          </button>
        )}
      </div>
      <p className="of">“{head(answer.text.slice(start, end).trim(), 140)}”</p>
      <Why answer={answer} s={s} />
      {link && from ? (
        <Place answer={answer} link={link} from={from} count={links.length} at={Math.min(at, links.length - 1)} step={step} record={record} segment={index + 1} thumbs={thumbs} onThumb={onThumb} />
      ) : (
        <p className="soft">{kind === "model" ? "No source that was read says this." : "No place in a source is linked to it."}</p>
      )}
    </div>
  );
}

function capital(text: string) {
  return text[0].toUpperCase() + text.slice(1);
}

export function Sign({ kind }: { kind: string }) {
  return (
    <span className={`sign ${kind}`} aria-hidden="true">
      {{ source: "¹", mixed: "◐", model: "◇", denied: "✕" }[kind] ?? ""}
    </span>
  );
}

/** Strength is said in words; the number is there for who asks for it. */
function Number({ value }: { value: number }) {
  const [open, setOpen] = useState(false);
  return (
    <button type="button" className="link number" aria-expanded={open} title="calibrated: of those with 0.80, about 80 in 100 hold" onClick={() => setOpen(!open)}>
      {strength(value)}
      {open && ` ${value.toFixed(2)}`}
    </button>
  );
}

function Why({ answer, s }: { answer: Linked; s: Segment }) {
  const cut = (at: Segment["at"]) => {
    const [start, end] = within(answer.text, at);
    return answer.text.slice(start, end);
  };
  const denied = (u: Span) => s.contradicted?.some((c) => c.of.start < u.end && u.start < c.of.end);
  const open = s.origin === "LLM" ? [] : (s.unsupported ?? []).filter((u) => !denied(u));
  return (
    <ul className="why">
      {(s.contradicted ?? []).map((c, i) => (
        <li key={`c${i}`} className="denied-text">
          <span aria-hidden="true">✕ </span>
          {c.reason}
        </li>
      ))}
      {open.length > 0 && (
        <li>
          <span aria-hidden="true">◐ </span>
          without support: {open.map((u, i) => [i > 0 && ", ", <q key={i}>{cut(u)}</q>])}
        </li>
      )}
      {disputed(s) && <li>{claimed(s)}</li>}
      {!!s.steps?.length && <li className="soft">taken from step {s.steps.join(" and ")}</li>}
    </ul>
  );
}

/** Whether the answer's own markers say something else than what was found: what people look for most. */
function disputed(s: Segment): boolean {
  return !!s.claimed && ((!!s.claimed.origin && s.claimed.origin !== s.origin) || !!s.claimed.dangling?.length);
}

function claimed(s: Segment): string {
  const c = s.claimed!;
  const parts: string[] = [];
  if (c.origin) parts.push({ RAG: "from a source", LLM: "its own", HYBRID: "both", NONE: "no claim" }[c.origin]);
  if (c.refs?.length) parts.push(`passage ${c.refs.join(", ")}`);
  if (c.dangling?.length) parts.push(`passage ${c.dangling.join(", ")}, which does not exist`);
  return `the answer itself says: ${parts.join("; ") || "nothing"}`;
}

function Place({
  answer,
  link,
  from,
  count,
  at,
  step,
  record,
  segment,
  thumbs,
  onThumb,
}: {
  answer: Linked;
  link: Attribution;
  from: Passage;
  count: number;
  at: number;
  step: (by: number) => void;
  record: string;
  segment: number;
  thumbs: Feedback[];
  onThumb: (f: Feedback) => void;
}) {
  const s = answer.segments[segment - 1];
  const title = titleOf(from.source);
  const name = nameOf(from.source.uri);
  const where = locator(from, link);
  const n = numberOf(answer, link);
  const { before, quote, after } = excerpt(from, link, s.contradicted);
  const outside = safeURL(from.source.uri);
  const around = useMedia("(max-width: 60rem)") ? 90 : 170;
  // What is said above is not said again.
  const reasons = (s.reasons ?? []).filter((r) => !r.startsWith("no support for:") && !s.contradicted?.some((c) => c.reason === r));
  // Where all of it stands there word for word, marking words in it would say nothing.
  const verbatim = link.trust === "quote";
  return (
    <section className="place" aria-label={`Source ${at + 1} of ${count}`}>
      <h3>
        {n !== undefined && <span className="n">{n}</span>}
        <span className="title">{title}</span>
      </h3>
      <p className="soft meta">
        {[name !== title && name, where, `${strength(link.confidence)} link`].filter(Boolean).join(" · ")}
      </p>
      <blockquote>
        {tail(before, around)}
        <mark>
          {quote.map((q, i) =>
            q.denies ? (
              <b key={i} className="denies">
                {q.text}
              </b>
            ) : q.word && !verbatim ? (
              <b key={i}>{q.text}</b>
            ) : (
              q.text
            ),
          )}
        </mark>
        {head(after, around)}
      </blockquote>
      <p className="soft meta">
        {trust(link.trust)}
        {record && <VersionLine document={link.to.document} source={from.source.id} />}
      </p>
      {reasons.length > 0 && <p className="soft meta">why: {reasons.join(" · ")}</p>}
      <div className="row">
        {count > 1 && (
          <span className="stepper">
            <button type="button" className="icon" onClick={() => step(-1)} disabled={at === 0} aria-label="Previous source ([)">
              ‹
            </button>
            <span aria-live="polite">
              {at + 1} of {count}
            </span>
            <button type="button" className="icon" onClick={() => step(1)} disabled={at === count - 1} aria-label="Next source (])">
              ›
            </button>
          </span>
        )}
        {record && (
          <a className="open-document" href={`/documents/${link.to.document}#${link.to.span.start}-${link.to.span.end}`}>
            open document
          </a>
        )}
        {outside && (
          <a href={outside} target="_blank" rel="noreferrer noopener">
            its page ↗
          </a>
        )}
        {record && <Thumbs record={record} segment={segment} source={from.source.id} thumbs={thumbs} onThumb={onThumb} />}
      </div>
    </section>
  );
}

function VersionLine({ document: id, source }: { document: string; source: string }) {
  const doc = useLoad<Document>(`/api/v1/documents/${encodeURIComponent(id)}?start=0&end=0`);
  const src = useLoad<Source>(`/api/v1/sources/${encodeURIComponent(source)}`);
  if (!doc.data) return null;
  const of = src.data ? ` of ${src.data.versions}` : "";
  const newer = src.data?.newest && src.data.newest.document !== id;
  return (
    <>
      {" · "}version {doc.data.version}
      {of}, {day(doc.data.fetched_at)}
      {newer && " (the source has changed since)"}
    </>
  );
}

function Thumbs({ record, segment, source, thumbs, onThumb }: { record: string; segment: number; source: string; thumbs: Feedback[]; onThumb: (f: Feedback) => void }) {
  const there = useHas("POST", "/api/v1/answers/{id}/feedback");
  const [error, setError] = useState("");
  useEffect(() => setError(""), [segment, source]);
  if (!there) return null;
  const given = thumbs.findLast((f) => f.segment === segment && f.source === source)?.verdict;
  const say = (verdict: Thumb) =>
    void post<Feedback>(`/api/v1/answers/${encodeURIComponent(record)}/feedback`, { segment, source, verdict }).then(
      (f) => {
        setError("");
        onThumb(f);
      },
      (err: unknown) => setError(asProblem(err).message),
    );
  return (
    <span className="thumbs" role="group" aria-label="Is this link right?">
      <button type="button" className="icon" aria-pressed={given === "right"} aria-label="The source says so" title="The source says so" onClick={() => say("right")}>
        <Thumb />
      </button>
      <button type="button" className="icon down" aria-pressed={given === "wrong"} aria-label="The source does not say so" title="The source does not say so" onClick={() => say("wrong")}>
        <Thumb />
      </button>
      <span role="status" className={error ? "failed" : "sr"}>
        {error || (given && "noted")}
      </span>
    </span>
  );
}

function Thumb() {
  return (
    <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path d="M1.5 7.5H4v6H1.5zM5.5 7.5 8 2.2c1.2 0 1.7.8 1.5 2l-.4 2.3h3.7c.9 0 1.4.7 1.2 1.5l-1.1 4.3c-.2.8-.7 1.2-1.5 1.2H5.5z" fill="none" stroke="currentColor" strokeWidth="1.2" strokeLinejoin="round" />
    </svg>
  );
}
