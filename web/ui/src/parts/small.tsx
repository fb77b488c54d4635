import { useEffect, useRef, useState, type ReactNode } from "react";
import { percent } from "../text";
import type { Problem } from "../api";

// Small things that every view uses. Messages begin in lower case and end with what to do.

export function Failed({ error, again }: { error: Problem; again?: () => void }) {
  return (
    <p className="failed" role="alert">
      {error.message}
      {again && (
        <>
          {" "}
          <button type="button" className="link" onClick={again}>
            try again
          </button>
        </>
      )}
    </p>
  );
}

export function Waiting({ children }: { children: ReactNode }) {
  return (
    <p className="waiting" role="status">
      <span className="dot" aria-hidden="true" />
      {children}
    </p>
  );
}

/** Shares of sources and model as one bar. Its words stand beside it, so it is a picture only. */
export function Bar({ sources }: { sources: number }) {
  return (
    <svg className="bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
      <defs>
        <pattern id="hatch" width="3" height="6" patternUnits="userSpaceOnUse">
          <path d="M0 6 3 0" className="bar-hatch" />
        </pattern>
      </defs>
      <rect width="100" height="6" className="bar-model" />
      <rect width="100" height="6" fill="url(#hatch)" />
      <rect width={sources * 100} height="6" className="bar-sources" />
    </svg>
  );
}

export function Meter({ share, label }: { share: number; label: string }) {
  return (
    <span className="meter">
      <svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
        <rect width="100" height="6" className="meter-ground" />
        <rect width={Math.max(0, Math.min(1, share)) * 100} height="6" className="bar-sources" />
      </svg>
      <span>
        {label} {percent(share)}
      </span>
    </span>
  );
}

/** A button that says for a moment that it has done its work. */
export function Doing({ children, done, onClick, className }: { children: ReactNode; done: string; onClick: () => Promise<void>; className?: string }) {
  const [state, setState] = useState<"" | "done" | string>("");
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const run = () =>
    void onClick().then(
      () => show("done"),
      (err: unknown) => show(err instanceof Error ? err.message : "failed"),
    );
  const show = (s: string) => {
    setState(s);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setState(""), 2500);
  };
  return (
    <>
      <button type="button" className={className} onClick={run}>
        {children}
      </button>
      <span role="status" className={state && state !== "done" ? "failed" : "soft"}>
        {state === "done" ? done : state}
      </span>
    </>
  );
}

/**
 * Something that cannot be taken back: asked for, then said again. What it leaves is told beside. The focus goes along. Where a reason is
 * asked for, nothing is done without one.
 */
export function Sure({ ask, act, note, name, reason, onSure }: { ask: string; act: string; note: string; name?: string; reason?: string; onSure: (why: string) => Promise<void> }) {
  const [sure, setSure] = useState<boolean>();
  const [why, setWhy] = useState("");
  const [error, setError] = useState("");
  if (!sure) {
    return (
      <button key="ask" type="button" className="link" autoFocus={sure === false} aria-label={name} onClick={() => setSure(true)}>
        {ask}
      </button>
    );
  }
  return (
    <>
      {reason && <input autoFocus maxLength={1000} placeholder={reason} aria-label={reason} value={why} onChange={(e) => setWhy(e.target.value)} />}
      <button type="button" className="danger" disabled={!!reason && !why.trim()} onClick={() => void onSure(why.trim()).catch((err: unknown) => setError(err instanceof Error ? err.message : "failed"))}>
        {act}
      </button>
      <button type="button" autoFocus={!reason} onClick={() => setSure(false)}>
        Keep it
      </button>
      <span className="soft">{note}</span>
      {error && (
        <span className="failed" role="alert">
          {error}
        </span>
      )}
    </>
  );
}

/** A place where files can be dropped, with a button for who cannot drop. */
export function Drop({ onFiles, children, accept, label }: { onFiles: (files: File[]) => void; children: ReactNode; accept?: string; label: string }) {
  const [over, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  return (
    <div
      className={over ? "drop over" : "drop"}
      onDragOver={(e) => {
        e.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(e) => {
        e.preventDefault();
        setOver(false);
        if (e.dataTransfer.files.length) onFiles([...e.dataTransfer.files]);
      }}
    >
      <button type="button" onClick={() => input.current?.click()}>
        {label}
      </button>
      <span className="soft">{children}</span>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        accept={accept}
        aria-label={label}
        onChange={(e) => {
          if (e.target.files?.length) onFiles([...e.target.files]);
          e.target.value = "";
        }}
      />
    </div>
  );
}

export function Table({ caption, head, rows, hidden }: { caption: string; head: string[]; rows: ReactNode[][]; hidden?: boolean }) {
  return (
    <div className="scroll" tabIndex={0} role="region" aria-label={caption}>
      <table>
        <caption className={hidden ? "sr" : undefined}>{caption}</caption>
        <thead>
          <tr>
            {head.map((h) => (
              <th key={h} scope="col">
                {h}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((r, i) => (
            <tr key={i}>
              {r.map((c, k) => (
                <td key={k}>{c}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
