// What changed between two versions, by lines and then by words within changed lines.

export interface Change {
  kind: "same" | "added" | "removed";
  text: string;
}

/** Longest common subsequence over tokens (Myers), bounded: what differs too much is given as removed and added. */
export function diff(a: string[], b: string[], most = 2000): Change[] {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  const middle = between(a.slice(start, a.length - end), b.slice(start, b.length - end), most);
  return join([
    ...a.slice(0, start).map((text): Change => ({ kind: "same", text })),
    ...middle,
    ...a.slice(a.length - end).map((text): Change => ({ kind: "same", text })),
  ]);
}

function between(a: string[], b: string[], most: number): Change[] {
  const apart = (): Change[] => [...a.map((text): Change => ({ kind: "removed", text })), ...b.map((text): Change => ({ kind: "added", text }))];
  if (!a.length || !b.length) return apart();
  const limit = Math.min(a.length + b.length, most);
  const trace: Int32Array[] = [];
  let v = new Int32Array(2 * limit + 3);
  const mid = limit + 1;
  for (let d = 0; d <= limit; d++) {
    trace.push(v.slice());
    for (let k = -d; k <= d; k += 2) {
      let x = k === -d || (k !== d && v[mid + k - 1] < v[mid + k + 1]) ? v[mid + k + 1] : v[mid + k - 1] + 1;
      let y = x - k;
      while (x < a.length && y < b.length && a[x] === b[y]) {
        x++;
        y++;
      }
      v[mid + k] = x;
      if (x >= a.length && y >= b.length) return back(trace, a, b, d, mid);
    }
    if (trace.length * v.length > 4_000_000) break; // memory is bounded, too
  }
  return apart();
}

function back(trace: Int32Array[], a: string[], b: string[], d: number, mid: number): Change[] {
  const out: Change[] = [];
  let x = a.length;
  let y = b.length;
  for (; d >= 0; d--) {
    const v = trace[d];
    const k = x - y;
    const down = k === -d || (k !== d && v[mid + k - 1] < v[mid + k + 1]);
    const from = d === 0 ? 0 : v[mid + (down ? k + 1 : k - 1)];
    const fromY = d === 0 ? 0 : from - (down ? k + 1 : k - 1);
    while (x > from && y > fromY && x > 0 && y > 0 && a[x - 1] === b[y - 1]) {
      out.push({ kind: "same", text: a[--x] });
      y--;
    }
    if (d === 0) break;
    if (down) out.push({ kind: "added", text: b[--y] });
    else out.push({ kind: "removed", text: a[--x] });
  }
  return out.reverse();
}

function join(changes: Change[]): Change[] {
  const out: Change[] = [];
  for (const c of changes) {
    const last = out.at(-1);
    if (last?.kind === c.kind) last.text += c.text;
    else out.push({ ...c });
  }
  return out;
}

const byLine = (text: string) => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
const byWord = (text: string) => text.match(/\s+|[\p{L}\p{N}]+|[^\s\p{L}\p{N}]/gu) ?? [];

/** Two texts: lines first, then words where a run of lines was exchanged for another. */
export function difference(a: string, b: string): Change[] {
  const rough = diff(byLine(a), byLine(b));
  const out: Change[] = [];
  for (let i = 0; i < rough.length; i++) {
    const [c, next] = [rough[i], rough[i + 1]];
    if (c.kind !== "same" && next && next.kind !== "same") {
      const [old, fresh] = c.kind === "removed" ? [c, next] : [next, c];
      out.push(...diff(byWord(old.text), byWord(fresh.text)));
      i++;
    } else {
      out.push(c);
    }
  }
  return join(out);
}

/** Leaves only a few lines of what is the same around what changed. */
export function near(changes: Change[], around = 2): Change[] {
  return changes.map((c, i) => {
    if (c.kind !== "same") return c;
    const all = c.text.split("\n");
    const keep = (i > 0 ? around : 0) + (i + 1 < changes.length ? around : 0) + 1;
    if (all.length <= keep + 1) return c;
    const first = i > 0 ? all.slice(0, around) : [];
    const last = i + 1 < changes.length ? all.slice(-around) : [];
    return { kind: "same", text: [...first, "⋯", ...last].join("\n") };
  });
}
