// A topic researched and a claim argued, as a person does: by mouse, and again by keys alone.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { axeFindings, missing, open, serve, shoot, tab, tooWide } from "./world.mjs";

let browser, server;
before(async () => {
  if (missing) return;
  [server, browser] = await Promise.all([serve(), open()]);
  await server.post("/api/v1/sample?wait=60", {});
});
after(async () => {
  await browser?.close();
  await server?.close();
});

test("a dossier, by mouse", { skip: missing || false }, async (t) => {
  const { page, troubles, close } = await tab(browser);
  t.after(close);
  await page.goto(server.url);
  await page.getByRole("link", { name: "Research" }).click();
  await page.getByLabel("What is to be researched").fill("the cable of 1858");
  await page.getByLabel("How deep").selectOption("shallow");
  await page.getByRole("button", { name: "Research", exact: true }).click();
  await page.getByRole("heading", { name: "the cable of 1858", level: 1 }).waitFor();
  await page.getByRole("button", { name: "Word" }).waitFor(); // it is done
  assert.match(page.url(), /\/research\/\w+$/);
  const first = page.locator(".claims li").first();
  await first.locator("summary").click();
  const quote = await first.locator(".quote").first().innerText();
  await first.locator(".places a").first().click();
  await page.locator("mark.target").first().waitFor();
  const marked = (await page.locator("mark.target").allInnerTexts()).join(" ").replace(/\s+/g, " ");
  assert.ok(marked.includes(quote.replace(/\s+/g, " ").replace(/^[“"]|[”"]$/g, "").slice(0, 40)), `the document marks ${marked}, the dossier quotes ${quote}`);
  await page.goBack();
  await page.locator(".claims li").first().getByRole("link", { name: "evidence" }).click();
  await page.locator(".evidence mark").first().waitFor(); // of the recorded answer
  await page.goBack();
  const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Markdown" }).click()]);
  assert.match(readFileSync(await file.path(), "utf8"), /the cable of 1858/);
  await page.getByRole("link", { name: "Research" }).first().click();
  await page.getByRole("heading", { name: "Dossiers" }).waitFor();
  await page.getByRole("link", { name: "the cable of 1858" }).waitFor();
  assert.deepEqual(troubles, []);
});

test("an argument, by keys alone", { skip: missing || false }, async (t) => {
  const { page, troubles, close } = await tab(browser);
  t.after(close);
  await page.goto(`${server.url}/research`);
  await page.getByLabel("What is said to be so").waitFor();
  for (let i = 0; i < 30 && (await page.evaluate(() => document.activeElement?.id)) !== "claim"; i++) await page.keyboard.press("Tab");
  await page.keyboard.type("The directors dismissed Whitehouse.");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "The directors dismissed Whitehouse.", level: 1 }).waitFor();
  await page.locator(".map svg").waitFor();
  assert.match(page.url(), /\/arguments\/\w+$/);
  const statements = await page.locator(".two .claims > li").count();
  assert.ok(statements > 0, "nothing is said");
  assert.equal(await page.locator(".map g.proponent, .map g.opponent").count(), statements);
  for (let i = 0; i < 40 && (await page.evaluate(() => document.activeElement?.tagName)) !== "SUMMARY"; i++) await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.locator("mark.target").first().waitFor();
  await page.goBack();
  await page.getByText("as a table").waitFor();
  const [picture] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "SVG" }).press("Enter")]);
  assert.match(readFileSync(await picture.path(), "utf8"), /<svg/);
  assert.deepEqual(troubles, []);
});

test("what is no argument says so", { skip: missing || false }, async (t) => {
  const { page, close } = await tab(browser);
  t.after(close);
  const answer = await server.post("/api/v1/ask", { question: "Who was Cyrus Field?" });
  await page.goto(`${server.url}/arguments/${answer.id}`);
  await page.getByText("was not made by arguing a claim").waitFor();
  await page.goto(`${server.url}/research/none`);
  await page.getByText("not found").waitFor();
});

const looks = { light: {}, dark: { colorScheme: "dark" }, phone: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true } };
for (const [name, options] of Object.entries(looks)) {
  test(`research looks right, ${name}`, { skip: missing || false }, async (t) => {
    const { page, troubles, close } = await tab(browser, options);
    t.after(close);
    const study = (await server.get("/api/v1/studies")).items[0];
    const argued = (await server.get("/api/v1/answers?limit=200")).items.find((a) => a.question.startsWith("The directors dismissed"));
    for (const [view, path, wait] of [
      ["research", "/research", ".list"],
      ["dossier", `/research/${study.id}`, ".claims li"],
      ["argument", `/arguments/${argued.id}`, ".map svg"],
    ]) {
      await page.goto(server.url + path);
      await page.locator(wait).first().waitFor();
      await page.locator(".claims summary").first().click({ timeout: 500 }).catch(() => {});
      await shoot(page, `${view}-${name}`);
      assert.deepEqual(await axeFindings(page), [], view);
      assert.equal(await tooWide(page), 0, `${view} is too wide`);
    }
    assert.deepEqual(troubles, []);
  });
}
