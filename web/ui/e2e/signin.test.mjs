// People sign in through OpenID Connect: who is let in comes in as themselves, who is not is told so, and out is out.
import assert from "node:assert/strict";
import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createServer as listener } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { axeFindings, missing, open, serve, shoot, tab } from "./world.mjs";

/** A provider of sign-ins whose page asks which account to go on as. */
async function issuer(accounts) {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const codes = new Map();
  const part = (v) => Buffer.from(JSON.stringify(v)).toString("base64url");
  const server = createServer((req, res) => {
    const url = new URL(req.url, base());
    const q = url.searchParams;
    const json = (v) => (res.writeHead(200, { "Content-Type": "application/json" }), res.end(JSON.stringify(v)));
    switch (url.pathname) {
      case "/.well-known/openid-configuration":
        return json({ issuer: base(), authorization_endpoint: `${base()}/authorize`, token_endpoint: `${base()}/token`, jwks_uri: `${base()}/keys`, id_token_signing_alg_values_supported: ["RS256"], response_types_supported: ["code"], subject_types_supported: ["public"] });
      case "/keys":
        return json({ keys: [{ ...publicKey.export({ format: "jwk" }), kid: "k", alg: "RS256", use: "sig" }] });
      case "/favicon.ico":
        return res.writeHead(204).end();
      case "/authorize":
        res.writeHead(200, { "Content-Type": "text/html" });
        return res.end(`<!doctype html><title>Accounts</title><h1>Who are you?</h1>${accounts.map((a, i) => `<p><a href="/chosen?${q}&account=${i}">${a}</a></p>`).join("")}`);
      case "/chosen": {
        const code = randomBytes(8).toString("hex");
        codes.set(code, { email: accounts[+q.get("account")], nonce: q.get("nonce"), proof: q.get("code_challenge"), audience: q.get("client_id") });
        res.writeHead(302, { Location: `${q.get("redirect_uri")}?code=${code}&state=${encodeURIComponent(q.get("state"))}` });
        return res.end();
      }
      case "/token": {
        let body = "";
        req.on("data", (b) => (body += b));
        return req.on("end", () => {
          const form = new URLSearchParams(body);
          const of = codes.get(form.get("code"));
          codes.delete(form.get("code"));
          if (!of || createHash("sha256").update(form.get("code_verifier")).digest("base64url") !== of.proof) return res.writeHead(400).end();
          const now = Math.floor(Date.now() / 1000);
          const said = `${part({ alg: "RS256", kid: "k" })}.${part({ iss: base(), aud: of.audience, sub: of.email, email: of.email, email_verified: true, nonce: of.nonce, iat: now, exp: now + 3600 })}`;
          json({ access_token: "x", token_type: "Bearer", id_token: `${said}.${sign("sha256", Buffer.from(said), privateKey).toString("base64url")}` });
        });
      }
    }
    res.writeHead(404).end();
  });
  await new Promise((ok) => server.listen(0, "localhost", ok));
  const base = () => `http://localhost:${server.address().port}`;
  return { url: base(), close: () => new Promise((ok) => (server.closeAllConnections(), server.close(ok))) };
}

/** A port that is free: the provider must know where to lead back to before the server starts. */
const freePort = () =>
  new Promise((ok) => {
    const l = listener().listen(0, "localhost", () => {
      const { port } = l.address();
      l.close(() => ok(port));
    });
  });

test("people sign in", { skip: missing || false }, async (t) => {
  const [provider, port, browser] = await Promise.all([issuer(["ada@example.org", "eve@elsewhere.org", "root@example.org"]), freePort(), open()]);
  const dir = mkdtempSync(join(tmpdir(), "ibid-signin-"));
  writeFileSync(join(dir, "config.toml"), `[serve.oidc]\nissuer = "${provider.url}"\nclient_id = "ibid"\nredirect_url = "http://localhost:${port}/auth/callback"\nallow = ["@example.org"]\nadmins = ["root@example.org"]\n`);
  const server = await serve({ IBID_OIDC_SECRET: "s" }, "--addr", `localhost:${port}`, "--no-auth=false", "--config", join(dir, "config.toml"));
  t.after(async () => {
    await Promise.all([server.close(), provider.close(), browser.close()]);
    rmSync(dir, { recursive: true, force: true });
  });
  const { page, troubles } = await tab(browser);
  const asked = () => page.getByRole("heading", { name: "This server asks who you are" }).waitFor();

  await t.test("who is not let in is told so, and sees nothing", async () => {
    await page.goto(`${server.url}/library`);
    await asked();
    await shoot(page, "signin-light");
    assert.deepEqual(await axeFindings(page), []);
    await page.getByRole("link", { name: "Sign in" }).click();
    await page.getByRole("link", { name: "eve@elsewhere.org" }).click();
    await page.getByText("this account is not among those that are let in").waitFor();
    await page.goto(`${server.url}/library`);
    await asked();
  });

  await t.test("who is let in comes in as themselves, by keys alone", async () => {
    await page.getByRole("link", { name: "Sign in" }).press("Enter");
    await page.getByRole("link", { name: "ada@example.org" }).press("Enter");
    await page.getByRole("heading", { name: "Library", exact: true }).waitFor(); // where they were
    await page.goto(`${server.url}/settings`);
    await page.getByText("ada@example.org").first().waitFor();
    assert.equal(await page.getByText("Keys", { exact: true }).count(), 0, "who is no administrator makes no keys");
    const cookie = (await page.context().cookies()).find((c) => c.name === "ibid_session");
    assert.ok(cookie.httpOnly && cookie.sameSite === "Lax", "script cannot read the session, other sites cannot use it");
  });

  await t.test("out is out", async () => {
    await page.getByRole("button", { name: "Sign out" }).click();
    await asked();
    await page.reload();
    await asked();
  });

  await t.test("an administrator may do everything", async () => {
    await page.getByRole("link", { name: "Sign in" }).click();
    await page.getByRole("link", { name: "root@example.org" }).click();
    await page.getByRole("button", { name: "Load the sample library" }).waitFor();
    await page.goto(`${server.url}/settings`);
    await page.getByRole("heading", { name: "Keys" }).waitFor();
  });

  // What the browser itself notes of a refusal is no trouble of the page.
  assert.deepEqual(troubles.filter((x) => !/40[13]/.test(x)), []);
});
