// deno-lint-ignore-file no-console -- it runs before the modules of the command line are fetched
/**
 * Fetches missing npm packages. The entries of the command line and of the action import this module
 * before all others.
 */
import { fileURLToPath } from "node:url";
import { fetchModules } from "./src/cli/modules.ts";
import { messageOf } from "./src/model/errors.ts";

try {
  await fetchModules(fileURLToPath(new URL(".", import.meta.url)), {
    write: (text) => void Deno.stderr.writeSync(new TextEncoder().encode(text)),
    isTerminal: Deno.stderr.isTerminal(),
  });
} catch (error) {
  console.error(messageOf(error));
  Deno.exit(1);
}
