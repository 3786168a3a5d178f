import { ok } from "node:assert/strict";
import fc from "fast-check";
import { BUILT_IN_GENERATORS, TOOLS } from "../../src/load/generator_list.ts";
import { type Reading, readingOf, type Tool, type ToolOutput } from "../../src/load/tools/tool.ts";
import { accepted, damagedJson, damagedText, holds } from "./inputs.ts";

const FIXTURES = new URL("../../src/load/tools/testdata/", import.meta.url);

/** Returns all recorded outputs of a tool. */
async function outputsOf({ id }: Tool): Promise<ToolOutput[]> {
  const files = (await Array.fromAsync(Deno.readDir(FIXTURES)))
    .filter(({ name }) => name.startsWith(`${id}_`));
  return await Promise.all(
    files.map(async ({ name }) => JSON.parse(await Deno.readTextFile(new URL(name, FIXTURES)))),
  );
}

/** Generates damaged copies of an output. */
function damaged(output: ToolOutput): fc.Arbitrary<ToolOutput> {
  const part = output.result === null ? "stdout" : fc.constantFrom("stdout", "result");
  const parts = typeof part === "string" ? fc.constant(part) : part;
  return parts.chain((name) => {
    const text = output[name as "stdout" | "result"] ?? "";
    const json = isJson(text) ? [damagedJson(JSON.parse(text)).map((v) => JSON.stringify(v))] : [];
    return fc.oneof(damagedText(text), ...json).map((text) => ({ ...output, [name]: text }));
  });
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Returns the numbers in a text, also in other units. */
function numbersIn({ stdout, result }: ToolOutput): ReadonlySet<number> {
  const found = `${stdout}\n${result}`.match(/-?\d+(\.\d+)?(e[+-]?\d+)?|\d+\.|\.\d+/gi) ?? [];
  return new Set(found.map(Number).flatMap((n) => [n, Math.round(n * 1e3), Math.round(n * 1e6)]));
}

/** Checks that latencies come from printed figures, or from a histogram of such. */
function demandFromInput(reading: Reading, output: ToolOutput): void {
  const numbers = numbersIn(output);
  const { latency } = reading;
  if (latency === null || latency.histogram !== null) return;
  for (const [name, value] of Object.entries(latency)) {
    if (typeof value !== "number" || name === "count") continue;
    ok(numbers.has(value), `${name} is ${value}, which is nowhere in what the tool printed`);
  }
}

/** Checks that counts are integers from 0, and that all numbers are finite. */
function demandSense(
  { durationS, statuses, transportErrors, timeouts, bytes, latency }: Reading,
): void {
  ok(Number.isFinite(durationS) && durationS > 0, `a load of ${durationS} s`);
  const counts = { ...statuses, transportErrors, timeouts, bytes, count: latency?.count ?? null };
  for (const [name, count] of Object.entries(counts)) {
    ok(count === null || (Number.isSafeInteger(count) && count >= 0), `${name}: ${count}`);
  }
  for (const [name, us] of Object.entries(latency ?? {})) {
    if (typeof us !== "number") continue;
    ok(Number.isFinite(us) && us >= 0, `${name}: ${us}`);
  }
}

for (const tool of TOOLS) {
  const outputs = await outputsOf(tool);
  holds(
    `${tool.id}: what is damaged is refused, or read as it stands there`,
    fc.oneof(...outputs.map(damaged)),
    async (output) => {
      const reading = await accepted(() => readingOf(tool, output), SyntaxError);
      if (reading === undefined) return;
      demandSense(reading);
      demandFromInput(reading, output);
    },
  );
  holds(
    `${tool.id}: garbage is refused`,
    fc.record({
      exitCode: fc.constantFrom(0, 1),
      stdout: fc.oneof(fc.string(), fc.json()),
      stderr: fc.string(),
      result: fc.option(fc.oneof(fc.string(), fc.json())),
    }),
    async (output) => {
      ok(await accepted(() => readingOf(tool, output), SyntaxError) === undefined);
    },
  );
}

holds(
  "what a process of ours answers is a measurement or refused",
  fc.oneof(fc.string(), fc.json()),
  async (line) => {
    const measurement = await accepted(() => BUILT_IN_GENERATORS[0].parse(line), SyntaxError);
    ok(measurement === undefined || measurement.durationS > 0);
  },
);
