import { Component, lazy, Suspense, useEffect, useRef, useState, type ReactNode } from "react";
import { key } from "./api";
import { useKeys, useLoad } from "./hooks";
import { Failed, Waiting } from "./parts/small";
import { follow, go, openCollection, prepare, usePlace } from "./router";
import { applyTheme, nextTheme, theme } from "./theme";
import type { Me, Page } from "./types";
import { Answers } from "./views/answers";
import { Ask } from "./views/ask";
import { Audit } from "./views/audit";
import { Check } from "./views/check";
import { Library } from "./views/library";
import { ArgumentView } from "./views/argument";
import { Reader } from "./views/reader";
import { Research } from "./views/research";
import { Runs } from "./views/runs";
import { Settings } from "./views/settings";
import { SourceView } from "./views/source";

const Insights = lazy(() => import("./views/insights"));

const nav: [path: string, label: string][] = [
  ["/", "Ask"],
  ["/check", "Check"],
  ["/research", "Research"],
  ["/library", "Library"],
  ["/runs", "Runs"],
  ["/audit", "Audit"],
  ["/insights", "Insights"],
];

/** Everything that is shown is of one collection: another one begins anew. */
export function App() {
  return <Frame key={usePlace().collection ?? "/"} />;
}

function Frame() {
  const place = usePlace();
  const me = useLoad<Me>("/api/v1/me");
  const [help, setHelp] = useState(false);
  const room = place.parts[0] ?? "";
  const main = useRef<HTMLElement>(null);

  useKeys({
    "/": (e) => {
      e.preventDefault();
      const field = document.getElementById("question");
      if (field) field.focus();
      else go("/");
    },
    "?": () => setHelp(true),
  });
  // A change of view is told to who cannot see it: the focus goes to its beginning.
  const first = useRef(true);
  useEffect(() => {
    if (first.current) first.current = false;
    else if (!main.current?.contains(document.activeElement)) main.current?.focus({ preventScroll: true });
  }, [place.path]);

  // Where the names of the views do not all fit, the one that is open is among those that are seen.
  const names = useRef<HTMLElement>(null);
  useEffect(() => {
    names.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [place.path]);

  const here = (path: string) =>
    path === "/" ? room === "" || room === "answers" && place.parts.length > 1 : path === "/answers" ? room === "answers" && place.parts.length === 1 : path === "/library" ? room === "library" || room === "documents" : path === "/research" ? room === "research" || room === "arguments" : `/${room}` === path;
  return (
    <div onClick={follow} onPointerDown={prepare} onFocus={prepare}>
      <a className="skip" href="#main" onClick={(e) => (e.preventDefault(), main.current?.focus())}>
        Skip to the content
      </a>
      <header className="top">
        <a className="brand" href="/">
          Ibid
        </a>
        <nav ref={names} aria-label="Main">
          {nav.map(([path, label]) => (
            <a key={path} href={path} aria-current={here(path) ? "page" : undefined}>
              {label}
            </a>
          ))}
        </nav>
        {me.data?.all_collections && <Collections me={me.data} />}
        <div className="tools">
          <a className="icon" href="/answers" aria-label="Find an answer" title="Find an answer" aria-current={here("/answers") ? "page" : undefined}>
            <Lens />
          </a>
          <a className="icon" href="/settings" aria-label="Settings" title="Settings" aria-current={here("/settings") ? "page" : undefined}>
            <Gear />
          </a>
          <ThemeButton />
          <button type="button" className="icon" aria-label="Keys and signs (?)" title="Keys and signs (?)" onClick={() => setHelp(true)}>
            ?
          </button>
        </div>
      </header>
      <main id="main" ref={main} tabIndex={-1}>
        {me.error?.status === 401 ? <SignIn refused={key.get() !== ""} again={me.again} /> : me.error ? <Failed error={me.error} again={me.again} /> : me.data ? (
          <Guard key={room === "answers" && place.parts.length > 1 ? "" : place.path.slice(1)}>
            <View parts={place.parts} me={me.data} />
          </Guard>
        ) : null}
      </main>
      <Help open={help} onClose={() => setHelp(false)} />
    </div>
  );
}

/** Where a view fails, the frame stays, and says what to do. */
class Guard extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };
  static getDerivedStateFromError() {
    return { failed: true };
  }
  override render() {
    return this.state.failed ? (
      <div className="one">
        <h1>This view failed</h1>
        <p>
          What is recorded is safe. <a href={location.pathname + location.search}>Load it again</a>, or go <a href="/">back to the beginning</a>.
        </p>
      </div>
    ) : (
      this.props.children
    );
  }
}

function View({ parts, me }: { parts: string[]; me: Me }) {
  const [room, id] = parts;
  switch (room ?? "") {
    case "":
      return <Ask id="" me={me} />;
    case "answers":
      return id ? <Ask id={id} me={me} /> : <Answers />;
    case "check":
      return <Check />;
    case "library":
      return id ? <SourceView key={id} id={id} me={me} /> : <Library me={me} />;
    case "documents":
      return <Reader key={id} id={id ?? ""} />;
    case "research":
      return <Research id={id} me={me} />;
    case "arguments":
      return <ArgumentView key={id} id={id ?? ""} />;
    case "runs":
      return <Runs id={id} me={me} />;
    case "audit":
      return <Audit />;
    case "insights":
      return (
        <Suspense fallback={<Waiting>drawing</Waiting>}>
          <Insights me={me} />
        </Suspense>
      );
    case "settings":
      return <Settings me={me} />;
    default:
      return (
        <div className="one">
          <h1>There is nothing at this address</h1>
          <p>
            <a href="/">Ask a question</a>, or see <a href="/library">what is in the library</a>.
          </p>
        </div>
      );
  }
}

/** Chooses the collection, where there are several. */
function Collections({ me }: { me: Me }) {
  const list = useLoad<Page<string>>("/api/v1/collections");
  const names = [...new Set([me.default_collection, me.collection, ...(list.data?.items ?? [])])].sort();
  if (names.length < 2) return null;
  return (
    <select className="collections" aria-label="Collection" title="Collection" value={me.collection} onChange={(e) => openCollection(e.target.value, me)}>
      {names.map((name) => (
        <option key={name} value={name}>
          {name || "no collection"}
        </option>
      ))}
    </select>
  );
}

function Lens() {
  return (
    <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" fill="none" stroke="currentColor" strokeWidth="1.3">
      <circle cx="6.8" cy="6.8" r="4.3" />
      <path d="m10 10 4 4" />
    </svg>
  );
}

function Gear() {
  return (
    <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" fill="none" stroke="currentColor" strokeWidth="1.3">
      <path d="M2 4.5h12M2 11.5h12" />
      <circle cx="6" cy="4.5" r="1.8" fill="var(--ground)" />
      <circle cx="10.5" cy="11.5" r="1.8" fill="var(--ground)" />
    </svg>
  );
}

function ThemeButton() {
  const [now, setNow] = useState(theme);
  const label = { auto: "as the system", light: "light", dark: "dark" }[now];
  return (
    <button
      type="button"
      className="icon"
      title={`Colours: ${label}`}
      aria-label={`Colours: ${label}; change`}
      onClick={() => {
        const t = nextTheme();
        applyTheme(t);
        setNow(t);
      }}
    >
      {{ auto: "◐", light: "○", dark: "●" }[now]}
    </button>
  );
}

function SignIn({ refused, again }: { refused: boolean; again: () => void }) {
  const [secret, setSecret] = useState("");
  const [provider, setProvider] = useState(false);
  useEffect(() => {
    // Where people can sign in, the address leads elsewhere; where not, it is a page like any other.
    fetch("/auth/login", { redirect: "manual" }).then(
      (res) => setProvider(res.type === "opaqueredirect"),
      () => {},
    );
  }, []);
  return (
    <form
      className="one"
      onSubmit={(e) => {
        e.preventDefault();
        key.set(secret.trim());
        again();
      }}
    >
      <h1>This server asks who you are</h1>
      {provider && (
        <p>
          <a className="button" href={`/auth/login?to=${encodeURIComponent(location.pathname + location.search + location.hash)}`}>
            Sign in
          </a>{" "}
          <span className="soft">or give a key:</span>
        </p>
      )}
      {refused && (
        <p className="failed" role="alert">
          the key is not known or was revoked
        </p>
      )}
      <label htmlFor="key">API key</label>
      <input id="key" type="password" autoComplete="off" value={secret} onChange={(e) => setSecret(e.target.value)} placeholder="ibid_…" />
      <p className="soft">It is kept until this tab is closed. Who runs the server makes one with ibid keys create.</p>
      <button type="submit" className="primary">
        Enter
      </button>
    </form>
  );
}

const keys: [string, string][] = [
  ["/", "ask a question"],
  ["j  k", "next and previous sentence"],
  ["Enter", "open its evidence and go there"],
  ["[  ]", "its sources, one after another"],
  ["o", "open the document at the words"],
  ["e", "export"],
  ["Esc", "let go"],
  ["?", "this"],
];

function Help({ open, onClose }: { open: boolean; onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (open) dialog.current?.showModal();
    else dialog.current?.close();
  }, [open]);
  return (
    <dialog ref={dialog} onClose={onClose} aria-labelledby="help-title" onClick={(e) => e.target === dialog.current && onClose()}>
      <div>
        <h2 id="help-title">Keys and signs</h2>
        <dl className="keys">
          {keys.map(([k, what]) => (
            <div key={k}>
              <dt>
                {k.split("  ").map((one) => (
                  <kbd key={one}>{one}</kbd>
                ))}
              </dt>
              <dd>{what}</dd>
            </div>
          ))}
        </dl>
        <dl className="keys">
          {(
            [
              ["source", "¹", "a source says so"],
              ["mixed", "¹ ◐", "part of it does"],
              ["model", "◇", "the model’s own"],
              ["denied", "✕ ¹", "a source says otherwise"],
            ] as const
          ).map(([kind, sign, what]) => (
            <div key={kind}>
              <dt>
                <span className={`sign ${kind}`}>{sign}</span>
              </dt>
              <dd>{what}</dd>
            </div>
          ))}
        </dl>
        <p className="soft">Attribution says where words come from, not whether they are true.</p>
        <button type="button" className="primary" onClick={onClose}>
          Close
        </button>
      </div>
    </dialog>
  );
}
