import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import type { CpuProfile } from "../model/profile.ts";
import { foldStacks } from "./profiles.ts";

type Tree = readonly [name: string, url: string, samples: number, ...callees: Tree[]];

/** Makes a profile of these calls, with ids from `first` on. */
function profileOf(tree: Tree, first = 1): CpuProfile {
  const nodes: CpuProfile["nodes"][number][] = [];
  const samples: number[] = [];
  const add = ([functionName, url, count, ...callees]: Tree): number => {
    const id = first + nodes.length;
    const children: number[] = [];
    const callFrame = {
      scriptId: "0",
      functionName,
      url,
      lineNumber: url === "" ? -1 : 9,
      columnNumber: 0,
    };
    nodes.push({ id, callFrame, children });
    samples.push(...Array<number>(count).fill(id));
    for (const callee of callees) children.push(add(callee));
    return id;
  };
  add(tree);
  return { nodes, samples, startTime: 5, endTime: 2_000_005 };
}

const OWN = "file:///home/somebody/secret/app/main.js";
const PROFILE = profileOf(["(root)", "", 0, ["(idle)", "", 50], ["(program)", "", 10], [
  "serve",
  "ext:deno_http/00_serve.ts",
  10,
  ["handle", OWN, 20, ["query", "file:///x/node_modules/.deno/pg@8/node_modules/pg/lib/a.js", 4]],
], ["(garbage collector)", "", 6]]);

Deno.test("foldStacks keeps calls below their callers, with their own samples and all of them", () => {
  deepStrictEqual(foldStacks([PROFILE]), {
    durationS: 2,
    samples: 100,
    inCalls: 40,
    frames: [
      {
        depth: 0,
        name: "serve",
        place: "ext:deno_http/00_serve.ts:10",
        kind: "runtime",
        self: 10,
        total: 34,
      },
      { depth: 1, name: "handle", place: "app/main.js:10", kind: "own", self: 20, total: 24 },
      { depth: 2, name: "query", place: "pg/lib/a.js:10", kind: "package", self: 4, total: 4 },
      {
        depth: 0,
        name: "(garbage collector)",
        place: null,
        kind: "native",
        self: 6,
        total: 6,
      },
    ],
  });
});

Deno.test("foldStacks adds up threads, whose functions have other numbers", () => {
  const other = profileOf(["(root)", "", 0, ["(idle)", "", 8], [
    "serve",
    "ext:deno_http/00_serve.ts",
    2,
  ]], 700);
  const foldedStacks = foldStacks([PROFILE, other]);
  strictEqual(foldedStacks?.samples, 110);
  strictEqual(foldedStacks?.inCalls, 42);
  deepStrictEqual(foldedStacks?.frames.map(({ name, total }) => [name, total]), [
    ["serve", 36],
    ["handle", 24],
    ["query", 4],
    ["(garbage collector)", 6],
  ]);
});

Deno.test("foldStacks leaves out what could not be seen, and tells of the server's disk no more than a file's end", () => {
  const many = Array.from({ length: 180 }, (_one, i): Tree => [`f${i}`, OWN, 1000 + i]);
  const foldedStacks = foldStacks([profileOf(["(root)", "", 0, ["tiny", OWN, 1], ...many])]);
  strictEqual(foldedStacks?.frames.length, 150);
  strictEqual(foldedStacks?.frames[0]?.name, "f179");
  ok(!JSON.stringify(foldedStacks).includes("somebody"));
  const windows = profileOf(["(root)", "", 0, ["f", "file:///C:/Users/somebody/app/main.js", 1]]);
  strictEqual(foldStacks([windows])?.frames[0]?.place, "app/main.js:10");
});

Deno.test("foldStacks of nothing is nothing", () => {
  strictEqual(foldStacks([]), null);
  strictEqual(foldStacks([profileOf(["(root)", "", 0])]), null);
  strictEqual(foldStacks([{ nodes: [], startTime: 0, endTime: 1 }]), null);
});
