import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { cpus } from "node:os";
import { fileURLToPath } from "node:url";
import type { VariantSlices } from "../../model/block.ts";
import { freePort } from "../../process/connect.ts";
import { ProcessScope } from "../../process/scope.ts";
import { Slicer } from "../shard.ts";
import type { SliceTarget } from "./slices.ts";
import { sliced, type TestSlices } from "../testdata/driving.ts";
import { serveTexts, sleep, type TestHandler } from "../testdata/testing.ts";
import { ONE_BY_ONE } from "./load_client.ts";

const BARE = fileURLToPath(new URL("../../../peers/deno-bare/main.ts", import.meta.url));
const never = new AbortController().signal;
const LINUX = Deno.build.os === "linux";

/** Waits until a server answers. */
async function untilAnswered(origin: string): Promise<void> {
  for (let tried = 0; tried < 1000; tried++) {
    const response = await fetch(origin).catch(() => null);
    await response?.body?.cancel();
    if (response !== null) return;
    await sleep(20);
  }
  throw new Error(`${origin} does not answer`);
}

const right: TestHandler = () => new Response("right");
const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
const only = ({ variants }: TestSlices): VariantSlices => variants[0] as VariantSlices;

Deno.test("slices take the variants in turn, in shuffled orders that are then reversed", async () => {
  const { order, variants, isAwake } = await sliced([right, right, right]);
  ok(order.length % 2 === 0);
  for (let i = 0; i < order.length; i += 2) {
    deepStrictEqual(order[i + 1], order[i]?.toReversed());
    deepStrictEqual(order[i]?.toSorted(), [0, 1, 2]);
  }
  deepStrictEqual(variants.map(({ variant }) => variant), ["variant-0", "variant-1", "variant-2"]);
  strictEqual(isAwake, false, "nothing was to be kept awake");
});

Deno.test("each slice has its responses, all of them looked at, and nothing is left under way", async () => {
  const slices = await sliced([right, right]);
  for (
    const { responses, busyUs, p50Us, statuses, checkedBodies, wrongResponses } of slices.variants
  ) {
    deepStrictEqual([responses, busyUs, p50Us].map(({ length }) => length), [
      slices.order.length,
      slices.order.length,
      slices.order.length,
    ]);
    ok(responses.every((count) => count >= 20), String(responses));
    deepStrictEqual([statuses["200"], checkedBodies, wrongResponses], [
      total(responses),
      total(responses),
      0,
    ]);
    ok(p50Us.every((us) => us > 0));
  }
});

Deno.test("beside a variant that takes long for its responses, the others are loaded for longer too", async () => {
  const slow: TestHandler = async () => {
    await sleep(20);
    return new Response("right");
  };
  const { variants: [a, b] } = await sliced([slow, right], { connections: 1, sliceResponses: 5 });
  const answering = (variant: VariantSlices | undefined): number[] =>
    variant?.busyUs.map((us) => us / 1000) ?? [];
  ok(answering(a).every((ms) => ms >= 100), "5 responses of 20 ms");
  ok(Math.max(...answering(b)) > 30, "ten milliseconds would do for it alone");
});

Deno.test("with pipelining, connections wait no longer than the slices take", async () => {
  const slow: TestHandler = async () => {
    await sleep(3);
    return new Response("right");
  };
  const { variants, durationS } = await sliced([slow], { connections: 2 }, [], { pipelined: 4 });
  const { busyUs, responses } = variants[0] as VariantSlices;
  strictEqual(total(responses) % 4, 0);
  ok(total(busyUs) > 0 && total(busyUs) <= 2 * 1e6 * durationS, `${busyUs} in ${durationS} s`);
});

Deno.test("a block has at least eight passes", async () => {
  const { order } = await sliced([right, right], { durationS: 0 });
  strictEqual(order.length, 8);
});

Deno.test("a slow server is warmed up for twice the length of its warm-up", async () => {
  const slow: TestHandler = async () => {
    await sleep(10);
    return new Response("right");
  };
  const lengths = { warmupS: 0.1, mostWarmupS: 10 };
  const { warmup } = await sliced([slow, right], lengths, [], {}, [0.9, 0]);
  ok((warmup?.tookS ?? 0) >= 1.1, `${warmup?.tookS} s, after 0.9 s alone`);
});

Deno.test("a variant with a longer warm-up begins before the others", async () => {
  const first: (number | undefined)[] = [];
  const handlers = [0, 1].map((i): TestHandler => () => {
    first[i] ??= performance.now();
    return new Response("right");
  });
  const { variants } = await sliced(handlers, {}, [], {}, [0, 0.5]);
  const [usual = NaN, early = NaN] = first;
  // Half a second, less what a busy machine delays the first response; otherwise a slice of some ms
  ok(usual - early >= 100, `${usual - early} ms`);
  strictEqual(variants[0]?.responses.length, variants[1]?.responses.length, "none of it counts");
});

Deno.test("slices count wrong responses, other statuses and closed connections", async () => {
  let count = 0;
  const sloppy: TestHandler = () =>
    new Response(++count % 7 === 0 ? "wrong" : "right", { status: count % 5 === 0 ? 503 : 200 });
  const { wrongResponses, wrongResponse, statuses } = only(await sliced([sloppy, right]));
  ok(wrongResponses > 0 && (statuses["503"] ?? 0) > 0);
  strictEqual(wrongResponse, "wrong");
});

Deno.test("slices notice responses that no request asked for", async () => {
  const text = "HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nright";
  for (const texts of [[text + text], [text, text]]) {
    const doubling = serveTexts((request) => request <= 200 ? [text] : texts);
    const { variants: [wrong, other] } = await sliced([doubling, right]);
    ok((wrong?.wrongResponses ?? 0) > 0);
    strictEqual(wrong?.wrongResponse, "bytes after a response that belong to no request");
    strictEqual(other?.wrongResponses, 0);
  }
});

Deno.test("a server may close connections that are idle between its slices", async () => {
  const slow: TestHandler = async () => {
    await sleep(300);
    return new Response("right");
  };
  const text = "HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nright";
  const closing = serveTexts(() => [text], 0, 1100);
  const { variants: [own] } = await sliced([closing, slow], { connections: 1, sliceResponses: 5 });
  deepStrictEqual([own?.transportErrors, own?.error], [0, null]);
});

Deno.test("a server that does not answer costs its slices, and no other", async () => {
  const late: TestHandler = async () => {
    await sleep(3000);
    return new Response("right");
  };
  const earlyS = 60;
  const startedMs = performance.now();
  const job = { timeoutS: 0.2, durationS: 0.1 };
  const { variants: [mute, other] } = await sliced([late, right], job, [], {}, [earlyS]);
  ok(performance.now() - startedMs < 1000 * earlyS, "its warm-up ends after a silent slice");
  strictEqual(total(mute?.responses ?? []), 0);
  ok((mute?.timeouts ?? 0) > 0);
  ok(total(other?.responses ?? []) > 0);
});

Deno.test("a server that falls silent is not waited for again", async () => {
  let count = 0;
  const falling: TestHandler = async () => {
    if (++count > 100) await sleep(3000);
    return new Response("right");
  };
  const job = { timeoutS: 0.2, durationS: 0.5, warmupS: 0.1 };
  const { variants: [fallen, other] } = await sliced([falling, right], job);
  const first = fallen?.responses.indexOf(0) ?? -1;
  ok(first >= 0, String(fallen?.responses));
  strictEqual(total(fallen?.responses.slice(first) ?? []), 0);
  ok(
    (fallen?.timeouts ?? 0) < 100,
    `${fallen?.timeouts}: those of two slices, of two seconds each`,
  );
  ok(total(other?.responses ?? []) > 0);
});

Deno.test({
  name: "CPU time is read around each slice of a server, and over all of them",
  ignore: !LINUX,
  async fn(): Promise<void> {
    await using scope = new ProcessScope();
    await using slicer = new Slicer(scope, null, []);
    const targets: SliceTarget[] = [];
    for (const variant of ["a", "b"]) {
      const port = freePort();
      const argv = [Deno.execPath(), "run", "--quiet", "-A", BARE, "text"];
      const { pid } = scope.spawn({ argv, env: { PORT: String(port) } });
      const origin = `http://127.0.0.1:${port}`;
      await untilAnswered(origin);
      const request = { method: "GET", path: "/", headers: {}, body: null } as const;
      targets.push({
        variant,
        origin,
        pid,
        earlyS: 0,
        request,
        ...ONE_BY_ONE,
        expected: { same: "Hello world" },
      });
    }
    const length = {
      approaches: true,
      warmupS: 0.1,
      mostWarmupS: 0.1,
      durationS: 0.3,
      sliceMs: 10,
      sliceResponses: 20,
    };
    const job = { targets, connections: 3, timeoutS: 5, ...length, seed: 1 };
    const { order, variants, durationS } = await slicer.measure(job, never);
    const isKnown = cpus().length === 2;
    for (const { roundTripNs } of variants) {
      strictEqual(roundTripNs?.length, isKnown ? order.length : undefined);
      ok(!isKnown || roundTripNs?.some((ns) => ns !== null && ns > 0), String(roundTripNs));
    }
    for (const { cpuUs, totalCpuUs } of variants) {
      ok(cpuUs !== null && totalCpuUs !== null);
      ok(cpuUs.every((us) => us > 0));
      // Each value is rounded to a tenth of a microsecond
      ok(total(cpuUs) <= totalCpuUs + 0.06 * (cpuUs.length + 1), `${cpuUs} of ${totalCpuUs}`);
      ok(totalCpuUs <= 1e6 * durationS * navigator.hardwareConcurrency);
    }
  },
});

/** A server that starts a program for each request. */
const FORKING = `Deno.serve({ hostname: "127.0.0.1", port: Number(Deno.args[0]) }, async () => {
  await new Deno.Command("sh", { args: ["-c", "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done"] }).output();
  return new Response("right");
})`;

Deno.test({
  name: "the CPU time of a server is unknown if it starts programs for its responses",
  ignore: !LINUX,
  async fn(): Promise<void> {
    await using scope = new ProcessScope();
    await using slicer = new Slicer(scope, null, []);
    const port = freePort();
    const main = `${await scope.makeFolder()}/main.ts`;
    await Deno.writeTextFile(main, FORKING);
    const argv = [Deno.execPath(), "run", "--quiet", "-A", main, String(port)];
    const { pid } = scope.spawn({ argv, env: { PATH: Deno.env.get("PATH") ?? "" } });
    const origin = `http://127.0.0.1:${port}`;
    await untilAnswered(origin);
    const request = { method: "GET", path: "/", headers: {}, body: null } as const;
    const target = { origin, pid, earlyS: 0, request, ...ONE_BY_ONE, expected: null };
    const length = {
      warmupS: 0.1,
      mostWarmupS: 0.1,
      durationS: 0.3,
      sliceMs: 10,
      sliceResponses: 2,
    };
    const { variants: [own] } = await slicer.measure({
      targets: [{ variant: "forking", ...target }],
      approaches: false,
      connections: 1,
      timeoutS: 5,
      ...length,
      seed: 1,
    }, never);
    ok(total(own?.responses ?? []) > 0);
    deepStrictEqual([own?.cpuUs, own?.totalCpuUs], [null, null]);
  },
});

Deno.test({
  name: "slices say whether processors were kept awake",
  ignore: !LINUX,
  async fn(): Promise<void> {
    strictEqual((await sliced([right, right], {}, [0])).isAwake, true);
    strictEqual((await sliced([right, right], {}, [99_999])).isAwake, false);
  },
});
