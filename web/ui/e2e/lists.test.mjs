// Lists that are longer than a page: everything that was asked or claimed is reached from the page, and found by its words.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { axeFindings, missing, open, serve, shoot, tab } from "./world.mjs";

let browser, server;
before(async () => {
  if (missing) return;
  [server, browser] = await Promise.all([serve({}, "--rate", "-1"), open()]);
  for (let i = 1; i <= 55; i++) {
    await server.post("/api/v1/ask", { question: `How long was the ${i % 5 ? "cable" : "Überseekabel"} of year ${1800 + i}?` });
    const run = await server.post("/api/v1/runs", {});
    await server.post(`/api/v1/runs/${run.id}/claims`, { claims: [{ text: `Cable ${i} was laid.` }] });
  }
});
after(async () => {
  await browser?.close();
  await server?.close();
});

test("every answer is found", { skip: missing || false }, async (t) => {
  const { page, troubles, close } = await tab(browser);
  t.after(close);
  const lines = page.locator(".list li");
  const shows = (n) => page.waitForFunction((n) => document.querySelectorAll(".list li").length === n, n);
  await page.goto(server.url);
  await page.getByRole("link", { name: "all answers" }).click();
  await shows(50);
  assert.match(await lines.first().innerText(), /year 1855/);
  await page.getByRole("button", { name: "older" }).click();
  await shows(5);
  assert.match(await lines.last().innerText(), /year 1801/);
  await page.getByRole("button", { name: "newer" }).click();
  await shows(50);
  const field = page.getByRole("searchbox", { name: "Find words in questions and answers" });
  await field.fill('"');
  await field.fill('"of year" UBERsee');
  await shows(11);
  await page.getByText("11 answers").waitFor();
  await field.fill("1855 library noth");
  await shows(1);
  await page.getByText("Nothing in the library answers this.").waitFor();
  await shoot(page, "answers-light");
  assert.deepEqual(await axeFindings(page), []);
  await field.fill("no such words");
  await page.getByText("No answer has these words").waitFor();
  await field.fill("year 1803");
  await shows(1);
  await lines.first().getByRole("link").click();
  await page.getByRole("heading", { name: "How long was the cable of year 1803?" }).waitFor();
  await page.goBack();
  await page.getByRole("heading", { name: "Answers", exact: true }).waitFor();
  await page.getByRole("link", { name: "Ask", exact: true }).click();
  await page.getByRole("link", { name: "Find an answer" }).press("Enter");
  await shows(50);
  assert.deepEqual(troubles, []);
});

test("runs are gone through, and say what they claim", { skip: missing || false }, async (t) => {
  const { page, troubles, close } = await tab(browser);
  t.after(close);
  await page.goto(`${server.url}/runs`);
  await page.getByRole("link", { name: "Cable 55 was laid." }).waitFor();
  await page.getByRole("button", { name: "older" }).click();
  await page.getByRole("link", { name: "Cable 1 was laid." }).click();
  await page.getByText("Cable 1 was laid.").first().waitFor();
  assert.deepEqual(troubles, []);
});

test("a question of many pages is known by its beginning", { skip: missing || false }, async (t) => {
  const { page, troubles, close } = await tab(browser);
  t.after(close);
  const question = `Read this first. ${"Then read on, and on. ".repeat(300)}What does it say?`;
  const answer = await server.post("/api/v1/ask", { question });
  await page.goto(server.url);
  assert.ok((await page.getByRole("link", { name: /^Read this first/ }).innerText()).length < 200);
  await page.goto(`${server.url}/answers/${answer.id}`);
  await page.locator("h1.question").waitFor();
  assert.doesNotMatch(await page.locator("h1").innerText(), /What does it say/);
  await page.getByRole("button", { name: "the whole question" }).press("Enter");
  assert.match(await page.locator("h1").innerText(), /What does it say\?$/);
  assert.deepEqual(await axeFindings(page), []);
  assert.deepEqual(troubles, []);
});
