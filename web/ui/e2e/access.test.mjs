// A server that asks for keys: the page takes one, shows only what it allows, and forgets it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { keyFor, missing, open, serve, tab } from "./world.mjs";

test("with a key", { skip: missing || false }, async (t) => {
  const [server, browser] = await Promise.all([serve({}, "--no-auth=false"), open()]);
  t.after(() => Promise.all([server.close(), browser.close()]));
  const key = keyFor(server, "read");
  const { page, troubles } = await tab(browser);
  await page.goto(`${server.url}/library`);
  await page.getByRole("heading", { name: "This server asks who you are" }).waitFor();
  await page.getByLabel("API key").fill("ibid_wrong_key");
  await page.getByRole("button", { name: "Enter" }).click();
  await page.getByText("is not known or was revoked").waitFor();
  await page.getByLabel("API key").fill(key);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Library", exact: true }).waitFor();
  await page.getByText("The library is empty").waitFor();
  assert.equal(await page.getByRole("button", { name: "Choose files" }).count(), 0, "who may only read cannot upload");
  assert.equal(await page.getByRole("button", { name: "Load the sample library" }).count(), 0);
  await page.reload(); // it lasts as long as the tab
  await page.getByRole("heading", { name: "Library", exact: true }).waitFor();
  await page.getByRole("link", { name: "Settings" }).click();
  await page.getByRole("button", { name: "Forget it" }).click();
  await page.getByRole("heading", { name: "This server asks who you are" }).waitFor();
  // What the browser itself notes of a 401 is no trouble of the page.
  assert.deepEqual(troubles.filter((x) => !/401/.test(x)), []);
});
