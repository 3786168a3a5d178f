import { ok, strictEqual } from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { ABUSES } from "./abuses.ts";
import { KNOWN } from "./suites/known.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const PAGE = `${ROOT}docs/reliability.md`;

/** Matches the table between the comments with its name. */
function sectionOf(name: string): RegExp {
  return new RegExp(`(?<=<!-- ${name} -->\n\n)[^]*(?=\n\n<!-- end of ${name} -->)`);
}

/** The abuses as a Markdown table. */
function abusesTable(): string {
  const rows = ABUSES.map(({ what, gets }) => `| ${what} | ${gets} |`);
  return ["| what is sent | what comes |", "| --- | --- |", ...rows].join("\n");
}

/** Ids in backticks; those that only count up become a range. */
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

/** The known failures of conformance suites as a Markdown table. */
function knownTable(): string {
  const rows = KNOWN.map(({ suite, cases, owner, why, link }) => {
    const reason = link === undefined ? why : `[${why}](${link})`;
    return `| ${suite} | ${idsOf(cases)} | ${owner} | ${reason} |`;
  });
  return ["| suite | cases | owner | why they fail |", "| --- | --- | --- | --- |", ...rows]
    .join("\n");
}

/** A table without what the formatter makes of it. */
function bare(table: string): string {
  return table.replaceAll(/ +/g, " ").replaceAll(/-+/g, "-");
}

for (
  const [name, table] of [["abuses", abusesTable()], ["known failures", knownTable()]] as const
) {
  Deno.test(`docs/reliability.md has the table of all ${name} (UPDATE=1 writes it)`, async () => {
    const section = sectionOf(name);
    const text = await Deno.readTextFile(PAGE);
    if (Deno.env.has("UPDATE")) await Deno.writeTextFile(PAGE, text.replace(section, () => table));
    const written = section.exec(await Deno.readTextFile(PAGE))?.[0] ?? "";
    strictEqual(bare(written), bare(table));
  });
}

Deno.test("docs/reliability.md names for each fault a test that is there, and counts them", async () => {
  const text = await Deno.readTextFile(PAGE);
  const rowsOf = (part: string): string[] =>
    part.split("\n").filter((line) => /^\| .*`\S+_test\.ts`/.test(line));
  for (const row of rowsOf(text)) {
    for (const [, path = ""] of row.matchAll(/`(\S+_test\.ts)`/g)) {
      ok(await Deno.stat(ROOT + path).then(() => true, () => false), `${path} is not there`);
    }
  }
  const [, faults, abuses] = /(\d+) faults and (\d+) kinds of abuse/.exec(text) ?? [];
  const [before = ""] = text.split("\n## Input\n");
  strictEqual(`${faults} ${abuses}`, `${rowsOf(before).length} ${ABUSES.length}`);
});
