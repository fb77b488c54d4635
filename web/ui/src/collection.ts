// The collection that is looked at stands in the address: /answers/4f2a?in=thesis. An address that names none speaks of the
// one that the server was started with.

/** The collection of the address that is open; null where it names none. What is in no collection has an empty name. */
export const collection = () => new URLSearchParams(globalThis.location?.search ?? "").get("in");

/** An address of the page within a collection. One that names a collection itself is left as it is. */
export function inside(to: string, name = collection()): string {
  const [, path, query = "", hash = ""] = /^([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(to) ?? [];
  if (name === null || path === undefined || new URLSearchParams(query).has("in")) return to;
  return `${path}${query ? `${query}&` : "?"}in=${encodeURIComponent(name)}${hash}`;
}

/** The name as a header may hold it: letters that it may not are written as RFC 8187 does. */
export const headerOf = (name: string) => (/^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(name) && !name.startsWith("UTF-8''") ? name : `UTF-8''${encodeURIComponent(name)}`);
