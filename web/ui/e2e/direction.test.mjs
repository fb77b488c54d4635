// Words that run from right to left run so wherever they are shown, also within a line of others: their full stop is at their left.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { model } from "./model.mjs";
import { missing, open, serve, shoot, tab } from "./world.mjs";

const hebrew = "המגדלור של יפו הודלק בשנת 1865.";

let browser, server, scripted;
before(async () => {
  if (missing) return;
  scripted = await model({ pause: 0, says: () => `The lamp of Jaffa burned oil. ${hebrew} It still stands.` });
  [server, browser] = await Promise.all([serve(scripted.env, "--judge", "off"), open()]);
});
after(async () => {
  await browser?.close();
  await server?.close();
  await scripted?.close();
});

/** Whether the sentence ends left of where it begins, at each place of the page that shows it. */
const ends = (page) =>
  page.evaluate((sentence) => {
    const at = (node, i) => {
      const r = document.createRange();
      r.setStart(node, i);
      r.setEnd(node, i + 1);
      return r.getBoundingClientRect();
    };
    const found = [];
    const walk = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
    for (let node; (node = walk.nextNode()); ) {
      const i = node.data.indexOf(sentence);
      if (i >= 0 && node.parentElement.checkVisibility()) found.push(`${node.parentElement.tagName}: ${at(node, i + sentence.length - 1).right <= at(node, i).left}`);
    }
    return found;
  }, hebrew);

test("from right to left", { skip: missing || false }, async (t) => {
  const { page, troubles, close } = await tab(browser);
  t.after(close);
  await server.post("/api/v1/ingest?wait=60", { texts: [{ name: "jaffa.txt", title: hebrew, text: `The lamp of Jaffa burned oil.\n\n${hebrew}` }] });
  const source = (await server.get("/api/v1/sources")).items[0];
  const answer = await server.post("/api/v1/ask", { question: "When was the lamp of Jaffa lit?" });
  const run = await server.post("/api/v1/runs", {});
  await server.post(`/api/v1/runs/${run.id}/claims`, { agent: "a", claims: [{ text: hebrew }] });
  for (const [path, wait] of [
    [`/answers/${answer.id}#s2`, ".entries li"],
    ["/library", ".list a"],
    [`/library/${source.id}`, ".document .block"],
    [`/runs/${run.id}`, ".claims li"],
  ]) {
    await page.goto(server.url + path);
    await page.locator(wait).first().waitFor();
    const found = await ends(page);
    await shoot(page, `direction-${path.split("/")[1]}`);
    assert.ok(found.length > 0, `${path} does not show it`);
    assert.deepEqual(found.filter((f) => f.endsWith("false")), [], path);
  }
  assert.deepEqual(troubles, []);
});
