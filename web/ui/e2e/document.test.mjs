// The OpenAPI document that the program serves is held against the official schema of OpenAPI 3.1.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Validator } from "@seriousme/openapi-schema-validator";
import { missing, serve } from "./world.mjs";

test("the document is OpenAPI 3.1", { skip: missing.includes("not built") ? missing : false }, async (t) => {
  const server = await serve();
  t.after(() => server.close());
  const document = await server.get("/openapi.json");

  const validator = new Validator();
  const result = await validator.validate(structuredClone(document));
  assert.ok(result.valid, JSON.stringify(result.errors, null, 1));
  assert.equal(validator.version, "3.1");
  assert.doesNotThrow(() => validator.resolveRefs(), "a reference leads nowhere");

  // The validator does find what is wrong.
  const operation = Object.values(document.paths["/api/v1/ask"])[0];
  operation.parameters[0].in = "nowhere";
  assert.equal((await new Validator().validate(document)).valid, false);
});
