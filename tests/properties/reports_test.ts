import { ok } from "node:assert/strict";
import fc from "fast-check";
import { distributedReport } from "../../src/distributed/distributed_report.ts";
import { ORIGIN, RUNNER } from "../../src/distributed/runner_testdata.ts";
import { UsageError } from "../../src/model/errors.ts";
import { reportOf } from "../../src/results/read_report.ts";
import { type Format, render } from "../../src/view/reporters.ts";
import { DUEL, REPORT } from "../../src/view/report_testdata.ts";
import { accepted, holds } from "./inputs.ts";

const SCREEN = { columns: 200, styled: false };
const ODD_NUMBERS = [0, 1, 1e-300, 1e15, 1e308, Number.MAX_SAFE_INTEGER];
/** Text that must not be printed as a figure. */
const NONE = /NaN|Infinity|undefined|∞/;

/** Returns the paths of all numbers in a document. */
function numbersIn(value: unknown, path: readonly string[] = []): string[][] {
  if (typeof value === "number") return [[...path]];
  const inner = typeof value === "object" && value !== null ? Object.entries(value) : [];
  return inner.flatMap(([key, inside]) => numbersIn(inside, [...path, key]));
}

/** Generates reports with one to three changed numbers. */
function mutated(report: unknown): fc.Arbitrary<unknown> {
  const change = fc.record({
    path: fc.constantFrom(...numbersIn(report)),
    value: fc.oneof(fc.constantFrom(...ODD_NUMBERS), fc.double({ min: 0, noNaN: true })),
  });
  return fc.array(change, { minLength: 1, maxLength: 3 }).map((changes) => {
    const copy = structuredClone(report);
    for (const { path, value } of changes) {
      const [last = "", ...rest] = path.toReversed();
      const parent = rest.reduceRight((inner, key) => Reflect.get(Object(inner), key), copy);
      Reflect.set(Object(parent), last, value);
    }
    return copy;
  });
}

/** Renders a report without scripts and styles; undefined if the report is refused. */
async function drawn(value: unknown, format: Format): Promise<string | undefined> {
  const read = await accepted(() => reportOf(JSON.stringify(value), "a.json"), UsageError);
  if (read === undefined) return undefined;
  const explained = read.kind === "run" ? read.experiment.scenarios : [];
  const text = await render(
    format,
    [read],
    SCREEN,
    () => ({ explained, isWide: true, file: null }),
  );
  return text.replaceAll(/<(script|style)[^]*?<\/\1>/g, "");
}

function assertFigures(text: string | undefined): void {
  const line = text?.split("\n").find((line) => NONE.test(line)) ?? "";
  ok(line === "", line.slice(Math.max(0, line.search(NONE) - 200), line.search(NONE) + 50));
}

const MERGED = distributedReport([{ ...RUNNER, name: "a.json" }], ORIGIN);

for (const [name, report] of Object.entries({ REPORT, DUEL, MERGED })) {
  holds(
    `a mutated ${name} is refused, or printed without what is no figure`,
    mutated(report),
    async (value) => {
      for (const format of ["table", "markdown", "csv"] as const) {
        assertFigures(await drawn(value, format));
      }
    },
  );
}

holds(
  "a mutated report is refused, or drawn as a page without what is no figure",
  mutated(DUEL),
  async (value) => assertFigures(await drawn(value, "html")),
);
