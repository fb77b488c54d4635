import { useCallback, useEffect, useRef, useState, type ReactNode } from "react";
import { denied, evidence, look, passage, shares, type Linked } from "../answer";
import { useHas, useKeys, useLoad, useMedia } from "../hooks";
import { go, usePlace } from "../router";
import { count, percent } from "../text";
import type { Answer, Feedback, Page } from "../types";
import { Evidence } from "./evidence";
import { Prose } from "./prose";
import { Bar } from "./small";
import { Wire } from "./wire";

/**
 * An answer beside its evidence. Pointing previews, clicking pins, Escape lets go; the address names what is pinned
 * (#s3, #s3.2), so that it can be sent to someone.
 */
export function AnswerView({ answer, writing, recorded, children }: { answer: Answer; writing?: boolean; recorded: boolean; children?: ReactNode }) {
  const { hash } = usePlace();
  const [, pinnedNumber, sourceNumber] = /^s(\d+)(?:\.(\d+))?$/.exec(hash) ?? [];
  const pinned = pinnedNumber && +pinnedNumber <= answer.segments.length ? +pinnedNumber - 1 : -1;
  const [pointed, setPointed] = useState(-1);
  const [source, setSource] = useState(0);
  const narrow = useMedia("(max-width: 60rem)");
  const box = useRef<HTMLDivElement>(null);
  const record = recorded ? answer.id : "";
  const canThumb = useHas("GET", "/api/v1/feedback");
  const given = useLoad<Page<Feedback>>(record && canThumb ? `/api/v1/feedback?answer=${encodeURIComponent(record)}` : "");
  const [thumbs, setThumbs] = useState<Feedback[]>([]);
  const wanted = pinned >= 0 ? pinned : pointed;
  const active = wanted >= 0 && wanted < answer.segments.length && look(answer.segments[wanted]) !== "none" ? wanted : -1;

  useEffect(() => setSource(sourceNumber ? +sourceNumber - 1 : 0), [pinned, sourceNumber]);
  useEffect(() => setPointed(-1), [answer.id]);

  const pin = useCallback((i: number, at = 0) => {
    const to = location.pathname + (i < 0 ? "" : `#s${i + 1}${at ? `.${at + 1}` : ""}`);
    go(to, "replace");
    if (i >= 0) setPointed(i);
  }, []);
  const point = useCallback((i: number) => setPointed(i), []);
  const letGo = useCallback(() => {
    const was = pinned >= 0 ? pinned : pointed;
    pin(-1);
    setPointed(-1);
    document.getElementById(`s${was + 1}`)?.focus();
    setPointed(-1);
  }, [pin, pinned, pointed]);
  const links = active >= 0 ? evidence(answer, answer.segments[active]) : [];
  const step = (by: number) => {
    const to = Math.max(0, Math.min(links.length - 1, source + by));
    setSource(to);
    if (pinned >= 0) pin(pinned, to);
  };

  // A deep link is brought into view once the segment it names is there.
  const shown = useRef("");
  useEffect(() => {
    if (pinned < 0 || shown.current === `${answer.id}#${pinned}`) return;
    shown.current = `${answer.id}#${pinned}`;
    // On a phone the evidence covers what is below.
    document.getElementById(`s${pinned + 1}`)?.scrollIntoView({ block: narrow ? "start" : "nearest" });
  }, [pinned, narrow, answer.id, answer.segments.length]);

  const move = (by: number) => {
    const claims = answer.segments.map((s, i) => (look(s) === "none" ? -1 : i)).filter((i) => i >= 0);
    if (!claims.length) return;
    const at = claims.indexOf(active);
    const next = at < 0 ? (by > 0 ? 0 : claims.length - 1) : Math.max(0, Math.min(claims.length - 1, at + by));
    if (pinned >= 0) pin(claims[next]);
    const el = document.getElementById(`s${claims[next] + 1}`);
    el?.focus();
    el?.scrollIntoView({ block: "nearest" });
    setPointed(claims[next]);
  };
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    "[": () => step(-1),
    "]": () => step(1),
    o: () => {
      const link = links[Math.min(source, links.length - 1)];
      if (record && link && passage(answer, link.ref)) go(`/documents/${link.to.document}#${link.to.span.start}-${link.to.span.end}`);
    },
    e: (e) => {
      e.preventDefault();
      const to = document.getElementById("export");
      to?.scrollIntoView({ block: "center" });
      to?.querySelector("button")?.focus();
    },
    Enter: (e) => {
      const on = (e.target as Element).closest("a.seg");
      if (!on && active < 0) return;
      if (!on && (e.target as Element).matches("a, button")) return;
      e.preventDefault();
      const i = on ? +on.id.slice(1) - 1 : active;
      pin(i);
      requestAnimationFrame(() => box.current?.querySelector<HTMLElement>("a, button:not(.number)")?.focus({ preventScroll: !narrow }));
    },
    Escape: letGo,
  });

  const panel = active >= 0 && (
    <Evidence
      key={active}
      answer={answer}
      index={active}
      at={source}
      step={step}
      pinned={pinned >= 0}
      record={record}
      thumbs={[...(given.data?.items ?? []), ...thumbs]}
      onThumb={(f) => setThumbs((all) => [...all, f])}
      onClose={letGo}
      box={box}
    />
  );
  return (
    <div className="beside">
      <article className="answer" aria-busy={writing}>
        <Prose answer={answer} active={active} pinned={pinned} prefix="s" onPoint={point} onPin={pin} writing={writing} />
        <Foot answer={answer} writing={writing} />
        {children}
      </article>
      {narrow ? (
        pinned >= 0 && panel && (
          <aside className="sheet" aria-label="Evidence">
            {panel}
          </aside>
        )
      ) : (
        <aside className="evidence-column" aria-label="Evidence" onMouseEnter={() => active >= 0 && setPointed(active)}>
          {panel || (answer.segments.length > 0 && !writing && <Legend />)}
        </aside>
      )}
      {!narrow && active >= 0 && <Wire from={`s${active + 1}`} to={box} kind={look(answer.segments[active])} watch={[active, source, answer.text.length]} />}
    </div>
  );
}

function Foot({ answer, writing }: { answer: Linked & Partial<Answer>; writing?: boolean }) {
  const share = shares(answer);
  const claims = share.sources + share.model > 0;
  const against = denied(answer);
  if (!claims && !answer.incomplete) return null;
  return (
    <div className="foot">
      {claims && (
        <>
          <Bar sources={share.sources} />
          <p className="soft">
            {percent(share.sources)} from sources · {percent(1 - share.sources)} the model’s own
            {against.sentences > 0 && (
              <>
                {" · "}
                <a className="denied-text" href={`${location.pathname}#s${against.first + 1}`}>
                  ✕ {count(against.sentences, "sentence")} that a source denies
                </a>
              </>
            )}
            {answer.passages.length > 0 && ` · ${count(answer.passages.length, "passage")} read`}
            {!writing && answer.model === "extractive" && " · no language model: sentences taken from your documents"}
            {!writing && answer.model && answer.model !== "extractive" && ` · written by ${answer.model}`}
          </p>
        </>
      )}
      {answer.incomplete && <p className="failed">Incomplete: {answer.incomplete}</p>}
    </div>
  );
}

/** What the signs mean, where evidence will stand. */
function Legend() {
  const [first] = useState(() => !matchMedia("(pointer: coarse)").matches);
  return (
    <div className="legend">
      <p className="soft">{first ? "Point at a sentence to see what it rests on; click to keep it." : "Touch a sentence to see what it rests on."}</p>
      <ul>
        <li>
          <span className="sign source">¹</span> a source says so
        </li>
        <li>
          <span className="sign mixed">¹ ◐</span> part of it does; the words without support are dotted
        </li>
        <li>
          <span className="sign model">◇</span> the model’s own
        </li>
        <li>
          <span className="sign denied">✕ ¹</span> a source says otherwise
        </li>
      </ul>
      <p className="soft">
        Deeper tint: stronger. Keys: <kbd>j</kbd> <kbd>k</kbd> <kbd>Enter</kbd>, all of them with <kbd>?</kbd>
      </p>
    </div>
  );
}

