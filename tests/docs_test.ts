/** Whether what the documentation names is there: links, and commands with their options. */
import { deepStrictEqual, ok } from "node:assert/strict";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { processIo } from "../src/cli/io.ts";
import { execute } from "../src/cli/program.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
/** Words that stand for something else in a command; `h2load` is what a page shows how to add. */
const PLACEHOLDER = /…|\bFILE\b|\[|<|h2load/;

async function pages(): Promise<{ path: string; text: string }[]> {
  const paths = [];
  for (const folder of ["", "docs"]) {
    for await (const { name } of Deno.readDir(join(ROOT, folder))) {
      if (name.endsWith(".md")) paths.push(join(folder, name));
    }
  }
  return await Promise.all(
    paths.map(async (path) => ({ path, text: await Deno.readTextFile(join(ROOT, path)) })),
  );
}

/** A heading as GitHub names it in links. */
function anchorOf(heading: string): string {
  return heading.toLowerCase().replaceAll(/[^\p{L}\p{N}\s_-]/gu, "").trim().replaceAll(" ", "-");
}

Deno.test("every link of the documentation leads somewhere", async () => {
  const all = await pages();
  const anchors = new Map(all.map(({ path, text }) => [
    path,
    [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) => anchorOf(heading)),
  ]));
  const broken: string[] = [];
  let links = 0;
  for (const { path, text } of all) {
    for (const [, target = ""] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/.test(target)) continue;
      links++;
      const [file = "", anchor] = target.split("#");
      const to = file === "" ? path : relative(ROOT, join(ROOT, dirname(path), file));
      const isThere = await Deno.stat(join(ROOT, to)).then(() => true, () => false);
      const hasAnchor = anchor === undefined || !to.endsWith(".md") ||
        anchors.get(to)?.includes(anchor);
      if (!isThere || !hasAnchor) broken.push(`${path}: ${target}`);
    }
  }
  deepStrictEqual(broken, []);
  ok(links > 100, `${links} links`);
});

/** The commands of a page: lines of shell blocks, and code within sentences. */
function commandsOf(text: string): string[] {
  const blocks = [...text.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, block = ""]) => block);
  const lines = blocks.flatMap((block) => block.replaceAll("\\\n", " ").split("\n"));
  const outside = text.replaceAll(/^```[^]*?^```$/gm, "");
  const inline = [...outside.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code);
  return [...lines, ...inline].map((line) => line.replaceAll(/\s+/g, " ").trim())
    .filter((line) => /^(deno task|npx -y deno@\S+ task|stampede) /.test(line))
    .filter((line) => !PLACEHOLDER.test(line));
}

/** The words of a command, as a shell without variables reads them. */
function wordsOf(command: string): string[] {
  return (command.replace(/ #.*$/, "").match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? [])
    .map((word) => word.replaceAll(/'([^']*)'|"([^"]*)"/g, "$1$2"));
}

Deno.test("every command of the documentation is one, and its options are", async () => {
  const { tasks } = JSON.parse(await Deno.readTextFile(join(ROOT, "deno.json")));
  const wrong: string[] = [];
  let count = 0;
  for (const { path, text } of await pages()) {
    for (const command of commandsOf(text)) {
      count++;
      const words = wordsOf(command);
      const start = words.indexOf("task");
      const task = start < 0 ? "bench" : words[start + 1] ?? "";
      if (!(task in tasks)) wrong.push(`${path}: ${command}: no such task`);
      if (task !== "bench") continue;
      const args = words.slice(start < 0 ? 1 : start + 2);
      const io = { ...processIo(args), out: () => {} };
      await execute(args, io, () => Promise.resolve(0))
        .catch((error) => wrong.push(`${path}: ${command}: ${error.message}`));
    }
  }
  deepStrictEqual(wrong, []);
  ok(count > 100, `${count} commands`);
});
