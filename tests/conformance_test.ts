import { ok } from "node:assert/strict";
import { ProcessScope } from "../src/process/scope.ts";
import { runSuites } from "./suites/run_suites.ts";
import { SUITES } from "./suites/suites.ts";

/** Suites that need no program except OpenSSL. `deno task test:suites` runs all suites. */
const SHORT = ["http1", "tls"];

Deno.test("the server passes the cases of HTTP/1.1 and TLS, but for those that are known", async () => {
  await using scope = new ProcessScope();
  const lines: string[] = [];
  const suites = SUITES.filter(({ id }) => SHORT.includes(id));
  const isFine = await runSuites(scope, suites, (line) => void lines.push(line));
  ok(isFine, lines.join("\n"));
});
