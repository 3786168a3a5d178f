/** Text for people: makes it safe to print, hides possible secrets in it, and formats figures. */

/** Characters that control a terminal, or the direction of text (Unicode's UAX 9). */
const CONTROL_CHARACTERS = /[^\P{Cc}\n\t]|[\u202A-\u202E\u2066-\u2069]/gu;

/** The styles that Stampede prints: bold, faint and foreground colours, and the codes that end them. */
const STYLE =
  // deno-lint-ignore no-control-regex -- each style begins with ESC
  /(\x1b\[(?:[0-2]|22|3[0-79]|9[0-7])(?:;(?:[0-2]|22|3[0-79]|9[0-7]))*m)/;

/** Replaces characters that could control a terminal by U+FFFD. */
export function printable(text: string): string {
  return text.replaceAll("\r\n", "\n").replaceAll(CONTROL_CHARACTERS, "\ufffd");
}

/** Makes output safe for a terminal. If `isStyled`, Stampede's own styles stay. */
export function shown(text: string, isStyled: boolean): string {
  const parts = isStyled ? text.split(STYLE) : [text];
  // CSV ends lines with CRLF, which `printable` would change
  const safe = (part: string): string => part.split("\r\n").map(printable).join("\r\n");
  return parts.map((part, i) => i % 2 === 1 ? part : safe(part)).join("");
}

/** Serialises a value as JSON, and escapes characters that could control a terminal. */
export function toJson(value: unknown, indent = 0): string {
  return JSON.stringify(value, null, indent).replaceAll(
    CONTROL_CHARACTERS,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Returns the text with its line breaks replaced by spaces. */
export function oneLine(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, " ");
}

const HIDDEN = "***";
/** Options with a value that may be secret, and the text that replaces it. */
const SECRET_OPTIONS: readonly [names: string[], start: RegExp, hide: (value: string) => string][] =
  [
    [["-H", "--header"], /^(-H|--header=?)/, (value) => value.replace(/:.*/s, `: ${HIDDEN}`)],
    // The name of a file after `@` is not a secret
    [["-d", "--data"], /^(-d|--data=?)/, (value) => value.startsWith("@") ? value : HIDDEN],
  ];
const USER = /^((?!postgres(?:ql)?:)[a-z][a-z0-9+.-]*:\/\/)?[^/?#]*@/i;
const DATABASE = /^(postgres(?:ql)?:\/\/[^:@/?#]*):.*@/i;

/** Returns a path or URL without the values of its query. */
export function hideQuery(path: string): string {
  const start = path.indexOf("?");
  if (start < 0) return path;
  const query = path.slice(start + 1).replaceAll(/=[^&#]*/g, `=${HIDDEN}`);
  // A parameter without a name may be the secret
  const parts = query.split("&").map((part) => part.includes("=") || part === "" ? part : HIDDEN);
  return `${path.slice(0, start)}?${parts.join("&")}`;
}

/**
 * Returns a URL, with or without a scheme, without user, password and query values. The user stays in a
 * database URL, because it is the name of a role; in others it may be a token.
 */
export function hideUrl(url: string): string {
  if (DATABASE.test(url)) return hideQuery(url.replace(DATABASE, `$1:${HIDDEN}@`));
  return hideQuery(url.replace(USER, `$1${HIDDEN}@`));
}

/** Applies {@linkcode hideUrl} to every URL in a text. */
export function hideUrls(text: string): string {
  return text.replaceAll(/\b[a-z][a-z0-9+.-]*:\/\/[^\s"'<>()]+/gi, hideUrl);
}

/** Returns command-line arguments without the values of headers, bodies and URL queries. */
export function hideSecrets(args: readonly string[]): string[] {
  return args.map((argument, i) => {
    const option = SECRET_OPTIONS.find(([names]) => names.includes(args[i - 1] ?? ""));
    if (option !== undefined) return option[2](argument);
    for (const [, start, hide] of SECRET_OPTIONS) {
      const value = argument.replace(start, "");
      if (value !== "" && value !== argument) return argument.slice(0, -value.length) + hide(value);
    }
    return /^[a-z][a-z0-9+.-]*:\/\//i.test(argument) ? hideUrl(argument) : argument;
  });
}

/** The text of an unknown value. */
export const UNKNOWN = "–";

/** Returns whether a number can be printed. Larger ones come from a damaged report or a division by zero. */
export function isFigure(value: number): boolean {
  return Math.abs(value) < 1e15;
}

/** Formats a figure with a fixed number of decimals; {@linkcode UNKNOWN} if it is not a figure. */
export function fixed(value: number, decimals: number): string {
  return isFigure(value) ? value.toFixed(decimals) : UNKNOWN;
}

/** Formats a count with its noun: `1 round`, `6 rounds`. */
export function count(number: number, thing: string): string {
  return `${number} ${thing}${number === 1 ? "" : "s"}`;
}

/** Formats a share from 0 to 1 as a percentage with about two significant digits: `0.014 %`. */
export function share(value: number): string {
  const percent = 100 * value;
  if (!isFigure(percent)) return UNKNOWN;
  if (percent !== 0 && Math.abs(percent) < 0.1) return `${Number(percent.toPrecision(2))} %`;
  return `${percent.toFixed(Math.abs(percent) < 10 ? 1 : 0)} %`;
}

/** Formats bytes as GiB: `1.5 GiB`, `24 GiB`. */
export function gibibytes(bytes: number): string {
  const value = bytes / 2 ** 30;
  return `${fixed(value, value < 10 ? 1 : 0)} GiB`;
}

/** Returns the texts that are not empty; `false`, `null` and `undefined` stand for no text. */
export function nonEmpty(...texts: readonly (string | false | null | undefined)[]): string[] {
  return texts.filter((text): text is string => Boolean(text));
}
