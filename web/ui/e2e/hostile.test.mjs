// Hostile strings as document text, title, address, file name, answer and tool result: none runs, none breaks the page.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { model } from "./model.mjs";
import { missing, open, root, serve, tab } from "./world.mjs";

const strings = readFileSync(join(root, "web", "testdata", "hostile.txt"), "utf8").split("\n").filter(Boolean);

let browser, server, scripted;
before(async () => {
  if (missing) return;
  scripted = await model({ pause: 0, says: () => strings.map((s) => `The cable of 1858 said ${s} to the ships.`).join("\n\n") });
  [server, browser] = await Promise.all([serve(scripted.env, "--judge", "off"), open()]);
});
after(async () => {
  await browser?.close();
  await server?.close();
  await scripted?.close();
});

/** A tab in which everything that a string could do leaves a trace. */
async function trapped(t) {
  const world = await tab(browser);
  t.after(world.close);
  await world.page.addInitScript(() => {
    window.ran = [];
    for (const name of ["alert", "confirm", "prompt", "pwn"]) window[name] = () => window.ran.push(name);
  });
  const check = async (where) => {
    const found = await world.page.evaluate(() => ({
      ran: window.ran,
      polluted: {}.polluted,
      // Elements that only a string could have made, or attributes that only a string could have set.
      made: [...document.querySelectorAll("script:not([src^='/assets/']), iframe, object, embed, base, meta[http-equiv], form[action], marquee, math, img, video, audio, style, plaintext, xmp, svg script, foreignObject")].map((e) => e.outerHTML.slice(0, 120)),
      handlers: [...document.querySelectorAll("*")].flatMap((e) => [...e.attributes].filter((a) => a.name.startsWith("on") || a.name === "srcdoc" || (["href", "src", "action", "formaction", "xlink:href"].includes(a.name) && /^\s*(javascript|data|vbscript|blob|feed):/i.test(a.value))).map((a) => `${e.tagName} ${a.name}=${a.value}`)),
      framed: !!document.querySelector(".top") && !!document.querySelector("main h1"),
    }));
    assert.deepEqual(found, { ran: [], polluted: undefined, made: [], handlers: [], framed: true }, where);
    assert.deepEqual(world.troubles, [], where);
  };
  return { ...world, check };
}

test(`${strings.length} hostile strings`, { skip: missing || false }, async (t) => {
  assert.ok(strings.length >= 200);
  const { page, check } = await trapped(t);

  await t.test("as text, title, name and address of documents", async () => {
    const texts = strings.map((s, i) => ({ name: `${i} ${s}`.slice(0, 280), title: s, ...(i % 2 && { url: `https://example.org/${i}?q=${s}` }), text: `The cable of 1858 said ${s} to the ships.\n\n${s}` }));
    const job = await server.post("/api/v1/ingest?wait=60", { texts });
    assert.equal(job.failed, 0, JSON.stringify(job.outcomes.filter((o) => o.error).slice(0, 3)));
    await page.goto(`${server.url}/library`);
    await page.locator(".list li").nth(150).waitFor();
    await check("library");
    const list = (await server.get("/api/v1/sources?limit=200")).items;
    const shown = await page.locator(".list a").allTextContents();
    assert.deepEqual(shown, list.map((s) => s.title), "titles are shown to the letter");
    for (const s of list.filter((_, i) => i % 8 === 0)) {
      await page.evaluate((to) => (history.pushState(null, "", to), dispatchEvent(new PopStateEvent("popstate"))), `/library/${s.id}`);
      await page.locator(".document .block").first().waitFor();
      await check(`source ${s.title}`);
    }
  });

  await t.test("as names of files that are dropped", async () => {
    await page.goto(`${server.url}/library`);
    await page.locator(".drop").waitFor();
    const names = strings.filter((s) => s.length < 200).slice(0, 120);
    await page.locator('input[type="file"]').setInputFiles(names.map((name, i) => ({ name, mimeType: "text/plain", buffer: Buffer.from(`File ${i} says ${name}.`) })));
    await page.locator(".outcome").waitFor({ timeout: 30_000 });
    await check("uploads");
  });

  await t.test("as an answer that streams in, and as its evidence", async () => {
    await page.goto(server.url);
    await page.getByLabel("Your question").fill(`${strings[0]} What did the cable of 1858 say to the ships?`);
    await page.keyboard.press("Enter");
    await page.locator(".bibliography").waitFor({ timeout: 45_000 });
    const told = await page.locator(".prose p").allTextContents();
    const { text } = await server.get(`/api/v1/answers/${page.url().split("/").pop()}`);
    assert.equal(told.filter((p) => p.includes("The cable of 1858 said")).length, strings.length);
    assert.ok(text.includes(strings[0]), "the answer keeps the string to the letter");
    await check("answer");
    for (let i = 0; i < 60; i++) {
      await page.keyboard.press("j");
      if (i % 6 === 0) await check(`segment ${i}`);
    }
  });

  await t.test("as an answer and sources in Check, and in the file that is shared", async () => {
    await page.goto(`${server.url}/check`);
    const some = strings.filter((_, i) => i % 5 === 0);
    await page.getByLabel("Answer", { exact: true }).fill(strings.filter((_, i) => i % 3 === 0).map((s) => `It said ${s} in 1858.`).join("\n\n"));
    for (const [i, s] of some.slice(0, 12).entries()) {
      if (i > 0) await page.getByRole("button", { name: "Another source" }).click();
      await page.getByLabel(`Title of source ${i + 1}`, { exact: true }).fill(s);
      await page.getByLabel(`Text of source ${i + 1}`, { exact: true }).fill(`It said ${s} in 1858, and ${strings[i * 3]} after.`);
    }
    await page.getByRole("button", { name: "Check", exact: true }).click();
    await page.locator(".found").waitFor({ timeout: 30_000 });
    await check("check");
    for (let i = 0; i < 20; i++) await page.keyboard.press("j");
    await check("check evidence");
    const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "One page to share" }).click()]);
    const html = readFileSync(await file.path(), "utf8");
    const shared = await trapped(t);
    await shared.page.route("**/*", (r) => (r.request().url() === `${server.url}/shared` ? r.fulfill({ body: html, contentType: "text/html; charset=utf-8" }) : r.continue()));
    await shared.page.goto(`${server.url}/shared`);
    const found = await shared.page.evaluate(() => ({ ran: window.ran, made: document.querySelectorAll("script, iframe, object, embed, img, svg, form, base").length, notes: document.querySelectorAll("ol.notes > li").length }));
    assert.deepEqual({ ran: found.ran, made: found.made }, { ran: [], made: 0 });
    assert.ok(found.notes > 20);
    assert.deepEqual(shared.troubles, []);
  });

  await t.test("as what a tool returned to an agent", async () => {
    const run = await server.post("/api/v1/runs", {});
    await server.post(`/api/v1/runs/${run.id}/claims`, {
      agent: strings[30],
      sources: strings.slice(0, 150).map((s, i) => ({ identifier: `${i} ${s}`.slice(0, 900), category: "http", tool: s.slice(0, 190), endpoint: s, content: s })),
      claims: strings.slice(0, 150).map((s, i) => ({ text: `Claim: ${s}`, source: i % 3 ? `${i} ${s}`.slice(0, 900) : "" })),
    });
    await server.post(`/api/v1/runs/${run.id}/finish`, {});
    await page.goto(`${server.url}/runs/${run.id}`);
    await page.locator(".claims li").nth(100).waitFor();
    await check("run");
    await page.goto(`${server.url}/audit`);
    await page.locator(".entry-list summary").first().click();
    await check("audit");
    await page.goto(`${server.url}/insights`);
    await page.locator("h1").waitFor();
    await check("insights");
  });

  await t.test("as the topic of a dossier, and as a claim that is argued", async () => {
    let study = await server.post("/api/v1/studies", { topic: `${strings[3]} the cable of 1858 ${strings[40]}`, depth: "shallow" });
    while (study.working) study = await server.get(`/api/v1/studies/${study.id}`);
    await page.goto(`${server.url}/research/${study.id}`);
    await page.locator("h2").first().waitFor();
    for (const s of await page.locator(".claims summary").all()) await s.click();
    await check("dossier");
    const argued = await server.post("/api/v1/argue", { claim: `The cable of 1858 said ${strings[5]} to the ships.` });
    await page.goto(`${server.url}/arguments/${argued.id}`);
    await page.locator("h1").waitFor();
    await check("argument");
    await page.goto(`${server.url}/research`);
    await page.locator(".list li").first().waitFor();
    await check("research");
  });

  await t.test("as the page's own address", async () => {
    for (const s of strings.filter((_, i) => i % 12 === 0)) {
      await page.goto(`${server.url}/answers/${encodeURIComponent(s).replaceAll(".", "%2E")}#${encodeURIComponent(s)}`).catch(() => {});
      const ran = await page.evaluate(() => window.ran ?? []);
      assert.deepEqual(ran, [], s);
    }
  });
});
