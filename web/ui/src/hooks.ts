import { useCallback, useEffect, useRef, useState } from "react";
import { get, has, Problem } from "./api";
import type { Page } from "./types";

export interface Loaded<T> {
  data?: T;
  error?: Problem;
  loading: boolean;
  again: () => void;
}

/** Loads a value of the API, and again when its address changes. An empty address loads nothing. */
export function useLoad<T>(path: string): Loaded<T> {
  const [state, setState] = useState<{ path: string; data?: T; error?: Problem }>({ path: "" });
  const [round, setRound] = useState(0);
  useEffect(() => {
    if (!path) return;
    const stop = new AbortController();
    get<T>(path, stop.signal).then(
      (data) => setState({ path, data }),
      (error: unknown) => !stop.signal.aborted && setState({ path, error: asProblem(error) }),
    );
    return () => stop.abort();
  }, [path, round]);
  const again = useCallback(() => setRound((n) => n + 1), []);
  const here = state.path === path;
  return { data: here ? state.data : undefined, error: here ? state.error : undefined, loading: !!path && !here, again };
}

export interface Paged<T> {
  /** What is shown: the last page that came. */
  data?: Page<T>;
  error?: Problem;
  again: () => void;
  /** Leads to the page before, and to the next, where there is one. */
  back?: () => void;
  more?: () => void;
}

/** A list of the API, page by page. Another address begins at its first page; what was shown stays until the next has come. */
export function usePages<T>(path: string, limit = 50): Paged<T> {
  const [at, setAt] = useState({ path, cursors: [""] });
  const cursors = at.path === path ? at.cursors : [""];
  const cursor = cursors.at(-1)!;
  const load = useLoad<Page<T>>(path && `${path}${path.includes("?") ? "&" : "?"}limit=${limit}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
  const shown = useRef<Page<T>>(undefined);
  if (load.data) shown.current = load.data;
  const next = shown.current?.next;
  return {
    data: shown.current,
    error: load.error,
    again: load.again,
    back: cursors.length > 1 ? () => setAt({ path, cursors: cursors.slice(0, -1) }) : undefined,
    more: next ? () => setAt({ path, cursors: [...cursors, next] }) : undefined,
  };
}

/** A value that has not changed for a moment: what is typed is not asked for letter by letter. */
export function useSettled<T>(value: T, milliseconds = 200): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), milliseconds);
    return () => clearTimeout(timer);
  }, [value, milliseconds]);
  return settled;
}

export function asProblem(err: unknown): Problem {
  return err instanceof Problem ? err : new Problem(0, err instanceof Error ? err.message : String(err));
}

/** Whether the server has an operation; undefined until it is known. */
export function useHas(method: string, path: string): boolean | undefined {
  const [there, setThere] = useState<boolean>();
  useEffect(() => {
    let on = true;
    void has(method, path).then((yes) => on && setThere(yes));
    return () => {
      on = false;
    };
  }, [method, path]);
  return there;
}

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title ? `${title} – Ibid` : "Ibid";
  }, [title]);
}

/** Calls back on a key that is pressed outside of fields. */
export function useKeys(keys: Record<string, (e: KeyboardEvent) => void>): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const press = (e: KeyboardEvent) => {
      const on = e.target as HTMLElement;
      if (e.defaultPrevented || e.metaKey || e.ctrlKey || e.altKey || on.matches("input, textarea, select, [contenteditable]")) return;
      if (document.querySelector("dialog[open]")) return;
      const action = latest.current[e.key];
      if (action) action(e);
    };
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, []);
}

/** Whether a media query holds. */
export function useMedia(query: string): boolean {
  const [holds, setHolds] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const list = matchMedia(query);
    const look = () => setHolds(list.matches);
    look();
    list.addEventListener("change", look);
    return () => list.removeEventListener("change", look);
  }, [query]);
  return holds;
}
