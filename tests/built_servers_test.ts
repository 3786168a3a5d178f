import { ok } from "node:assert/strict";
import type { Server } from "../src/model/server.ts";
import { readCatalog } from "../src/target/catalog.ts";
import { IS_ALL } from "./bench.ts";
import { keepToContract } from "./contract.ts";
import { talkToDatabaseOnly, whyNoStrace } from "./outgoing.ts";

/**
 * Servers that `test:more` builds: one or two for each program that builds, except CMake and Zig, which take
 * minutes. All servers take too long for CI, so only `test:long toolchains` builds them all.
 */
const USUAL = [
  "bun",
  "express",
  "flask",
  "go-http",
  "hono-deno",
  "java-async",
  "ktor",
  "rust-tokio",
];
const REASON = whyNoStrace();
const which = IS_ALL ? "every server that has to be built" : "servers of most builders";

function isWanted({ id, prepare }: Server): boolean {
  return prepare.length > 0 && (IS_ALL || USUAL.includes(id));
}

Deno.test("the servers of test:more have to be built", async () => {
  const catalog = await readCatalog();
  for (const id of USUAL) ok((catalog.get(id)?.prepare.length ?? 0) > 0, id);
});

Deno.test({
  name: `${which}: the contract is kept`,
  fn: (t) => keepToContract(t, isWanted),
});

Deno.test({
  name: `${which}: each talks to its database only${REASON ? ` (${REASON})` : ""}`,
  ignore: REASON !== null,
  fn: (t) => talkToDatabaseOnly(t, isWanted),
});
