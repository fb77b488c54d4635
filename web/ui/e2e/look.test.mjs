// Every view in light, dark and 360 pixels wide: without serious findings of accessibility, without a sideways scroll, and
// as a picture for looking at.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { model } from "./model.mjs";
import { axeFindings, missing, open, serve, shoot, tab, tooWide } from "./world.mjs";

const question = "When was the first transatlantic cable laid, and how long did the Queen's message to the President take?";

let browser, server, scripted, answer, steps, source;
before(async () => {
  if (missing) return;
  scripted = await model({ pause: 0 });
  [server, browser] = await Promise.all([serve(scripted.env), open()]);
  await server.post("/api/v1/sample?wait=60", {});
  answer = await server.post("/api/v1/ask", { question });
  steps = await server.post("/api/v1/think", { question: "Who was Wildman Whitehouse, and why did the cable of 1858 fail?" });
  source = (await server.get("/api/v1/sources?limit=200")).items.find((s) => s.title === "The Cable of 1858");
  const paths = (await server.get("/openapi.json")).paths;
  if (paths["/api/v1/answers/{id}/feedback"]) {
    for (let i = 1; i <= 3; i++) await server.post(`/api/v1/answers/${answer.id}/feedback`, { segment: i, source: answer.citations[0].source, verdict: i < 3 ? "right" : "wrong" });
  }
  if (paths["/api/v1/runs"]) {
    const run = await server.post("/api/v1/runs", {});
    await server.post(`/api/v1/runs/${run.id}/claims`, {
      agent: "researcher",
      sources: [
        { identifier: "q1", category: "sql", tool: "ledger_query", endpoint: "postgres://finance", content: "copper 107 lb per nautical mile" },
        { identifier: "p1", category: "http", tool: "fetch", endpoint: "https://example.org/prices", content: "Prices rose." },
      ],
      claims: [{ text: "The core held 107 pounds of copper to the nautical mile.", source: "q1" }, { text: "Thomson asked for a heavier core." }, { text: "That is 40 % of the later weight.", exempt: "computed" }],
    });
    await server.post(`/api/v1/runs/${run.id}/finish`, {});
  }
});
after(async () => {
  await browser?.close();
  await server?.close();
  await scripted?.close();
});

/** Views by name: the address, what to wait for, and what to do before looking. */
const views = () => [
  ["home", "/", ".begin h2"],
  ["answer", `/answers/${answer.id}`, ".entries li"],
  ["evidence", `/answers/${answer.id}#s3`, ".evidence mark"],
  ["steps", `/answers/${steps.id}`, ".steps summary", async (page) => page.locator(".steps summary").first().click()],
  ["check", "/check", "h1", async (page) => {
    await page.getByText("fill in an example").click();
    await page.getByRole("button", { name: "Check", exact: true }).click();
    await page.locator(".found").waitFor();
    await page.locator("a.seg").nth(1).click();
    await page.locator(".evidence").waitFor();
  }],
  ["library", "/library", ".list"],
  ["source", `/library/${source.id}`, ".document"],
  ["document", `/documents/${source.newest.document}#300-420`, "mark.target"],
  ["runs", "/runs", "h1"],
  ["run", "/runs", "h1", async (page) => {
    const first = page.locator(".list a").first();
    if (await first.count()) await first.click();
    await page.locator("h1").waitFor();
  }],
  ["audit", "/audit", "h1", async (page) => {
    const verify = page.getByRole("button", { name: "Verify now" });
    if (!(await verify.count())) return;
    await verify.click();
    await page.getByText("The log is whole").waitFor();
    await page.locator(".entry-list summary").first().click();
  }],
  ["insights", "/insights", "h1", async (page) => {
    if (await page.locator(".picture").count()) await page.locator(".recharts-surface").first().waitFor();
  }],
  ["settings", "/settings", ".facts"],
  ["nothing", "/no/such/place", "h1"],
  ["docs", "/docs", "dl"],
];

/** Views that look otherwise on a phone than by being narrower. */
const sheets = ["evidence", "audit", "insights"];

const looks = {
  light: {},
  dark: { colorScheme: "dark" },
  phone: { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true },
};

for (const [name, options] of Object.entries(looks)) {
  test(`${name}`, { skip: missing || false }, async (t) => {
    const { page, troubles, close } = await tab(browser, options);
    t.after(close);
    for (const [view, path, wait, act] of views()) {
      await t.test(view, async () => {
        await page.goto("about:blank");
        await page.goto(server.url + path);
        await page.locator(wait).first().waitFor();
        await act?.(page);
        await page.waitForFunction(() => !document.querySelector(".waiting") && document.querySelector("main h1"));
        const open = page.locator("nav[aria-label=Main] [aria-current]");
        if (await open.count()) assert.ok(await open.evaluate((a) => a.getBoundingClientRect().right <= innerWidth), "the name of the view is cut off");
        await page.waitForTimeout(60);
        await shoot(page, `${view}-${name}`);
        assert.equal(await tooWide(page), 0, "the page is too wide");
        if (name === "phone" && !sheets.includes(view)) return;
        assert.deepEqual(await axeFindings(page), []);
      });
    }
    assert.deepEqual(troubles, []);
  });
}

test("print leaves the answer with its signs and sources", { skip: missing || false }, async (t) => {
  const { page, close } = await tab(browser);
  t.after(close);
  await page.goto(`${server.url}/answers/${answer.id}`);
  await page.locator(".entries li").first().waitFor();
  await page.emulateMedia({ media: "print" });
  assert.ok(await page.locator("a.seg sup").first().isVisible());
  assert.ok(await page.locator(".entries li").first().isVisible());
  for (const gone of [".top", "#export", ".more", ".evidence-column"]) assert.equal(await page.locator(gone).isVisible(), false, `${gone} is printed`);
  await shoot(page, "print");
});
