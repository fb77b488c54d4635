// What the tests in the browser stand on: the program with a data folder of its own, and Debian's Chromium.
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const here = dirname(fileURLToPath(import.meta.url));
export const root = join(here, "..", "..", "..");
const program = process.env.IBID ?? join(root, "bin", "ibid");
const browserAt = process.env.CHROMIUM ?? "/usr/bin/chromium";

/** Why the tests cannot run here; empty where they can. */
export const missing = !existsSync(program) ? `${program} is not built: make build` : !existsSync(browserAt) ? `${browserAt} is not installed: make tools` : "";

/** Screenshots for looking at. */
export const shots = process.env.SHOTS ?? join(root, "web", "ui", "shots");

/** Starts the program on a port that is free, with an empty data folder and what more its environment should have. */
export async function serve(env = {}, ...args) {
  const data = mkdtempSync(join(tmpdir(), "ibid-page-"));
  const child = spawn(program, ["--data", data, "serve", "--addr", "localhost:0", ...args], { stdio: ["ignore", "pipe", "pipe"], env: { PATH: process.env.PATH, HOME: data, TMPDIR: tmpdir(), ...env } });
  let said = "";
  const url = await new Promise((ok, fail) => {
    const look = (b) => {
      said += b;
      const found = /http:\/\/[\w.:[\]]+/.exec(said);
      if (found) ok(found[0]);
    };
    child.stdout.on("data", look);
    child.stderr.on("data", look);
    child.on("exit", (code) => fail(new Error(`the server ended with ${code}: ${said}`)));
  });
  return {
    url,
    /** Runs a verb of the program on the same data. */
    run: (...words) => execFileSync(program, ["--data", data, ...words], { encoding: "utf8", env: { PATH: process.env.PATH, HOME: data } }),
    async close() {
      child.removeAllListeners("exit");
      const ended = new Promise((ok) => child.on("exit", ok));
      child.kill("SIGTERM");
      await ended;
      rmSync(data, { recursive: true, force: true });
    },
    async post(path, body) {
      const res = await fetch(url + path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
      if (!res.ok) throw new Error(`POST ${path}: ${res.status} ${await res.text()}`);
      return res.json();
    },
    async get(path) {
      const res = await fetch(url + path);
      if (!res.ok) throw new Error(`GET ${path}: ${res.status} ${await res.text()}`);
      return res.json();
    },
  };
}

export async function open() {
  return chromium.launch({
    executablePath: browserAt,
    args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
  });
}

/** A page that notes what should never happen: script that runs from data, refused by the policy, or errors. */
export async function tab(browser, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, acceptDownloads: true, reducedMotion: "reduce", ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  const troubles = [];
  page.on("pageerror", (err) => troubles.push(`error: ${err.message}`));
  page.on("dialog", (d) => {
    troubles.push(`dialog: ${d.message()}`);
    void d.dismiss();
  });
  page.on("console", (m) => {
    if (m.type() === "error") troubles.push(`console: ${m.text()}`);
  });
  page.on("request", (r) => {
    if (!r.url().startsWith("http://localhost") && !r.url().startsWith("blob:") && !r.url().startsWith("data:")) troubles.push(`request elsewhere: ${r.url()}`);
  });
  return { page, troubles, close: () => context.close() };
}

export async function shoot(page, name) {
  mkdirSync(shots, { recursive: true });
  await page.screenshot({ path: join(shots, `${name}.png`) });
}

/** Serious findings of accessibility on what is shown, in words. */
export async function axeFindings(page) {
  await page.evaluate(readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8"));
  const { violations } = await page.evaluate(() => window.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] }));
  return violations.filter((v) => v.impact === "serious" || v.impact === "critical").map((v) => `${v.id}: ${v.nodes.map((n) => `${n.target} ${n.failureSummary?.split("\n")[1] ?? ""}`).slice(0, 3).join(" | ")}`);
}

/** A key of a scope, which is made for it. */
export const keyFor = (server, scope) => /ibid_\w+/.exec(server.run("keys", "create", "--name", scope, "--scope", scope))[0];

/** Asks the API by a key, and gives what it answers; what it refuses is thrown. */
export const caller = (server, key) => async (method, path, body) => {
  const res = await fetch(server.url + path, { method, headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" }, body: body && JSON.stringify(body) });
  if (!res.ok) throw new Error(`${method} ${path}: ${res.status} ${await res.text()}`);
  return res.json();
};

/** By how many pixels the page is wider than its window. */
export const tooWide = (page) => page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth));
