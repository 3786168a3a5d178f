import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { parseCpuList } from "./cpu_list.ts";

Deno.test("parseCpuList reads numbers and ranges, in ascending order, each once", () => {
  deepStrictEqual(parseCpuList("0\n"), [0]);
  deepStrictEqual(parseCpuList("0-3,8"), [0, 1, 2, 3, 8]);
  deepStrictEqual(parseCpuList("10,2,0-2"), [0, 1, 2, 10]);
});

Deno.test("parseCpuList does not take anything else for a list", () => {
  for (const text of ["", "\n", "(null)", "3-1", "0,,1", "0-", "-1"]) {
    strictEqual(parseCpuList(text), null, text);
  }
});
