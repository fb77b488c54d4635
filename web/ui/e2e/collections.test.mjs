// Collections: who may see all of them chooses one, everything that is shown is of it, and its addresses name it.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { axeFindings, missing, open, serve, shoot, tab, tooWide } from "./world.mjs";

test("one collection after another", { skip: missing || false }, async (t) => {
  const [server, browser] = await Promise.all([serve(), open()]);
  t.after(() => Promise.all([server.close(), browser.close()]));
  const { page, troubles } = await tab(browser);
  const shelf = page.getByRole("combobox", { name: "Collection" });
  await page.goto(server.url);
  await page.getByText("The library is empty").waitFor();
  assert.equal(await shelf.count(), 0, "there is nothing to choose yet");

  // A new one is made by what is taken into it.
  await page.getByRole("link", { name: "Settings" }).click();
  await page.getByLabel("Name of another collection").fill("Thèse 論文");
  await page.getByRole("button", { name: "Open", exact: true }).click();
  await page.getByRole("link", { name: "Library" }).click();
  await page.locator('input[type="file"]').setInputFiles({ name: "notes.md", mimeType: "text/markdown", buffer: Buffer.from("# My notes\n\nThe cable of 1858 failed after three weeks.") });
  await page.getByText("1 source taken in").waitFor();
  await page.getByRole("link", { name: "Ask", exact: true }).click();
  await page.getByLabel("Your question").fill("When did the cable of 1858 fail?");
  await page.keyboard.press("Enter");
  await page.getByText("the answer is complete").waitFor({ state: "attached" });
  assert.match(page.url(), /\/answers\/\w+\?in=/);
  const answer = page.url();

  // Links say where they lead however they are used.
  const link = page.getByRole("link", { name: "Library" });
  await link.focus();
  assert.match(await link.getAttribute("href"), /^\/library\?in=Th%C3%A8se/);
  const [other] = await Promise.all([page.context().waitForEvent("page"), link.click({ modifiers: ["Control"] })]);
  await other.getByRole("link", { name: "My notes" }).waitFor();
  await other.close();

  await shelf.selectOption("");
  await page.getByText("The library is empty").waitFor();
  assert.equal(new URL(page.url()).search, "");
  assert.equal(await page.getByText("When did the cable").count(), 0, "what is in another collection is shown");
  await shelf.selectOption("Thèse 論文");
  await page.getByRole("link", { name: "When did the cable of 1858 fail?" }).waitFor();
  await shoot(page, "collection-light");
  assert.deepEqual(await axeFindings(page), []);

  await server.post("/api/v1/sample?wait=60", {}); // into no collection, and so not cited here
  await page.getByRole("link", { name: "Library", exact: true }).click();
  await page.getByText("cite or export the whole library").click();
  await page.locator(".entries li").first().waitFor();
  assert.match((await page.locator(".entries li").allInnerTexts()).join("\n"), /^My notes[^\n]*$/);
  const [ris] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "RIS" }).click()]);
  assert.equal(readFileSync(await ris.path(), "utf8").match(/^TY/gm).length, 1);

  // The address is all that it takes.
  await page.goto("about:blank");
  await page.goto(answer);
  await page.locator("a.seg").first().click();
  assert.match(page.url(), /\?in=[^#]+#s1$/);
  await page.getByRole("link", { name: "open document" }).click();
  await page.locator("mark.target").first().waitFor();
  await page.goBack();
  await page.locator("a.seg").first().waitFor();

  // A key that is made here is for this collection, unless it is to be for all.
  await page.getByRole("link", { name: "Settings" }).click();
  await page.getByLabel("Name of the new key").fill("mine");
  await page.getByRole("button", { name: "Make a key" }).click();
  await page.locator(".secret").waitFor();
  const [made] = (await server.get("/api/v1/keys")).items;
  assert.equal(made.collection, "Thèse 論文");

  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${server.url}/?in=${encodeURIComponent("Thèse 論文")}`);
  await shelf.waitFor();
  assert.equal(await tooWide(page), 0);
  await shoot(page, "collection-phone");
  assert.deepEqual(troubles, []);
});
