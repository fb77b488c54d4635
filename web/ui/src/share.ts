import { cited, denied, evidence, excerpt, inWords, lines, locator, look, numberOf, numbers, passage, shares, sign, strength, titleOf } from "./answer";
import { count, head, moment, percent, safeURL, tail, within } from "./text";
import type { Answer } from "./types";

const escapes: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

export const escape = (text: string) => text.replace(/[&<>"']/g, (c) => escapes[c]);

// The one thing in the file that is not escaped is what stands in this module.
const style = `
:root{color-scheme:light dark;--paper:light-dark(#fdfdfb,#171614);--ink:light-dark(#1c1917,#f0eeea);--soft:light-dark(#57534e,#a8a29e);--line:light-dark(#e2dfda,#3b3733);--source:light-dark(#0f766e,#5eead4);--model:light-dark(#6d28d9,#c4b5fd);--denied:light-dark(#b91c1c,#fca5a5)}
body{margin:2.5rem auto;max-width:68ch;padding:0 1.25rem;background:var(--paper);color:var(--ink);font:17px/1.6 Charter,"Bitstream Charter","Iowan Old Style",Palatino,Georgia,serif}
h1{font-size:1.5rem;line-height:1.25;overflow-wrap:anywhere}h2{font:600 .95rem system-ui,sans-serif;margin:2.5rem 0 .5rem}
.soft,.meta{color:var(--soft);font:.85rem/1.5 system-ui,sans-serif}a{color:inherit}p,li{overflow-wrap:anywhere}
h1,blockquote,.prose p,.prose a,.notes li>a,.meta{unicode-bidi:plaintext}.prose p{white-space:pre-wrap;margin:0 0 .4em}.prose a{text-decoration:none;border-radius:3px}
.source{background:color-mix(in srgb,var(--source) 14%,transparent)}.mixed{background:linear-gradient(90deg,color-mix(in srgb,var(--source) 14%,transparent),color-mix(in srgb,var(--model) 14%,transparent))}
.model{background:color-mix(in srgb,var(--model) 12%,transparent)}.denied{background:color-mix(in srgb,var(--denied) 12%,transparent)}
sup{unicode-bidi:isolate;font:600 .7em system-ui,sans-serif;line-height:0;margin-left:.15em}.source sup,.mixed sup{color:var(--source)}.model sup{color:var(--model)}.denied sup,.no{color:var(--denied)}
.open{text-decoration:underline dotted}.wave{text-decoration:underline wavy}
ol.notes{padding-left:1.6rem}ol.notes>li{margin-bottom:1.2rem;padding-left:.3rem}ol.notes>li:target{outline:2px solid var(--source);outline-offset:6px;border-radius:3px}
blockquote{margin:.4rem 0 0;padding-left:1rem;border-left:3px solid var(--line);white-space:pre-line;overflow-wrap:anywhere}mark{background:color-mix(in srgb,var(--source) 24%,transparent);color:inherit}
@media print{body{margin:0;font-size:11pt}}`;

/** An answer with signs, notes and sources as one file: no script, nothing from elsewhere, nothing in it that runs. */
export function asShared(a: Answer): string {
  const share = shares(a);
  const prose = lines(a)
    .map(
      (line) =>
        `<p>${line.runs
          .map((run) => {
            const s = a.segments[run.segment];
            const text = run.pieces.map((p) => (p.under ? `<span class="${p.under === "denied" ? "wave" : "open"}">${escape(p.text)}</span>` : escape(p.text))).join("");
            const kind = s && look(s);
            if (!s || kind === "none") return text;
            const signs = sign(s, numbers(a, s));
            return `<a class="${kind}" id="s${run.segment + 1}" href="#n${run.segment + 1}">${text}${signs && `<sup>${escape(signs)}</sup>`}</a>`;
          })
          .join("")}</p>`,
    )
    .join("\n");
  const notes = a.segments
    .map((s, i) => {
      const kind = look(s);
      if (kind === "none") return "";
      const cut = (at: typeof s.at) => {
        const [start, end] = within(a.text, at);
        return a.text.slice(start, end);
      };
      const denied = (s.contradicted ?? []).map((c) => `<p class="no">✕ ${escape(c.reason)}</p>`).join("");
      const places = evidence(a, s)
        .map((at) => {
          const p = passage(a, at.ref);
          if (!p) return "";
          const { before, quote, after } = excerpt(p, at);
          const n = numberOf(a, at);
          const meta = [n !== undefined ? String(n) : "", titleOf(p.source), locator(p, at), strength(at.confidence)].filter(Boolean).join(" · ");
          return `<p class="meta">${escape(meta)}</p><blockquote>${escape(tail(before, 200))}<mark>${escape(quote.map((q) => q.text).join(""))}</mark>${escape(head(after, 200))}</blockquote>`;
        })
        .join("");
      return `<li id="n${i + 1}" value="${i + 1}"><a href="#s${i + 1}">“${escape(head(cut(s.at).trim(), 160))}”</a> <span class="soft">${inWords[kind]}, ${strength(s.confidence)}</span>${denied}${places}</li>`;
    })
    .join("\n");
  const sources = cited(a)
    .map((c) => {
      const url = safeURL(c.source.uri);
      const title = escape(titleOf(c.source));
      return `<li value="${c.number}">${url ? `<a href="${escape(url)}" rel="noreferrer noopener">${title}</a>` : title}</li>`;
    })
    .join("\n");
  const question = a.question || "Where this answer comes from";
  const against = denied(a).sentences;
  const shareLine = share.sources + share.model > 0 ? `${percent(share.sources)} from sources · ${percent(1 - share.sources)} the model’s own${against ? ` · ✕ ${count(against, "sentence")} that a source denies` : ""}` : "nothing in it makes a claim";
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escape(question)}</title>
<style>${style}</style>
</head>
<body>
<h1>${escape(question)}</h1>
<div class="prose">
${prose}
</div>
<p class="soft">${shareLine}${a.created_at ? ` · ${escape(moment(a.created_at))}` : ""}</p>
<p class="soft">¹ a source says so · ¹ ◐ part of it does · ◇ the model’s own · ✕ ¹ a source says otherwise</p>
<h2>Evidence</h2>
<ol class="notes">
${notes}
</ol>
<h2>Sources</h2>
${sources ? `<ol>\n${sources}\n</ol>` : '<p class="soft">Nothing is cited.</p>'}
<p class="soft">Attribution says where words come from, not whether they are true.</p>
</body>
</html>
`;
}
