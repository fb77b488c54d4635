// The reader of a PDF: its pages and headings, and the cited words on the page that their citation names.
import assert from "node:assert/strict";
import { test } from "node:test";
import { axeFindings, missing, open, serve, shoot, tab, tooWide } from "./world.mjs";

test("a PDF is read by its pages", { skip: missing || false }, async (t) => {
  const [server, browser] = await Promise.all([serve(), open()]);
  t.after(() => Promise.all([server.close(), browser.close()]));
  await server.post("/api/v1/sample?wait=60", {});
  const source = (await server.get("/api/v1/sources?limit=200")).items.find((s) => s.title === "The Cable of 1858");
  const answer = await server.post("/api/v1/ask", { question: "When was the landing at Knightstown completed?", sources: [source.id] });
  const cited = answer.citations.find((c) => c.source === source.id);
  const number = +/p\. (\d+)/.exec(cited.locator)[1];
  const { page, troubles } = await tab(browser);

  await t.test("the cited words are marked on their page", async () => {
    await page.goto(`${server.url}/documents/${cited.at.document}#${cited.at.span.start}-${cited.at.span.end}`);
    await page.locator("mark.target").first().waitFor();
    await page.locator(".page-break", { hasText: "cited" }).first().waitFor(); // what cites it comes after the text
    const on = await page.evaluate(() => {
      const mark = document.querySelector("mark.target");
      const before = [...document.querySelectorAll(".page-break")].filter((b) => b.compareDocumentPosition(mark) & Node.DOCUMENT_POSITION_FOLLOWING);
      return before.at(-1).innerText;
    });
    assert.match(on, new RegExp(`^p\\. ${number} of \\d+ · \\d+ places? cited$`));
    assert.ok((await page.locator("mark.target").allInnerTexts()).join("").length >= cited.quote.replace(/\s+/g, " ").length * 0.9);
    await shoot(page, "reader-light");
  });

  await t.test("pages and headings are links into it", async () => {
    const contents = page.getByRole("navigation", { name: "Contents of the document" });
    await contents.getByRole("link", { name: new RegExp(`^page ${number}\\s.*cited$`) }).waitFor();
    const last = contents.locator("p a").last();
    const to = await last.getAttribute("href");
    await last.press("Enter");
    await page.waitForFunction((id) => {
      const { top } = document.querySelector(id).getBoundingClientRect();
      return top >= 0 && top < innerHeight;
    }, to);
    assert.match(page.url(), new RegExp(`${to}$`));
    await page.reload(); // it is an address of its own
    await page.locator(to).waitFor();
    await page.waitForFunction((id) => document.querySelector(id).getBoundingClientRect().top < innerHeight, to);
    assert.ok((await page.getByRole("heading", { level: 2 }).count()) + (await page.getByRole("heading", { level: 3 }).count()) > 0, "headings are headings");
    assert.deepEqual(await axeFindings(page), []);
  });

  await t.test("on a phone", async () => {
    const small = await tab(browser, { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, colorScheme: "dark" });
    await small.page.goto(`${server.url}/documents/${cited.at.document}#p${number}`);
    await small.page.locator(".page-break").first().waitFor();
    assert.equal(await tooWide(small.page), 0);
    assert.deepEqual(await axeFindings(small.page), []);
    await shoot(small.page, "reader-phone");
    assert.deepEqual(small.troubles, []);
  });
  assert.deepEqual(troubles, []);
});
