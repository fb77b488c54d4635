// The page as a person uses it, in a real browser: by mouse, and again by keys alone.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { model, told } from "./model.mjs";
import { axeFindings, missing, open, serve, shoot, tab } from "./world.mjs";

const question = "When was the first transatlantic cable laid, and how long did the Queen's message to the President take?";

let browser, server, scripted;
before(async () => {
  if (missing) return;
  scripted = await model();
  [server, browser] = await Promise.all([serve(scripted.env), open()]);
});
after(async () => {
  await browser?.close();
  await server?.close();
  await scripted?.close();
});

const text = (page, selector) => page.locator(selector).first().innerText();
const segment = (page, n) => page.locator(`a.seg#s${n}`);

/** Notes how the prose grows: the number of decided segments and of characters at each change. */
const watch = (page) =>
  page.evaluate(() => {
    window.seen = [];
    new MutationObserver(() => {
      const prose = document.querySelector(".prose");
      if (prose) window.seen.push([prose.querySelectorAll("a.seg").length, prose.textContent.length]);
    }).observe(document.getElementById("root"), { childList: true, subtree: true, characterData: true });
  });

test("by mouse", { skip: missing || false }, async (t) => {
  const { page, troubles, close } = await tab(browser);
  t.after(close);

  await t.test("an empty page offers the sample library, one click away", async () => {
    await page.goto(server.url);
    await page.getByRole("button", { name: "Load the sample library" }).click();
    await page.getByRole("heading", { name: "Try" }).waitFor();
    await page.getByText("16 sources").waitFor();
  });

  await t.test("an answer streams in, and segments are decided while it does", async () => {
    await watch(page);
    await page.getByLabel("Your question").fill(question);
    await page.getByRole("button", { name: "Ask", exact: true }).click();
    await page.locator(".entries li").first().waitFor();
    const seen = await page.evaluate(() => window.seen);
    const decided = seen.map(([n]) => n);
    assert.ok(decided.some((n, i) => n > 0 && n < 4 && seen[i][1] < told.join("").length), `segments came all at once: ${decided}`);
    assert.match(page.url(), /\/answers\/\w+$/);
    const shown = (await page.locator(".prose").evaluate((el) => [...el.querySelectorAll("p")].map((p) => [...p.querySelectorAll(":scope > span, a.seg")].map((s) => [...s.childNodes].filter((n) => n.nodeName !== "SUP" && n.className !== "sr").map((n) => n.textContent).join("")).join("")).join("\n"))).replace(/\s+/g, " ").trim();
    assert.equal(shown, told.join("").replace(/\s+/g, " "));
  });

  await t.test("each segment has its sign, and opens its evidence", async () => {
    const signs = await page.locator("a.seg sup").allInnerTexts();
    assert.equal(signs.length, 4);
    assert.match(signs[0], /^[1-9]/);
    assert.match(signs[2], /^✕ /);
    assert.equal(signs[3], "◇");
    const evidence = page.getByRole("complementary", { name: "Evidence" });
    await segment(page, 1).hover();
    await evidence.locator("mark").first().waitFor();
    assert.match(await page.locator(".wire path").getAttribute("d"), /^M\d/);
    await segment(page, 1).click();
    assert.match(await evidence.locator("mark").first().innerText(), /5 August 1858/);
    assert.match(await evidence.innerText(), /From a source/);
    assert.match(page.url(), /#s1$/);
    await shoot(page, "ask-evidence-light");
    await segment(page, 3).click();
    assert.match(await evidence.innerText(), /A source says otherwise[^]*twenty hours[^]*sixteen hours/);
    assert.equal(await text(page, "a.seg#s3 .under-denied"), "twenty hours");
    await shoot(page, "ask-denied-light");
    await page.keyboard.press("Escape");
    await page.getByRole("link", { name: "1 sentence that a source denies" }).click();
    await page.locator("a.seg#s3.pinned").waitFor();
    await segment(page, 4).click();
    assert.match(await evidence.innerText(), /The model’s own/);
    await segment(page, 2).hover(); // what is pinned stays
    assert.match(await evidence.innerText(), /The model’s own/);
    await page.keyboard.press("Escape");
    await page.mouse.move(5, 400);
    await page.locator(".legend").waitFor();
    assert.doesNotMatch(page.url(), /#/);
  });

  await t.test("several sources are stepped through", async () => {
    for (let i = 1; i <= 4; i++) {
      await segment(page, i).click();
      const next = page.getByRole("button", { name: /^Next source/ });
      if (!(await next.count())) continue;
      await next.click();
      assert.match(await text(page, ".stepper"), /2 of/);
      assert.match(page.url(), new RegExp(`#s${i}\\.2$`));
      await page.getByRole("button", { name: /^Previous source/ }).click();
      assert.match(await text(page, ".stepper"), /1 of/);
    }
    await page.keyboard.press("Escape");
  });

  await t.test("a thumb is kept", async () => {
    await segment(page, 1).click();
    const up = page.getByRole("button", { name: "The source says so" });
    if (!(await up.count())) return; // this server takes no feedback
    await up.click();
    await page.locator('.thumbs [aria-pressed="true"]').waitFor();
    await page.reload();
    await page.locator('.thumbs [aria-pressed="true"]').waitFor();
  });

  await t.test("the style changes the bibliography", async () => {
    const style = page.getByRole("combobox", { name: "Style" });
    const was = await text(page, ".entries");
    // A style that writes no numbers has an order of its own: those of the answer's signs stand beside its entries.
    const signs = new Set((await page.locator("a.seg sup").allTextContents()).flatMap((s) => s.match(/\d+/g) ?? []));
    assert.deepEqual(new Set(await page.locator(".entries .nr").allTextContents()), signs);
    await style.click();
    await style.fill("ieee");
    await page.getByRole("option", { name: /IEEE/ }).first().click();
    await page.waitForFunction((old) => document.querySelector(".entries").innerText !== old, was);
    assert.match(await text(page, ".entries"), /\[1\]/);
    assert.equal(await page.locator(".entries .nr").count(), 0, "numbers stand twice");
  });

  await t.test("exports come as files", async () => {
    const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "BibTeX", exact: true }).click()]);
    assert.match(readFileSync(await file.path(), "utf8"), /@\w+\{/);
    assert.match(file.suggestedFilename(), /\.bib$/);
    const [shared] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "One page to share" }).click()]);
    const html = readFileSync(await shared.path(), "utf8");
    assert.match(html, /<sup>◇<\/sup>/);
    assert.doesNotMatch(html, /<script/);
  });

  await t.test("claims and sources are drawn", async () => {
    await page.getByRole("button", { name: "draw claims and sources" }).click();
    const picture = page.locator(".graph img");
    await picture.waitFor();
    await page.waitForFunction(() => document.querySelector(".graph img").naturalWidth > 100);
  });

  await t.test("a deep link opens an answer at a segment, and a document at its words", async () => {
    const answer = page.url().split("#")[0];
    await page.goto("about:blank");
    await page.goto(`${answer}#s3`);
    await page.locator("a.seg#s3.pinned").waitFor();
    assert.match(await page.getByRole("complementary", { name: "Evidence" }).innerText(), /sixteen hours/);
    await page.getByRole("link", { name: "open document" }).click();
    // marks are drawn anew as the document's places arrive
    await page.waitForFunction(() => /sixteen hours|17 hours and 40 minutes/.test([...document.querySelectorAll("mark.target")].map((m) => m.innerText).join("")));
    assert.ok(await page.locator("mark.target").first().isVisible());
    const link = page.url();
    assert.match(link, /\/documents\/[0-9a-f]+#\d+-\d+$/);
    await page.goto("about:blank");
    await page.goto(link);
    await page.locator("mark.target").first().waitFor();
    await shoot(page, "reader-light");
    await page.locator("mark.cited a").first().hover();
    await page.getByRole("complementary", { name: "Cited by" }).getByRole("link", { name: question }).first().click();
    await page.locator("a.seg").first().waitFor();
  });

  await t.test("Check takes an answer and sources, and gives one file to share", async () => {
    await page.getByRole("link", { name: "Check" }).click();
    await page.getByLabel("Answer", { exact: true }).fill("The cable was laid in 1858. It was made of cheese from Cork.");
    await page.getByLabel("Title of source 1").fill("Notes");
    await page.getByLabel("Text of source 1").fill("The first cable was laid in 1858 by two ships.");
    await page.locator('input[type="file"]').setInputFiles({ name: "more.txt", mimeType: "text/plain", buffer: Buffer.from("Gutta-percha was the insulation.") });
    await page.getByLabel("Title of source 2").waitFor();
    assert.equal(await page.getByLabel("Title of source 2").inputValue(), "more.txt");
    await page.getByRole("button", { name: "Check", exact: true }).click();
    await segment(page, 1).click();
    assert.match(await page.getByRole("complementary", { name: "Evidence" }).innerText(), /Notes/);
    const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "One page to share" }).click()]);
    assert.match(readFileSync(await file.path(), "utf8"), /laid in 1858/);
    await page.locator('input[type="file"]').setInputFiles({ name: "page.html", mimeType: "text/html", buffer: Buffer.from("<title>A page</title><p>Its words.<script>alert(1)</script>") });
    await page.getByLabel("Title of source 3").waitFor();
    assert.equal(await page.getByLabel("Title of source 3").inputValue(), "A page");
  });

  await t.test("the library takes files, knows versions and shows what changed", async () => {
    await page.getByRole("link", { name: "Library" }).click();
    for (const year of ["1857", "1858"]) {
      await page.locator('input[type="file"]').setInputFiles({ name: "notes.md", mimeType: "text/markdown", buffer: Buffer.from(`# My notes\n\nThe cable was landed in ${year}, they say.\n\nNothing else changed.`) });
      await page.getByText("1 source taken in").waitFor();
      await page.locator(".outcome").waitFor();
      if (year === "1857") await page.reload();
    }
    await page.getByRole("link", { name: "My notes" }).click();
    await page.getByRole("button", { name: "what changed" }).click();
    assert.equal(await text(page, "del"), "1857");
    assert.equal(await text(page, "ins"), "1858");
    await page.getByRole("button", { name: /^take out/ }).click();
    await page.keyboard.press("Enter"); // the focus is on the way back, and stays there
    await page.getByRole("button", { name: /^take out/ }).press("Enter");
    await page.getByRole("button", { name: "Take it out" }).click();
    await page.locator(".list").waitFor();
    assert.equal(await page.getByRole("link", { name: "My notes" }).count(), 0);
  });

  await t.test("the whole library is cited and exported", async () => {
    await page.getByText("cite or export the whole library").click();
    const entries = page.locator(".entries li");
    await page.waitForFunction(() => document.querySelectorAll(".entries li").length === 16);
    const style = page.getByRole("combobox", { name: "Style" });
    assert.match(await style.inputValue(), /IEEE/); // as it was chosen last
    await page.getByText(/^\[16\]/).waitFor();
    await style.click();
    await style.fill("apa");
    await page.getByRole("option", { name: /American Psychological/ }).first().click();
    await page.getByText(/^\[16\]/).waitFor({ state: "detached" });
    assert.equal(await entries.count(), 16);
    await shoot(page, "library-cited-light");
    assert.deepEqual(await axeFindings(page), []);

    // What is looked for leaves fewer in the list, and not in the bibliography; what is taken in comes into both.
    await page.getByRole("searchbox", { name: "Find a source" }).fill("letters");
    await page.waitForFunction(() => document.querySelectorAll(".list li").length < 16);
    await page.locator('input[type="file"]').setInputFiles({ name: "weights.md", mimeType: "text/markdown", buffer: Buffer.from("# Weights of the core\n\nThe core held 107 pounds of copper to the nautical mile.") });
    await page.waitForFunction(() => document.querySelectorAll(".entries li").length === 17);
    await entries.filter({ hasText: "Weights of the core" }).waitFor();

    for (const [label, name, word] of [
      ["BibTeX", "library.bib", /@\w+\{/g],
      ["BibLaTeX", "library.bib", /@\w+\{/g],
      ["RIS", "library.ris", /^TY {2}-/gm],
      ["EndNote", "library.xml", /<record>/g],
      ["CSL-JSON", "library.json", /"title":/g],
    ]) {
      const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: label, exact: true }).click()]);
      assert.equal(file.suggestedFilename(), name);
      const content = readFileSync(await file.path(), "utf8");
      assert.equal(content.match(word)?.length, 17, label);
      assert.match(content, /Weights of the core/);
    }
    await page.reload();
    await page.locator(".list").waitFor();
    assert.equal(await entries.count(), 0, "it is worked out before anyone asked");
    await page.keyboard.press("e");
    await entries.first().waitFor();
  });

  assert.deepEqual(troubles, []);
});

test("by keys alone", { skip: missing || false }, async (t) => {
  const { page, troubles, close } = await tab(browser);
  t.after(close);
  const press = async (...keys) => {
    for (const k of keys) await page.keyboard.press(k);
  };
  const focused = () => page.evaluate(() => document.activeElement.id || document.activeElement.textContent);

  await page.goto(`${server.url}/library`);
  await page.locator("h1").waitFor();
  await press("/"); // goes to Ask
  await page.locator("#question").waitFor();
  await page.waitForFunction(() => document.activeElement.id === "question");
  await page.keyboard.type(question);
  await press("Enter");
  await page.locator(".entries li").first().waitFor();

  await press("j", "j", "j");
  assert.equal(await focused(), "s3");
  await press("k");
  assert.equal(await focused(), "s2");
  await press("j", "Enter");
  await page.locator("a.seg#s3.pinned").waitFor();
  assert.ok(await page.evaluate(() => !!document.activeElement.closest(".evidence")), "Enter goes to the evidence");
  await press("]", "[");
  await press("Escape");
  assert.equal(await focused(), "s3");
  assert.equal(await page.locator(".pinned").count(), 0);

  await press("e");
  assert.ok(await page.evaluate(() => !!document.activeElement.closest("#export")), "e goes to export");
  await press("Tab");
  const [file] = await Promise.all([page.waitForEvent("download"), press("Enter")]);
  assert.match(file.suggestedFilename(), /\.bib$/);

  await page.getByRole("combobox", { name: "Style" }).focus();
  const was = await text(page, ".entries");
  await page.keyboard.type("chicago");
  await page.getByRole("option", { name: /Chicago/ }).first().waitFor();
  await page.waitForTimeout(250);
  await press("ArrowDown", "Enter");
  await page.waitForFunction((old) => document.querySelector(".entries").innerText !== old, was);

  await page.locator("h1").click();
  await press("?");
  await page.getByRole("dialog").waitFor();
  await shoot(page, "keys-light");
  await press("Escape");
  await page.getByRole("dialog").waitFor({ state: "hidden" });

  await press("j", "o"); // the document, at the words
  await page.locator("mark.target").first().waitFor();

  await page.goto(`${server.url}/check`);
  await page.getByLabel("Answer", { exact: true }).focus();
  await page.keyboard.type("The cable was laid in 1858.");
  await press("Tab", "Tab");
  await page.keyboard.type("The cable was laid in 1858 by two ships.");
  const go = page.getByRole("button", { name: "Check", exact: true });
  for (let i = 0; i < 8 && !(await go.evaluate((el) => el === document.activeElement)); i++) await press("Tab");
  await press("Enter");
  await page.locator(".found").waitFor();
  await press("j", "Enter");
  await page.locator("a.seg#s1.pinned").waitFor();
  assert.deepEqual(troubles, []);
});
