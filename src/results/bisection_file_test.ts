import { deepStrictEqual, notStrictEqual, rejects, strictEqual } from "node:assert/strict";
import { judgeChanges, undecided } from "../analysis/changes.ts";
import type { BisectionFile } from "../model/bisection.ts";
import type { Change } from "../model/derived.ts";
import { bisectionPath, readBisection, writeBisection } from "./bisection_file.ts";

const KEY = { variant: "head", scenario: "json", connections: 1, perS: null };
const CHANGE = undecided(
  { ...KEY, metric: "serverCpuUs", method: "slices", floor: 0.005 },
  [1, 1, 1, 1, 1, 1],
  [1.1, 1.1, 1.2, 1.1, 1.1, 1.1],
);
const FILE: BisectionFile = {
  format: 1,
  followed: judgeChanges([CHANGE], "paired").changes[0] as Change,
  report: "results/first.json",
  looks: [
    { candidate: "abc", slowdowns: [1.1, 1.2], why: null, report: "results/second.json" },
    { candidate: "def", slowdowns: [], why: "it does not build", report: null },
  ],
};

Deno.test("the file of a bisection is read as it was written, and a damaged one is refused", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const path = bisectionPath({ folder, results: "results" }, { good: "a", bad: "b" });
    strictEqual(await readBisection(path), null);
    await writeBisection(path, FILE);
    deepStrictEqual(await readBisection(path), FILE);
    const other = bisectionPath({ folder, results: "results" }, { good: "a", bad: "c" });
    notStrictEqual(path, other);
    const damaged = [
      "",
      "{",
      "[]",
      JSON.stringify({ ...FILE, format: 2 }),
      JSON.stringify({ ...FILE, looks: [{ ...FILE.looks[0], slowdowns: [0] }] }),
    ];
    for (const text of damaged) {
      await Deno.writeTextFile(path, text);
      await rejects(readBisection(path), {
        name: "UsageError",
        message: /^Cannot continue from .*bisect-[0-9a-f]{12}\.json: .*; --restart begins anew$/,
      });
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
