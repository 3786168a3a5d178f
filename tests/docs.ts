/** What pages of Markdown name: links, anchors, paths of the repository, commands. */
import { dirname, join, normalize } from "node:path";

/** A page, by its path from the repository's top. */
export interface Page {
  readonly path: string;
  readonly text: string;
}

/** Returns the prose of a page, without code blocks and comments. */
function proseOf(text: string): string {
  return text.replaceAll(/^```[^]*?^```$/gm, "").replaceAll(/<!--[^]*?-->/g, "");
}

/** Returns the inline code of a page. */
export function inlineCodeOf(text: string): string[] {
  return [...proseOf(text).matchAll(/`([^`]+)`/g)].map(([, code = ""]) =>
    code.replaceAll(/\s+/g, " ").trim()
  );
}

/** Returns the anchors of a page's headings, as GitHub names them: repeated ones end with -1, -2, and so on. */
export function anchorsOf(text: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading = ""] of proseOf(text).matchAll(/^#+ (.*)$/gm)) {
    const words = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1").toLowerCase();
    const plain = words.replaceAll(/[^\p{L}\p{N}\s_-]/gu, "").trim().replaceAll(" ", "-");
    let anchor = plain;
    for (let i = 1; anchors.has(anchor); i++) anchor = `${plain}-${i}`;
    anchors.add(anchor);
  }
  for (const [, id = ""] of proseOf(text).matchAll(/<a (?:id|name)="([^"]+)"/g)) anchors.add(id);
  return anchors;
}

/** Returns the targets of links and pictures outside code. */
export function linksOf(text: string): string[] {
  const prose = proseOf(text).replaceAll(/`[^`]*`/g, "``");
  const patterns = [
    /\]\(([^)\s]+)(?: "[^"]*")?\)/g,
    /^\[[^\]]+\]: +(\S+)/gm,
    /(?:href|src)="([^"]*)"/g,
    /<([a-z]+:[^>\s]*)>/g,
  ];
  return patterns.flatMap((pattern) => [...prose.matchAll(pattern)].map(([, to = ""]) => to));
}

/** Whether a link leads out of the repository. */
const isExternal = (target: string): boolean => /^[a-z][a-z0-9+.-]*:|^\/\//i.test(target);

/** The links of pages that lead nowhere within the repository; `files` are all that it has, folders too. */
export function brokenLinks(pages: readonly Page[], files: ReadonlySet<string>): string[] {
  const anchors = new Map(pages.map(({ path, text }) => [path, anchorsOf(text)]));
  return pages.flatMap(({ path, text }) =>
    linksOf(text).filter((target) => !isExternal(target)).filter((target) => {
      const [file = "", anchor] = target.split("#");
      const to = file === "" ? path : normalize(join(dirname(path), file)).replace(/\/$/, "");
      const isThere = files.has(to) || to === ".";
      return !isThere || (anchor !== undefined && !anchors.get(to)?.has(anchor));
    }).map((target) => `${path}: ${target}`)
  );
}

/** The links out of the repository that are no whole https address. */
export function malformedLinks({ path, text }: Page): string[] {
  return linksOf(text).filter(isExternal).filter((target) => {
    const url = URL.parse(target);
    return url?.protocol !== "https:" || !/^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(url.hostname) ||
      url.username !== "" || /[\s<>"]/.test(target);
  }).map((target) => `${path}: ${target}`);
}

/** Returns the paths in backticks that do not exist in the repository; `*` and `<id>` match any name. */
export function missingPaths({ path, text }: Page, files: ReadonlySet<string>): string[] {
  const tops = new Set([...files].map((file) => file.split("/")[0] ?? ""));
  return inlineCodeOf(text).filter((code) => {
    const name = code.replace(/^\.\//, "").replace(/\/$/, "");
    if (!/^[\w.@<>*-]+(\/[\w.@<>*-]+)+$/.test(name) || !tops.has(name.split("/")[0] ?? "")) {
      return false;
    }
    const parts = name.split(/\*|<[^>]+>/).map((part) => RegExp.escape(part));
    const pattern = new RegExp(`^${parts.join("[^/]*")}$`);
    return ![...files].some((file) => pattern.test(file));
  }).map((code) => `${path}: ${code}`);
}

/** The commands of a page: lines of blocks for a shell, and code within sentences. */
export function commandsOf(text: string): string[] {
  const blocks = [...text.matchAll(/^```(?:sh|text)\n([^]*?)^```$/gm)].map(([, one = ""]) => one);
  const lines = blocks.flatMap((block) => block.replaceAll("\\\n", " ").split("\n"));
  return [...lines, ...inlineCodeOf(text)]
    .map((line) => line.replace(/ # .*$/, "").replaceAll(/\s+/g, " ").trim())
    .filter((line) =>
      /^(deno task|npx -y deno@\S+ task|stampede|bench) |^npx .*bench\.ts /.test(line)
    );
}

/** The words of a command, as a shell without variables reads them. */
export function wordsOf(command: string): string[] {
  return (command.match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? [])
    .map((word) => word.replaceAll(/'([^']*)'|"([^"]*)"/g, "$1$2"));
}

/** The options that a text names and the table does not have. */
export function unknownOptions(code: string, known: ReadonlySet<string>): string[] {
  return wordsOf(code).filter((word) => /^--[a-z]/.test(word))
    .map((word) => word.replace(/=.*$/, "")).filter((word) => !known.has(word));
}

/** Returns the text below a heading, up to the next heading that is not below it; empty without such a heading. */
export function sectionOf(text: string, heading: string): string {
  const start = new RegExp(`^(#+) ${RegExp.escape(heading)}\\n`, "m").exec(text);
  if (start === null) return "";
  const rest = text.slice(start.index + start[0].length);
  const end = rest.search(new RegExp(`^#{1,${start[1]?.length}} `, "m"));
  return end < 0 ? rest : rest.slice(0, end);
}

/** Returns the tables of a text: of each its rows, without the heading, as lists of cells. */
export function tablesOf(text: string): string[][][] {
  const blocks = text.match(/(?:^\|.*\|$\n?)+/gm) ?? [];
  return blocks.map((block) =>
    block.trim().split("\n").slice(2).map((row) =>
      row.split("|").slice(1, -1).map((cell) => cell.trim())
    )
  );
}

/** Returns the inline code in a table's cell; empty without code. */
export function codesOf(cell = ""): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code);
}
