// Empties the build output but for the placeholder that is kept in git.
import { readdirSync, rmSync } from "node:fs";

for (const name of readdirSync("dist")) {
  if (name !== "placeholder.txt") rmSync(`dist/${name}`, { recursive: true });
}
