// Draws the pictures of the documentation: npm run pictures, after make build.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { model } from "./model.mjs";
import { open, root, serve, tab } from "./world.mjs";

const to = join(root, "docs", "img");
mkdirSync(to, { recursive: true });
const scripted = await model({ pause: 0 });
const browser = await open();
const draw = async (server, name, options, path, act, wait = "a.seg") => {
  const { page, close } = await tab(browser, options);
  await page.goto(server.url + path);
  await page.locator(wait).first().waitFor();
  await act(page);
  await page.waitForTimeout(500);
  await page.screenshot({ path: join(to, `${name}.png`) });
  await close();
};

const written = await serve(scripted.env);
await written.post("/api/v1/sample?wait=60", {});
const a = await written.post("/api/v1/ask", { question: "When was the first transatlantic cable laid, and how long did the Queen's message to the President take?" });
const pin = async (page) => page.locator(".evidence mark").first().waitFor();
await draw(written, "page-evidence", { viewport: { width: 1064, height: 590 } }, `/answers/${a.id}#s3`, pin);
await draw(written, "page-phone", { viewport: { width: 390, height: 760 }, isMobile: true, hasTouch: true }, `/answers/${a.id}#s3`, pin);
await written.close();
await scripted.close();

const taken = await serve(); // no model: sentences taken from the documents
await taken.post("/api/v1/sample?wait=60", {});
const b = await taken.post("/api/v1/think", { question: "Who was Wildman Whitehouse, and why did the cable of 1858 fail?" });
await draw(taken, "page-steps", { viewport: { width: 1000, height: 640 } }, `/answers/${b.id}`, async (page) => page.locator(".steps summary").first().click());
const c = await taken.post("/api/v1/argue", { claim: "The first transatlantic cable was laid in 1866." });
await draw(taken, "page-argument", { viewport: { width: 1000, height: 700 } }, `/arguments/${c.id}`, async (page) => page.locator(".map").evaluate((el) => el.scrollIntoView({ block: "end" })), ".map svg");
await taken.close();
await browser.close();
