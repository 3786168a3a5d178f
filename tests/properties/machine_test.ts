import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import fc from "fast-check";
import {
  findCpuGroups,
  IN_PROC,
  parseCpuList,
  parseLimit,
  parseThrottled,
} from "../../src/machine/facts.ts";
import { parsePs } from "../../src/process/tree.ts";
import { damagedText, holds } from "./inputs.ts";

/** One example of each kernel file that is read. */
const TEXTS = [
  "cpu  10 20 30 40 50 60 70 80 0 0\ncpu0 1 2 3 4 5 6 7 8 0 0\n",
  "some avg10=1.53 avg60=0.87 avg300=0.73 total=1\nfull avg10=0.00 avg60=0.00 total=0\n",
  "TCP: inuse 5 orphan 0 tw 12 alloc 9 mem 1\nUDP: inuse 1 mem 2\n",
  "Max open files            20000                524288               files     \n",
  "Cpus_allowed:\t3\nCpus_allowed_list:\t0-1,4\n",
  "32768\t60999\n",
  "150000 100000\n",
  "nr_periods 1\nthrottled_usec 1234\n",
  "throttled_time 99\n",
  "flags\t\t: fpu hypervisor lahf_lm\n",
  "4096\n",
  "0-3,8\n",
];
const PARSERS = [
  parseCpuList,
  parseLimit,
  parseThrottled,
  ...Object.values(IN_PROC).map(({ parse }) => parse),
];

/** Returns every number in a value. */
function numbersIn(value: unknown): number[] {
  if (typeof value === "number") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(numbersIn);
}

holds(
  "of what the kernel does not say nothing is known, and all numbers are numbers",
  fc.oneof(...TEXTS.map(damagedText), fc.string()),
  (text) => {
    for (const parse of PARSERS) {
      const numbers = numbersIn(parse(text));
      ok(
        numbers.every((value) => Number.isFinite(value) && value >= 0),
        `${parse.name}: ${numbers}`,
      );
    }
  },
);

holds(
  "a list of processors is read as it was written",
  fc.uniqueArray(fc.nat(1023), { minLength: 1 }),
  (cpus) => {
    const sorted = cpus.toSorted((a, b) => a - b);
    deepStrictEqual(parseCpuList(cpus.join(",")), sorted);
    const [first = 0] = sorted;
    deepStrictEqual(parseCpuList(`${first}-${first + 2}`), [first, first + 1, first + 2]);
  },
);

const GROUPS = "12:cpu,cpuacct:/user.slice\n0::/user.slice/one.scope\n";
const MOUNTS = "30 25 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n";

holds(
  "groups are found below where they are mounted, or not at all",
  fc.tuple(
    fc.oneof(damagedText(GROUPS), fc.string()),
    fc.oneof(fc.constant(MOUNTS), damagedText(MOUNTS), fc.string()),
  ),
  ([groups, mounts]) => {
    const found = findCpuGroups(groups, mounts);
    const last = found?.folders.at(-1) ?? "";
    for (const folder of found?.folders ?? []) ok(folder.startsWith(last), folder);
  },
);

const PS = "  101     1   0:01.50   0:02.25\n  102   101  10:00.00  10:00.01\n";

holds("what ps says is read, or left out", fc.oneof(damagedText(PS), fc.string()), (text) => {
  for (const [pid, { parent, userUs, systemUs }] of parsePs(text)) {
    for (const value of [pid, parent, userUs, systemUs]) ok(Number.isFinite(value), text);
  }
  strictEqual(parsePs(PS).get(102)?.systemUs, 10_000);
});
