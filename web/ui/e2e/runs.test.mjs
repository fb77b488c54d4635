// Runs on the page: one that is finished is erased once a reason was given, by who may administer.
import assert from "node:assert/strict";
import { test } from "node:test";
import { axeFindings, caller, keyFor, missing, open, serve, shoot, tab, tooWide } from "./world.mjs";

test("a run is erased", { skip: missing || false }, async (t) => {
  const [server, browser] = await Promise.all([serve({}, "--no-auth=false"), open()]);
  t.after(() => Promise.all([server.close(), browser.close()]));
  const [writer, admin] = [keyFor(server, "write"), keyFor(server, "admin")];
  const call = caller(server, admin);
  const begin = async (text) => {
    const { id } = await call("POST", "/api/v1/runs");
    await call("POST", `/api/v1/runs/${id}/claims`, { claims: [{ text }] });
    return id;
  };
  const [ended, goesOn] = [await begin("The cable failed."), await begin("The cable held.")];
  await call("POST", `/api/v1/runs/${ended}/finish`);

  const enter = async (secret, id) => {
    const { page, troubles } = await tab(browser);
    await page.goto(`${server.url}/runs/${id}`);
    await page.getByLabel("API key").fill(secret);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: `Run ${id}` }).waitFor();
    return { page, troubles };
  };
  const erase = (page) => page.getByRole("button", { name: "Erase this run" });

  const writing = await enter(writer, ended);
  assert.equal(await erase(writing.page).count(), 0, "who may not administer cannot erase");
  const going = await enter(admin, goesOn);
  assert.equal(await erase(going.page).count(), 0, "what goes on is finished first");

  const { page, troubles } = await enter(admin, ended);
  const sure = page.getByRole("button", { name: "Erase it" });
  await erase(page).press("Enter");
  await page.keyboard.type("  "); // the focus is on the reason
  assert.equal(await sure.isDisabled(), true, "a blank is no reason");
  await page.getByRole("button", { name: "Keep it" }).press("Enter");
  assert.equal(await erase(page).evaluate((el) => el === document.activeElement), true);
  assert.equal((await call("GET", `/api/v1/runs/${ended}`)).claims.length, 1);

  await erase(page).click();
  await page.keyboard.type("asked for & said twice");
  await shoot(page, "run-erase-light");
  assert.deepEqual(await axeFindings(page), []);
  await page.setViewportSize({ width: 390, height: 844 });
  assert.equal(await tooWide(page), 0);
  await sure.click();
  await page.getByRole("link", { name: "The cable held." }).waitFor();
  assert.equal(await page.getByText("The cable failed.").count(), 0);
  assert.deepEqual((await call("GET", "/api/v1/runs")).items.map((r) => r.id), [goesOn]);
  assert.equal(JSON.parse(server.run("audit", "show", "last", "--json")).data.reason, "asked for & said twice");

  // What the browser itself notes of a 401 is no trouble of the page.
  assert.deepEqual([...writing.troubles, ...going.troubles, ...troubles].filter((x) => !/401/.test(x)), []);
});
