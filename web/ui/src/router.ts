import { useSyncExternalStore } from "react";
import { collection, inside } from "./collection";
import type { Me } from "./types";

// Addresses of the page. Everything that can be looked at has one:
//
//	/answers                 all answers        /answers?q=cable&source=77aa&conversation=c1  those that have the words, rest on the
//	                                            source and are of the conversation
//	/answers/4f2a            an answer          /answers/4f2a#s3     its third segment      #s3.2  the second source of it
//	/documents/9b1c#12-58    a snapshot, with the words at bytes 12 to 58 in view
//	/library/77aa            a source           /runs/r1  /audit#1204
//	/research/51c0           a dossier          /arguments/4f2a      an answer that argues a claim
//	…?in=thesis              within a collection

export interface Place {
  path: string;
  parts: string[];
  hash: string;
  /** What stands behind the question mark. */
  query: string;
  collection: string | null;
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
  return { path, parts, hash: location.hash.slice(1), query: location.search, collection: collection() };
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

/** What answers are found by. */
interface Find {
  q?: string;
  source?: string;
  conversation?: string;
}

/** The address of the answers that are found so, of the page or of the API. */
export function answersOf(find: Find, at = "/answers"): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(find)) if (value) query.set(name, value);
  return `${at}${query.toString() && `?${query}`}`;
}

/** Goes to an address, within the collection that is open. */
export function go(address: string, how: "push" | "replace" = "push"): void {
  const to = inside(address);
  const here = location.pathname + location.search + location.hash;
  if (to !== here) {
    if (how === "push") history.pushState(null, "", to);
    else history.replaceState(null, "", to);
  }
  const moved = to.split("#")[0] !== here.split("#")[0];
  changed();
  if (moved && how === "push") window.scrollTo(0, 0);
}

/** Shows the beginning of another collection. */
export function openCollection(name: string, me: Me): void {
  const to = inside("/", name === me.default_collection ? null : name);
  if (to === location.pathname + location.search) return;
  history.pushState(null, "", to);
  changed();
  window.scrollTo(0, 0);
}

/** Has a link name the collection that is open before it is used, in whatever way: in a tab of its own, or copied. */
export function prepare(e: React.SyntheticEvent): void {
  const link = (e.target as Element).closest?.("a");
  const href = link?.getAttribute("href") ?? "";
  if (link && ours(href)) link.setAttribute("href", inside(href));
}

const ours = (href: string) => href.startsWith("/") && !href.startsWith("//") && !href.startsWith("/docs") && !href.startsWith("/auth/") && !href.startsWith("/openapi.json");

/** Follows links within the page without loading it again. */
export function follow(e: React.MouseEvent): void {
  const link = (e.target as Element).closest("a");
  if (!link || e.defaultPrevented || e.button !== 0 || e.metaKey || e.ctrlKey || e.shiftKey || e.altKey) return;
  const href = link.getAttribute("href") ?? "";
  if (!ours(href) || link.target || link.hasAttribute("download")) return;
  e.preventDefault();
  go(href);
}
