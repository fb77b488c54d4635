// A language model that says what it is told to, slowly enough to be watched.
import { createServer } from "node:http";

export const told = [
  "The first transatlantic cable was completed on 5 August 1858, when the end was landed at Knightstown. ",
  "It carried messages for about three weeks and then fell silent. ",
  "The Queen's message to President Buchanan took twenty hours to pass. ",
  "Its keeper in Dublin adored yellow tulips.\n\n",
  "I hope this helps.",
];

/** Speaks as OpenAI's API does. says gives the answer to a question; pause is between pieces, in milliseconds. */
export async function model({ says = () => told.join(""), pause = 12 } = {}) {
  const server = createServer((req, res) => {
    let body = "";
    req.on("data", (b) => (body += b));
    req.on("end", async () => {
      const asked = JSON.parse(body || "{}").messages?.at(-1)?.content ?? "";
      res.writeHead(200, { "Content-Type": "text/event-stream" });
      const chunk = (delta, finish = null) => res.write(`data: ${JSON.stringify({ id: "1", object: "chat.completion.chunk", model: "scripted-1", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`);
      for (const piece of says(asked).match(/\S+\s*|\s+/g) ?? []) {
        chunk({ content: piece });
        if (pause) await new Promise((ok) => setTimeout(ok, pause));
      }
      chunk({}, "stop");
      res.end("data: [DONE]\n\n");
    });
  });
  await new Promise((ok) => server.listen(0, "localhost", ok));
  return {
    env: { IBID_PROVIDER: "openai", IBID_MODEL: "scripted-1", IBID_BASE_URL: `http://localhost:${server.address().port}`, OPENAI_API_KEY: "test" },
    close: () => new Promise((ok) => (server.closeAllConnections(), server.close(ok))),
  };
}
