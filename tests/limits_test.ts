import { deepStrictEqual } from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { LIMITS } from "../src/server/limits.ts";

const PAGE = fileURLToPath(new URL("../docs/contract.md", import.meta.url));

Deno.test("docs/contract.md has each limit of Stampede's server with its value", async () => {
  const rows = (await Deno.readTextFile(PAGE))
    .matchAll(/^\|[^|]+\| `([A-Z_]+)` +\| +([\d,]+)(?:, or [^|]+)? +\|/gm);
  const written = Array.from(rows, ([, name, value]) => [name, value?.replaceAll(",", "")]);
  const actual = Object.entries(LIMITS).map(([name, value]) => [name, String(value)]);
  deepStrictEqual(written.toSorted(), actual.toSorted());
});
