/** Extracts links, anchors, paths and commands from Markdown pages. */
import { dirname, join, normalize } from "node:path";

/** A page with its path from the repository's root. */
export interface Page {
  readonly path: string;
  readonly text: string;
}

/** Returns the prose of a page, without code blocks and comments. */
function proseOf(text: string): string {
  return text.replaceAll(/^```[^]*?^```$/gm, "").replaceAll(/<!--[^]*?-->/g, "");
}

/** Returns the inline code in sentences. */
export function inlineCodeOf(text: string): string[] {
  return [...proseOf(text).matchAll(/`([^`]+)`/g)].map(([, code = ""]) =>
    code.replaceAll(/\s+/g, " ").trim()
  );
}

/** Returns the anchors of a page, with GitHub's rules: a repeated heading gets the suffix -1. */
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

/** Returns the targets of links and images, except within code. */
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

/** Returns whether a link leaves the repository. */
const isExternal = (target: string): boolean => /^[a-z][a-z0-9+.-]*:|^\/\//i.test(target);

/**
 * Returns links without an existing target in the repository.
 *
 * @param files all files and folders of the repository
 */
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

/** Returns external links that are not complete https addresses. */
export function malformedLinks({ path, text }: Page): string[] {
  return linksOf(text).filter(isExternal).filter((target) => {
    const url = URL.parse(target);
    return url?.protocol !== "https:" || !/^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(url.hostname) ||
      url.username !== "" || /[\s<>"]/.test(target);
  }).map((target) => `${path}: ${target}`);
}

/** Returns paths in inline code that do not exist. `*` and `<id>` match any name. */
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

/** Returns the commands of a page: lines of shell blocks, and inline code. */
export function commandsOf(text: string): string[] {
  const blocks = [...text.matchAll(/^```(?:sh|text)\n([^]*?)^```$/gm)].map(([, one = ""]) => one);
  const lines = blocks.flatMap((block) => block.replaceAll("\\\n", " ").split("\n"));
  return [...lines, ...inlineCodeOf(text)]
    .map((line) => line.replace(/ # .*$/, "").replaceAll(/\s+/g, " ").trim())
    .filter((line) =>
      /^(deno task|npx -y deno@\S+ task|stampede|bench) |^npx .*bench\.ts /.test(line)
    );
}

/** Splits a command into words, as a shell without variables does. */
export function wordsOf(command: string): string[] {
  return (command.match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? [])
    .map((word) => word.replaceAll(/'([^']*)'|"([^"]*)"/g, "$1$2"));
}

/** Returns the options in a text that are not in the table. */
export function unknownOptions(code: string, known: ReadonlySet<string>): string[] {
  return wordsOf(code).filter((word) => /^--[a-z]/.test(word))
    .map((word) => word.replace(/=.*$/, "")).filter((word) => !known.has(word));
}

/**
 * Returns the text below a heading, up to the next heading of the same or a higher level; empty if there is
 * none.
 */
export function sectionOf(text: string, heading: string): string {
  const start = new RegExp(`^(#+) ${RegExp.escape(heading)}\\n`, "m").exec(text);
  if (start === null) return "";
  const rest = text.slice(start.index + start[0].length);
  const end = rest.search(new RegExp(`^#{1,${start[1]?.length}} `, "m"));
  return end < 0 ? rest : rest.slice(0, end);
}

/** Returns the tables of a text, without their headings, as rows of cells. */
export function tablesOf(text: string): string[][][] {
  const blocks = text.match(/(?:^\|.*\|$\n?)+/gm) ?? [];
  return blocks.map((block) =>
    block.trim().split("\n").slice(2).map((row) =>
      row.split("|").slice(1, -1).map((cell) => cell.trim())
    )
  );
}

/** Returns the inline code in a cell of a table. */
export function codesOf(cell = ""): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code);
}
