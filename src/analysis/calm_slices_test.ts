import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import type { BlockResult, VariantSlices } from "../model/block.ts";
import { calmRatio, calmSlices, distanceAt, isOtherDistance } from "./calm_slices.ts";
import { blockRatios, slicesRatio } from "./slice_ratios.ts";
import { blockOf, blocksWith } from "./slices_testdata.ts";

const ROUNDS = [1, 2, 3, 4, 5, 6, 7];
const PAIR = { scenario: "text", connections: 10, perS: null, a: "b", b: "reference" } as const;
const NONE = { cpuUs: null };
const NEAR = 100;
const DISTANT = 620;

/** Returns figures with one slice of 100 responses for each distance; a response takes `cpuUs`. */
function slicesAt(cpuUs: number, roundTripNs: readonly (number | null)[]): Partial<VariantSlices> {
  const each = (value: number): number[] => roundTripNs.map(() => value);
  return {
    responses: each(100),
    busyUs: each(10_000),
    p50Us: each(100),
    cpuUs: each(100 * cpuUs),
    roundTripNs: [...roundTripNs],
  };
}

/**
 * Makes a block in which a server needs `ratio` times the CPU time of the reference. The distances before the
 * slices of the reference can differ.
 */
function blockAt(
  round: number,
  ratio: number,
  roundTripNs: readonly (number | null)[],
  ofReference: readonly (number | null)[] = roundTripNs,
): BlockResult {
  const block = blockOf(round, {
    reference: { change: slicesAt(10, ofReference) },
    b: { change: slicesAt(10 * ratio, roundTripNs) },
  });
  const order = roundTripNs.map(() => [0, 1]);
  return { ...block, slices: block.slices && { ...block.slices, order } };
}

const ratios = (blocks: readonly BlockResult[]): string[] =>
  blockRatios(blocks, { ...PAIR, metric: "serverCpuUs" }).map((ratio) => ratio.toFixed(3));
const passes = (count: number, ns: number): number[] => Array.from({ length: count }, () => ns);

Deno.test("blocks with distant processors do not count", () => {
  const blocks = ROUNDS.map((round) =>
    round === 3 ? blockAt(round, 1.5, passes(8, DISTANT)) : blockAt(round, 2, passes(8, NEAR))
  );
  const { blocks: near, ...distance } = calmSlices(blocks);
  deepStrictEqual(ratios(near).map(Number), passes(6, 2));
  deepStrictEqual(distance, {
    nearNs: NEAR,
    distantNs: DISTANT,
    distant: 8,
    passes: 56,
    near: 6,
    unusual: 0,
    mixed: [],
  });
});

Deno.test("a block keeps its near passes, at least four, and all their figures", () => {
  const of = (near: number): BlockResult => {
    const block = blockAt(7, 1.5, [...passes(8, DISTANT), ...passes(near, NEAR)]);
    const variants = block.slices?.variants.map((one) => ({
      ...one,
      cpuUs: one.cpuUs?.map((us, pass) => pass < 8 ? 2 * us : us) ?? null,
    }));
    return { ...block, slices: block.slices && { ...block.slices, variants: variants ?? [] } };
  };
  const others = ROUNDS.slice(0, 6).map((round) => blockAt(round, 2, passes(8, NEAR)));
  const [last] = calmSlices([...others, of(4)]).blocks.slice(6);
  deepStrictEqual(last?.slices?.order.length, 4);
  for (const one of last?.slices?.variants ?? []) {
    const { responses, busyUs, p50Us, cpuUs, roundTripNs } = one;
    deepStrictEqual([responses, busyUs, p50Us, cpuUs, roundTripNs], [
      passes(4, 100),
      passes(4, 10_000),
      passes(4, 100),
      passes(4, one.variant === "reference" ? 1000 : 1500),
      passes(4, NEAR),
    ]);
  }
  strictEqual(calmSlices([...others, of(3)]).blocks.length, 6);
});

Deno.test("a short block keeps a minority of distant passes", () => {
  const others = ROUNDS.slice(0, 6).map((round) => blockAt(round, 2, passes(8, NEAR)));
  const lengthWith = (near: number, distant: number): number | undefined => {
    const block = blockAt(7, 2, [...passes(near, NEAR), ...passes(distant, DISTANT)]);
    return calmSlices([...others, block]).blocks[6]?.slices?.order.length;
  };
  strictEqual(lengthWith(3, 1), 4);
  strictEqual(lengthWith(2, 2), undefined);
});

Deno.test("few rounds that are all near are not called mixed", () => {
  const blocks = [1, 2].map((round) => blockAt(round, 2, [...passes(8, NEAR), DISTANT]));
  const { blocks: near, mixed } = calmSlices(blocks);
  deepStrictEqual([near.map(({ slices }) => slices?.order.length), mixed], [[8, 8], []]);
});

Deno.test("a single long round trip changes nothing", () => {
  const blocks = ROUNDS.map((round) =>
    blockAt(round, 2, passes(8, NEAR), [DISTANT, NEAR, NEAR, DISTANT, ...passes(4, NEAR)])
  );
  const { blocks: near, distant } = calmSlices(blocks);
  deepStrictEqual([near, distant], [blocks, 0]);
});

Deno.test("a pass is distant if one of its slices is, and does not count if its distance is unknown", () => {
  const block = (round: number): BlockResult => blockAt(round, 2, passes(8, NEAR));
  const ofServer = [NEAR, DISTANT, null, null, ...passes(4, NEAR)];
  const ofReference = [NEAR, NEAR, DISTANT, null, ...passes(4, NEAR)];
  const changed = blockAt(7, 2, ofServer, ofReference);
  const blocks = [...ROUNDS.slice(0, 6).map(block), changed];
  const { blocks: near, distant, passes: known } = calmSlices(blocks);
  deepStrictEqual([near[6]?.slices?.order.length, distant, known], [5, 2, 55]);
});

Deno.test("with two near blocks, a workload keeps all blocks, and is named", () => {
  const distant = ROUNDS.slice(2).map((round) => blockAt(round, 1.5, passes(8, DISTANT)));
  const near = [1, 2].map((round) => blockAt(round, 2, passes(8, NEAR)));
  const json = ROUNDS.map((round) => {
    const block = blockAt(round, 3, passes(8, NEAR));
    return { ...block, block: { ...block.block, scenario: "json" } };
  });
  const selection = calmSlices([...near, ...distant, ...json]);
  deepStrictEqual(selection.mixed, [{ scenario: "text", connections: 10, perS: null }]);
  strictEqual(selection.blocks.length, 14);
  deepStrictEqual(ratios(selection.blocks).map(Number), [...passes(2, 2), ...passes(5, 1.5)]);
});

Deno.test("if six blocks have a few near ones, the interval is Student's", () => {
  const pair = { ...PAIR, metric: "serverCpuUs" } as const;
  const distant = [1, 2, 3].map((round) => blockAt(round, 1.5, passes(8, DISTANT)));
  const near = [-0.01, 0, 0.01].map((log, i) => blockAt(4 + i, 2 * Math.exp(log), passes(8, NEAR)));
  const ratio = calmRatio([...distant, ...near], pair);
  deepStrictEqual([ratio?.rounds, ratio?.estimate.toFixed(6)], [3, "2.000000"]);
  // Two degrees of freedom: t is 4.3027, and the standard error 0.01 / sqrt(3).
  const { low, high, coverage } = ratio?.confidenceInterval ?? {};
  const logs = [low, high].map((end) => Math.log((end ?? 0) / 2).toFixed(5));
  deepStrictEqual([logs, coverage], [["-0.02484", "0.02484"], 0.95]);
  ok((ratio?.pValue ?? 1) < 1e-3);
  const five = calmRatio([...distant.slice(1), ...near], pair);
  deepStrictEqual([five?.rounds, five?.confidenceInterval], [3, null]);
});

Deno.test("if a server failed in a calm block, so that two are left, there is no interval", () => {
  const failed = (block: BlockResult): BlockResult => ({
    ...block,
    slices: block.slices && {
      ...block.slices,
      variants: block.slices.variants.map((own) =>
        own.variant === "b" ? { ...own, wrongResponses: 1 } : own
      ),
    },
  });
  const blocks = ROUNDS.map((round) => {
    const block = blockAt(round, 2, passes(8, round < 4 ? NEAR : DISTANT));
    return round === 3 ? failed(block) : block;
  });
  strictEqual(calmSlices(blocks).blocks.length, 3);
  const { rounds, confidenceInterval } = calmRatio(blocks, { ...PAIR, metric: "serverCpuUs" }) ??
    {};
  deepStrictEqual([rounds, confidenceInterval], [2, null]);
});

Deno.test("from six calm blocks on, and without distant ones, ranks decide", () => {
  const pair = { ...PAIR, metric: "serverCpuUs" } as const;
  const near = ROUNDS.slice(1).map((round) => blockAt(round, 2 + round / 100, passes(8, NEAR)));
  const distant = blockAt(1, 1.5, passes(8, DISTANT));
  deepStrictEqual(calmRatio([...near, distant], pair), slicesRatio(near, pair));
  deepStrictEqual(calmRatio(near.slice(1), pair), slicesRatio(near.slice(1), pair));
});

Deno.test("one distance, and unknown ones, change nothing", () => {
  for (const ns of [DISTANT, null]) {
    const blocks = ROUNDS.map((round) => blockAt(round, 2, Array.from({ length: 8 }, () => ns)));
    const { blocks: near, ...distance } = calmSlices(blocks);
    deepStrictEqual(near, blocks);
    deepStrictEqual(distance, {
      nearNs: ns,
      distantNs: null,
      distant: 0,
      passes: ns === null ? 0 : 56,
      near: ns === null ? 0 : 7,
      unusual: 0,
      mixed: [],
    });
  }
  const old = ROUNDS.map((round) => blockOf(round, { b: {}, reference: {} }));
  deepStrictEqual(calmSlices(old).blocks, old);
  deepStrictEqual(calmSlices([]).blocks, []);
});

Deno.test("blocks without the reference, to confirm, or without slices count as they are", () => {
  const near = ROUNDS.slice(0, 6).map((round) => blockAt(round, 2, passes(8, NEAR)));
  const distant = blockAt(7, 1.5, passes(8, DISTANT));
  const { block } = distant;
  const others: BlockResult[] = [
    { ...distant, block: { ...block, variants: ["a", "b"] } },
    { ...distant, block: { ...block, purpose: "confirm" } },
    { ...distant, slices: null },
  ];
  deepStrictEqual(calmSlices([...near, ...others]).blocks, [...near, ...others]);
  const few = [...near.slice(0, 1), distant, ...others];
  deepStrictEqual(calmSlices(few).mixed, [{ scenario: "text", connections: 10, perS: null }]);
});

/**
 * Makes a near block in which the reference needs `factor` times 10 µs. The server needs 20 µs, or 30 if the
 * factor is not 1.
 */
function blockWith(round: number, factor: number, ns: number | null = NEAR): BlockResult {
  const costs = (us: number): { change: Partial<VariantSlices> } => ({
    change: slicesAt(us, Array.from({ length: 8 }, () => ns)),
  });
  const block = blockOf(round, { reference: costs(10 * factor), b: costs(factor === 1 ? 20 : 30) });
  const order = Array.from({ length: 8 }, () => [0, 1]);
  return { ...block, slices: block.slices && { ...block.slices, order } };
}

Deno.test("blocks do not count in which the reference needed an unusual CPU time", () => {
  const usual = ROUNDS.slice(1).map((round) => blockWith(round, 1));
  for (const factor of [1.09, 0.91, 2]) {
    const { blocks, near, unusual, mixed } = calmSlices([blockWith(1, factor), ...usual]);
    deepStrictEqual([blocks, near, unusual, mixed], [usual, 7, 1, []], `${factor}`);
  }
  for (const factor of [1.07, 0.93]) {
    const all = [blockWith(1, factor), ...usual];
    const { blocks, near, unusual } = calmSlices(all);
    deepStrictEqual([blocks, near, unusual], [all, 7, 0], `${factor}`);
  }
});

Deno.test("only near passes decide whether a CPU time is usual", () => {
  const usual = ROUNDS.slice(1).map((round) => blockWith(round, 1));
  const half = blockAt(1, 2, [...passes(8, NEAR), ...passes(8, DISTANT)]);
  const variants = half.slices?.variants.map((one) => ({
    ...one,
    cpuUs: one.cpuUs?.map((us, pass) => pass < 8 ? us : 2 * us) ?? null,
  })) ?? [];
  const changed = { ...half, slices: half.slices && { ...half.slices, variants } };
  const { blocks, unusual } = calmSlices([...usual, changed]);
  deepStrictEqual([blocks.length, blocks[6]?.slices?.order.length, unusual], [7, 8, 0]);
});

Deno.test("figures are those of calm blocks", () => {
  const blocks = ROUNDS.map((round) => blockWith(round, round < 3 ? 1.2 : 1));
  const pair = { ...PAIR, metric: "serverCpuUs" } as const;
  const { rounds, estimate, confidenceInterval } = calmRatio(blocks, pair) ?? {};
  deepStrictEqual([rounds, estimate?.toFixed(6)], [5, "2.000000"]);
  ok(confidenceInterval);
  strictEqual(slicesRatio(blocks, pair)?.rounds, 7);
});

Deno.test("with two calm blocks, all near ones count", () => {
  const near = [1, 2, 3].map((round) => blockWith(round, round < 3 ? 1 : 1.2));
  const { blocks, unusual, mixed } = calmSlices(near);
  deepStrictEqual([blocks, unusual, mixed], [near, 1, []]);
  const distant = [4, 5, 6].map((round) => blockAt(round, 1.5, passes(8, DISTANT)));
  deepStrictEqual(calmSlices([...near, ...distant]).blocks, near);
});

Deno.test("each workload has its usual CPU time; without CPU times or distances, all are usual", () => {
  const text = ROUNDS.map((round) => blockWith(round, 1));
  const json = ROUNDS.map((round) => {
    const block = blockWith(round, 1.2);
    return { ...block, block: { ...block.block, scenario: "json" } };
  });
  const withoutDistance = ROUNDS.map((round) => blockWith(round, round < 3 ? 1.2 : 1, null));
  const withoutCpu = blocksWith(
    NEAR,
    ROUNDS.map((round) => blockOf(round, { reference: NONE, b: NONE })),
  );
  for (const blocks of [[...text, ...json], withoutDistance, withoutCpu]) {
    const { blocks: calm, unusual } = calmSlices(blocks);
    deepStrictEqual([calm, unusual], [blocks, 0]);
  }
});

Deno.test("distanceAt is that of the slices that count", () => {
  const near = ROUNDS.map((round) =>
    blockAt(round, 2, [...passes(8, NEAR), ...passes(2, DISTANT)])
  );
  const at = (scenario: string) => ({ scenario, connections: 10, perS: null });
  strictEqual(distanceAt(near, at("text")), NEAR);
  strictEqual(distanceAt(near, at("json")), null);
  const mixed = [blockAt(1, 2, passes(8, NEAR)), blockAt(2, 2, passes(12, DISTANT))];
  strictEqual(distanceAt(mixed, at("text")), DISTANT);
});

Deno.test("isOtherDistance compares as a factor", () => {
  strictEqual(isOtherDistance(100, 199), false);
  strictEqual(isOtherDistance(620, 100), true);
  strictEqual(isOtherDistance(null, 100), false, "unknown");
});
