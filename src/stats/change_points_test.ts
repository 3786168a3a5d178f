import { deepStrictEqual, ok } from "node:assert/strict";
import { changePoints } from "./change_points.ts";
import { seededRandom } from "./shuffle.ts";

/** The annual flow of the Nile at Aswan from 1871 to 1970, in 10⁸ m³: Cobb (1978), table 1. */
// deno-fmt-ignore
const NILE = [
  1120, 1160, 963, 1210, 1160, 1160, 813, 1230, 1370, 1140, 995, 935, 1110, 994, 1020, 960, 1180, 799, 958, 1140,
  1100, 1210, 1150, 1250, 1260, 1220, 1030, 1100, 774, 840, 874, 694, 940, 833, 701, 916, 692, 1020, 1050, 969,
  831, 726, 456, 824, 702, 1120, 1100, 832, 764, 821, 768, 845, 864, 862, 698, 845, 744, 796, 1040, 759,
  781, 865, 845, 944, 984, 897, 822, 1010, 771, 676, 649, 846, 812, 742, 801, 1040, 860, 874, 848, 890,
  744, 749, 838, 1050, 918, 986, 797, 923, 975, 815, 1020, 906, 901, 1170, 912, 746, 919, 718, 714, 740,
];

/** Returns roughly normal numbers around 0: sums of twelve uniform ones. */
function noise(length: number, seed: number): number[] {
  const random = seededRandom(seed);
  const one = (): number => Array.from({ length: 12 }, random).reduce((a, b) => a + b) - 6;
  return Array.from({ length }, one);
}

/** Returns noise that increases by a constant from an index on. */
function step(length: number, at: number, by: number, seed: number): number[] {
  return noise(length, seed).map((value, i) => i < at ? value : value + by);
}

Deno.test("changePoints finds what everyone finds in the Nile: less water from 1899 on", () => {
  deepStrictEqual(changePoints(NILE), [1899 - 1871]);
});

Deno.test("changePoints finds one step, two, and what lasts for a while", () => {
  deepStrictEqual(changePoints(step(40, 25, 6, 1)), [25]);
  const twice = step(60, 20, 6, 2).map((value, i) => i < 45 ? value : value + 6);
  deepStrictEqual(changePoints(twice), [20, 45]);
  const while_ = step(60, 20, 6, 3).map((value, i) => i < 35 ? value : value - 6);
  deepStrictEqual(changePoints(while_), [20, 35]);
});

Deno.test("changePoints finds nothing where there is nothing, or too little", () => {
  deepStrictEqual(changePoints([]), []);
  deepStrictEqual(changePoints([1, 1, 1, 9, 9]), []);
  deepStrictEqual(changePoints(Array(30).fill(7)), []);
  deepStrictEqual(
    changePoints([1, 1, 1, 1, 1, 1, 1, 1, 50, 1, 1, 1, 1, 1, 1, 1]),
    [],
    "one outlier",
  );
});

Deno.test("changePoints needs ten values of two levels: fewer come in such an order too often", () => {
  const levels = (before: number, after: number): number[] => [
    ...noise(before, 4).map((value) => value / 100),
    ...noise(after, 5).map((value) => 1 + value / 100),
  ];
  deepStrictEqual(changePoints(levels(5, 5)), [5]);
  deepStrictEqual(changePoints(levels(4, 4)), []);
});

Deno.test("of series in which nothing changes, changePoints finds something in one of a hundred", () => {
  const found = Array.from({ length: 200 }, (_series, i) => changePoints(noise(30, 100 + i)))
    .filter(({ length }) => length > 0);
  // Binomial: more than 7 of 200 at 1 % have a probability of 0.1 %
  ok(found.length <= 7, `${found.length} of 200`);
});
