// Experiments on the page: one that ended is erased once that was said twice, by who may administer.
import assert from "node:assert/strict";
import { test } from "node:test";
import { axeFindings, caller, keyFor, missing, open, serve, shoot, tab } from "./world.mjs";

test("an experiment is erased", { skip: missing || false }, async (t) => {
  const [server, browser] = await Promise.all([serve({}, "--no-auth=false"), open()]);
  t.after(() => Promise.all([server.close(), browser.close()]));
  const [writer, admin] = [keyFor(server, "write"), keyFor(server, "admin")];
  const call = caller(server, admin);
  await call("POST", "/api/v1/ask", { question: "When was the cable laid?" });
  const start = (name) => call("POST", "/api/v1/experiments", { name, a: { passages: 8 }, b: { passages: 4 } });
  for (const name of ["fewer passages", "fewer still"]) await call("POST", `/api/v1/experiments/${(await start(name)).id}/stop`);
  await start("goes on");
  const names = async () => (await call("GET", "/api/v1/experiments")).items.map((e) => e.name);

  const enter = async (secret) => {
    const { page, troubles } = await tab(browser);
    await page.goto(`${server.url}/insights`);
    await page.getByLabel("API key").fill(secret);
    await page.keyboard.press("Enter");
    await page.getByText("goes on").waitFor();
    return { page, troubles };
  };
  const erase = (page, name) => page.getByRole("button", { name: `Erase the experiment ${name}` });

  const reading = await enter(writer);
  assert.equal(await reading.page.getByRole("button", { name: /^Erase/ }).count(), 0, "who may not administer cannot erase");

  const { page, troubles } = await enter(admin);
  assert.equal(await erase(page, "goes on").count(), 0, "what still runs is stopped first");
  await erase(page, "fewer passages").press("Enter");
  await page.getByText("its answers stay").waitFor();
  await page.keyboard.press("Enter"); // the focus is on what keeps it
  assert.equal(await erase(page, "fewer passages").evaluate((el) => el === document.activeElement), true);
  assert.deepEqual((await names()).sort(), ["fewer passages", "fewer still", "goes on"]);

  await erase(page, "fewer passages").click();
  await shoot(page, "experiment-erase-light");
  assert.deepEqual(await axeFindings(page), []);
  await page.getByRole("button", { name: "Erase it" }).click();
  await page.getByText("fewer passages").waitFor({ state: "detached" });
  assert.deepEqual((await names()).sort(), ["fewer still", "goes on"]);
  assert.equal(await page.getByRole("button", { name: "Erase it" }).count(), 0, "the next one was never asked for");

  // What another has erased meanwhile is said, and stays until one looks again.
  const gone = (await call("GET", "/api/v1/experiments")).items.find((e) => e.name === "fewer still");
  await erase(page, "fewer still").click();
  await fetch(`${server.url}/api/v1/experiments/${gone.id}`, { method: "DELETE", headers: { Authorization: `Bearer ${admin}` } });
  await page.getByRole("button", { name: "Erase it" }).click();
  await page.getByRole("alert").getByText(/not found|no /).waitFor();

  await page.setViewportSize({ width: 390, height: 844 });
  await page.waitForFunction(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth); // diagrams are drawn anew first
  // What the browser itself notes of a 401 and of a 404 is no trouble of the page.
  assert.deepEqual([...reading.troubles, ...troubles].filter((x) => !/40[14]/.test(x)), []);
});
