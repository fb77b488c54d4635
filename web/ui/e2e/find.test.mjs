// Who looks for an answer finds it by what it rests on and by the conversation that it is of, not only by its words.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { join } from "node:path";
import { axeFindings, missing, open, root, serve, shoot, tab, tooWide } from "./world.mjs";

let browser, server;
before(async () => {
  if (missing) return;
  [server, browser] = await Promise.all([serve({}, "--rate", "-1"), open()]);
  server.run("ingest", join(root, "examples", "library"));
  for (const [question, conversation] of [
    ["Who designed the Great Eastern?", "ships & <b>yards</b>"],
    ["When was the first transatlantic cable laid?", undefined],
    ["And how long was she?", "ships & <b>yards</b>"],
  ]) {
    await server.post("/api/v1/ask", { question, conversation });
  }
});
after(async () => {
  await browser?.close();
  await server?.close();
});

const shows = (page, n) => page.waitForFunction((n) => document.querySelectorAll(".list li").length === n, n);

test("answers are found by the source that they rest on", { skip: missing || false }, async (t) => {
  const { page, troubles, close } = await tab(browser);
  t.after(close);
  await page.goto(`${server.url}/answers`);
  await shows(page, 3);
  // By keys alone: the title's beginning, and Enter.
  const field = page.getByRole("combobox", { name: "Resting on" });
  await field.focus();
  await page.keyboard.type("The Cable of 18");
  await page.getByRole("option", { name: "The Cable of 1858", exact: true }).waitFor();
  await page.keyboard.press("Enter");
  await shows(page, 1);
  await page.getByRole("link", { name: "When was the first transatlantic cable laid?" }).waitFor();
  assert.equal(await field.inputValue(), "The Cable of 1858");
  assert.match(page.url(), /\/answers\?source=[0-9a-f]+$/);
  assert.deepEqual(await axeFindings(page), []);
  await shoot(page, "answers-source-light");

  // With words beside it, and both stand in the address.
  const words = page.getByRole("searchbox");
  await words.fill("eastern");
  await page.getByText("No answer has these words and rests on this source.").waitFor();
  await words.fill("transat");
  await shows(page, 1);
  await page.waitForURL(/q=transat&source=/);
  await page.reload();
  await shows(page, 1);
  assert.equal(await words.inputValue(), "transat");
  await page.getByRole("link", { name: "When was the first transatlantic cable laid?" }).click();
  await page.locator("h1.question").waitFor();
  assert.equal(await page.getByRole("navigation", { name: "Conversation" }).count(), 0);
  await page.goBack();
  await shows(page, 1);
  assert.equal(await words.inputValue(), "transat");
  await page.getByRole("link", { name: "Find an answer" }).click();
  await shows(page, 3);
  assert.equal(await words.inputValue(), "");

  await field.click();
  await page.getByRole("option").nth(1).waitFor();
  await field.fill("no source is called so");
  await page.getByText("no source of that name").waitFor();
  await page.keyboard.press("Escape");

  // From the source itself, and back to all.
  await page.goto(`${server.url}/library`);
  await page.getByRole("link", { name: "The Cable of 1858", exact: true }).click();
  await page.getByRole("link", { name: "answers that rest on it" }).click();
  await shows(page, 1);
  await field.click();
  await page.getByRole("option", { name: "any source" }).click();
  await shows(page, 3);
  assert.deepEqual(troubles, []);

  // What is no source is not taken for one on which nothing rests.
  await page.goto(`${server.url}/answers?source=feedbeef`);
  await page.getByText('there is no source "feedbeef"').waitFor();
  assert.equal(await page.getByText("No answer rests on this source").count(), 0);
});

test("the answers of a conversation belong together", { skip: missing || false }, async (t) => {
  const { page, troubles, close } = await tab(browser);
  t.after(close);
  const turns = page.getByRole("navigation", { name: "Conversation" });
  await page.goto(`${server.url}/answers`);
  await shows(page, 3);
  await page.getByRole("link", { name: "conversation ships & <b>yards</b>" }).first().click();
  await shows(page, 2);
  await page.getByText("Of the conversation").waitFor();
  assert.deepEqual(await axeFindings(page), []);
  await page.getByRole("link", { name: "Who designed the Great Eastern?" }).click();
  await turns.getByText("turn 1 of 2").waitFor();
  assert.deepEqual(await axeFindings(page), []);
  await shoot(page, "turns-light");
  await turns.getByRole("link", { name: "And how long was she?" }).press("Enter");
  await turns.getByText("turn 2 of 2").waitFor();
  await page.getByRole("heading", { name: "And how long was she?" }).waitFor();

  // Asked from here it goes on, and leans on what was asked before; or not, where one says so.
  await page.getByRole("textbox", { name: "Ask on" }).fill("And who owned her?");
  await page.keyboard.press("Enter");
  await turns.getByText("turn 3 of 3").waitFor();
  await turns.getByRole("link", { name: "And how long was she?" }).waitFor();
  await page.getByRole("checkbox", { name: "as a part of this conversation" }).uncheck();
  await page.getByRole("textbox", { name: "Ask something else" }).fill("Who was Cyrus Field?");
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/answers\/[0-9a-f]/);
  await page.getByRole("heading", { name: "Who was Cyrus Field?" }).waitFor();
  await page.getByText("Only what is cited").or(page.locator(".bibliography, #export")).first().waitFor();
  assert.equal(await turns.count(), 0);
  assert.equal((await server.get(`/api/v1/answers?conversation=${encodeURIComponent("ships & <b>yards</b>")}`)).items.length, 3);
  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto(`${server.url}/answers`);
  await shows(page, 5);
  assert.equal(await tooWide(page), 0);
  assert.deepEqual(troubles, []);
});
