import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { groupCores } from "./topology.ts";

Deno.test("groupCores puts siblings together, however they are numbered", () => {
  deepStrictEqual(groupCores([0, 1, 2, 3], ["0,2\n", "1,3\n", "0,2\n", "1,3\n"]), {
    cores: [[0, 2], [1, 3]],
    smt: true,
  });
  deepStrictEqual(groupCores([0, 1, 2, 3], ["0-1", "0-1", "2-3", "2-3"]), {
    cores: [[0, 1], [2, 3]],
    smt: true,
  });
  deepStrictEqual(groupCores([0, 1], ["0", "1"]), { cores: [[0], [1]], smt: false });
});

Deno.test("groupCores leaves out siblings that may not be used, and tells that there are some", () => {
  deepStrictEqual(groupCores([1, 4, 5], ["1,5", "0,4", "1,5"]), {
    cores: [[1, 5], [4]],
    smt: true,
  });
});

Deno.test("groupCores does not guess", () => {
  strictEqual(groupCores([0, 1], ["0", null]), null);
  strictEqual(groupCores([0, 1], ["0", "(null)"]), null);
  strictEqual(groupCores([0, 1], ["0", "0"]), null);
});
