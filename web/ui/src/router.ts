import { useSyncExternalStore } from "react";

// Addresses of the page. Everything that can be looked at has one:
//
//	/answers                 all answers
//	/answers/4f2a            an answer          /answers/4f2a#s3     its third segment      #s3.2  the second source of it
//	/documents/9b1c#12-58    a snapshot, with the words at bytes 12 to 58 in view
//	/library/77aa            a source           /runs/r1  /audit#1204
//	/research/51c0           a dossier          /arguments/4f2a      an answer that argues a claim

export interface Place {
  path: string;
  parts: string[];
  hash: string;
}

let current = read();
const watchers = new Set<() => void>();

function read(): Place {
  const path = location.pathname;
  const parts = path
    .split("/")
    .filter(Boolean)
    .map((p) => {
      try {
        return decodeURIComponent(p);
      } catch {
        return p;
      }
    });
  return { path, parts, hash: location.hash.slice(1) };
}

function changed() {
  current = read();
  for (const w of watchers) w();
}

window.addEventListener("popstate", changed);
window.addEventListener("hashchange", changed);

export function usePlace(): Place {
  return useSyncExternalStore(
    (w) => {
      watchers.add(w);
      return () => watchers.delete(w);
    },
    () => current,
  );
}

export function go(to: string, how: "push" | "replace" = "push"): void {
  const here = location.pathname + location.search + location.hash;
  if (to !== here) {
    if (how === "push") history.pushState(null, "", to);
    else history.replaceState(null, "", to);
  }
  const moved = to.split("#")[0] !== here.split("#")[0];
  changed();
  if (moved && how === "push") window.scrollTo(0, 0);
}

/** Follows links within the page without loading it again. */
export function follow(e: React.MouseEvent): void {
  const link = (e.target as Element).closest("a");
  if (!link || e.defaultPrevented || e.button !== 0 || e.metaKey || e.ctrlKey || e.shiftKey || e.altKey) return;
  const href = link.getAttribute("href") ?? "";
  if (!href.startsWith("/") || href.startsWith("//") || href.startsWith("/docs") || href.startsWith("/auth/") || link.target || link.hasAttribute("download")) return;
  e.preventDefault();
  go(href);
}
