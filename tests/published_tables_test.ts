/** Checks the tables of servers in docs/evidence/: surprising rows have a cause, and no page was edited. */
import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { byWorkload } from "../src/analysis/keys.ts";
import type { Result } from "../src/model/derived.ts";
import { type MedianWithInterval, relativeWidth } from "../src/model/estimate.ts";
import type { Report } from "../src/model/report.ts";
import { readReport } from "../src/results/read_report.ts";
import { readCatalog } from "../src/target/catalog.ts";
import { markdown } from "../src/view/markdown.ts";

const EVIDENCE = fileURLToPath(new URL("../docs/evidence/", import.meta.url));
/** A rate below this share of the best one of its language needs a cause. */
const LOW = 1 / 3;
/** So does a rate with an interval of more than ± this share. */
const WIDE = 0.1;

const CATALOG = await readCatalog();

interface Table {
  readonly name: string;
  readonly page: string;
  readonly report: Report;
}

/** Reads each table: a report, and the page that was written from it. */
async function readTables(): Promise<Table[]> {
  const files = (await Array.fromAsync(Deno.readDir(EVIDENCE))).map(({ name }) => name);
  const names = files.filter((file) => /-servers-.*\.json$/.test(file)).map((file) =>
    file.replace(".json", "")
  );
  const tables = await Promise.all(names.map(async (name) => {
    const report = await readReport(`${EVIDENCE}${name}.json`);
    const page = await Deno.readTextFile(`${EVIDENCE}${name}.md`);
    return report.kind === "run" ? [{ name, page, report }] : [];
  }));
  return tables.flat();
}

const TABLES = await readTables();

/** Returns the figure that can be compared between runs, or else the rate. */
function rateOf({ relativeRate, requestsPerS }: Result): MedianWithInterval | null {
  return relativeRate === null ? requestsPerS : { ...relativeRate, median: relativeRate.ratio };
}

/** Returns the valid results of each scenario. Slices do not measure every scenario. */
function validIn(reports: readonly Pick<Report, "results">[]): Result[][] {
  const results = reports.flatMap(({ results }) => results);
  return byWorkload(results.filter(({ status }) => status === "ok"));
}

const languageOf = ({ variant }: Result): string => CATALOG.get(variant)?.language ?? "unknown";
const named = (results: readonly Result[]): string[] =>
  results.map(({ variant, scenario }) => `${variant} ${scenario}`);

/** Returns the rows with a rate below a third of the best one of their language. */
function lowRows(reports: readonly Pick<Report, "results">[]): string[] {
  return validIn(reports).flatMap((own) => {
    const best = new Map<string, number>();
    for (const result of own) {
      const language = languageOf(result);
      best.set(language, Math.max(best.get(language) ?? 0, rateOf(result)?.median ?? 0));
    }
    return named(own.filter((result) => {
      const rate = rateOf(result)?.median ?? 0;
      return rate < LOW * (best.get(languageOf(result)) ?? 0);
    }));
  });
}

/** Returns the rows without a figure that can be compared, and those with a wide interval. */
function wideRows(report: Pick<Report, "results">): string[] {
  return validIn([report]).flatMap((own) => {
    const isSliced = own.some(({ relativeRate }) => relativeRate !== null);
    return named(own.filter((result) => {
      const rate = rateOf(result);
      if (rate === null || isSliced && result.relativeRate === null) return true;
      return (relativeWidth(rate) ?? Infinity) > WIDE;
    }));
  });
}

Deno.test("each slow row of the tables of servers has its cause in the manifest", () => {
  // A server may have its scenarios in several tables
  const scenarios = TABLES.flatMap(({ report }) => report.experiment.scenarios);
  ok(new Set(scenarios).size >= 18);
  // Processors differ in more than speed: some compute SHA-256 in hardware
  const machines = Map.groupBy(TABLES.map(({ report }) => report), ({ host }) => host.cpuModel);
  const rows = machines.values().toArray().flatMap(lowRows);
  ok(rows.length > 0);
  const unexplained = rows.filter((row) => {
    const [server = "", scenario = ""] = row.split(" ");
    return !CATALOG.get(server)?.scenarios[scenario]?.why;
  });
  deepStrictEqual(unexplained, []);
});

Deno.test("each wide interval of the tables of servers is explained on its page", () => {
  const unexplained = TABLES.flatMap(({ name, page, report }) =>
    wideRows(report).filter((row) => {
      const [server, scenario] = row.split(" ");
      return !page.includes(`\`${server}\` at \`${scenario}\``);
    }).map((row) => `${name}: ${row}`)
  );
  deepStrictEqual(unexplained, []);
});

Deno.test("each table of servers is what Stampede writes from its report (UPDATE=1 writes it anew)", async () => {
  for (const { name, page, report } of TABLES) {
    ok(page.includes(`](${name}.json)`), `${name} links its report`);
    const [about = "", body] = page.split(/^(?=### Stampede$)/m);
    const written = markdown([report]);
    if (Deno.env.get("UPDATE")) await Deno.writeTextFile(`${EVIDENCE}${name}.md`, about + written);
    else strictEqual(body, written, name);
  }
});
