import { ok, strictEqual } from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { ABUSES, FRAME_ABUSES } from "./abuses.ts";
import { KNOWN } from "./suites/known.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const PAGE = "docs/reliability.md";
const REQUESTS = "docs/evidence/malformed-requests.md";

/** A table of a page that is generated from a list. */
interface Table {
  readonly page: string;
  readonly name: string;
  readonly heads: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

const TABLES: readonly Table[] = [
  {
    page: REQUESTS,
    name: "abuses",
    heads: ["request", "response"],
    rows: ABUSES.map(({ what, gets }) => [what, gets]),
  },
  {
    page: REQUESTS,
    name: "frames",
    heads: ["frames", "RFC 6455, section", "required", "received"],
    rows: FRAME_ABUSES.map(({ what, section, wanted, gets }) => [what, section, wanted, gets]),
  },
  {
    page: PAGE,
    name: "known failures",
    heads: ["suite", "cases", "cause in", "why they fail"],
    rows: KNOWN.map(({ suite, cases, owner, why, link }) => {
      const reason = link === undefined ? why : `[${why}](${link})`;
      return [suite, idsOf(cases), owner, reason];
    }),
  },
];

/** Returns ids as inline code; consecutive numbers become a range. */
function idsOf(ids: readonly string[]): string {
  const ranges: string[][] = [];
  for (const id of ids) {
    const range = ranges.at(-1) ?? [];
    const [, head = "", number = "0"] = /^(.*\.)(\d+)$/.exec(range.at(-1) ?? "") ?? [];
    if (id === `${head}${Number(number) + 1}`) range.push(id);
    else ranges.push([id]);
  }
  return ranges.map((range) =>
    range.length < 3
      ? range.map((id) => `\`${id}\``).join(", ")
      : `\`${range[0]}\` to \`${range.at(-1)}\``
  ).join(", ");
}

function sectionOf({ name }: Table): RegExp {
  return new RegExp(`(?<=<!-- ${name} -->\n\n)[^]*(?=\n\n<!-- end of ${name} -->)`);
}

function markdown({ heads, rows }: Table): string {
  return [heads, heads.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");
}

/** Returns a table without the formatter's padding. */
function bare(table: string): string {
  return table.replaceAll(/ +/g, " ").replaceAll(/-+/g, "-");
}

for (const table of TABLES) {
  Deno.test(`${table.page} has the table of ${table.name} (UPDATE=1 writes it)`, async () => {
    const path = ROOT + table.page;
    const text = await Deno.readTextFile(path);
    if (Deno.env.has("UPDATE")) {
      await Deno.writeTextFile(path, text.replace(sectionOf(table), () => markdown(table)));
    }
    const written = sectionOf(table).exec(await Deno.readTextFile(path))?.[0] ?? "";
    strictEqual(bare(written), bare(markdown(table)));
  });
}

Deno.test("docs/reliability.md names for each fault a test that is there, and counts them", async () => {
  const text = await Deno.readTextFile(ROOT + PAGE);
  const rowsOf = (part: string): string[] =>
    part.split("\n").filter((line) => /^\| .*`\S+_test\.ts`/.test(line));
  for (const row of rowsOf(text)) {
    for (const [, path = ""] of row.matchAll(/`(\S+_test\.ts)`/g)) {
      ok(await Deno.stat(ROOT + path).then(() => true, () => false), `${path} is not there`);
    }
  }
  const [, faults, abuses] = /(\d+) faults and (\d+) malformed/.exec(text) ?? [];
  const [before = ""] = text.split("\n## Input\n");
  strictEqual(`${faults} ${abuses}`, `${rowsOf(before).length} ${ABUSES.length}`);
});
