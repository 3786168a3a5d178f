import { strictEqual } from "node:assert/strict";
import { fileURLToPath } from "node:url";

Deno.test("JSR would accept the types of scenarios and reports", async () => {
  const { code, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["publish", "--dry-run", "--allow-dirty"],
    cwd: fileURLToPath(new URL("..", import.meta.url)),
    env: { NO_COLOR: "1" },
  }).output();
  strictEqual(code, 0, new TextDecoder().decode(stderr));
});
