/** What may be a password and is not printed, stored or shown: values of headers and queries, and bodies. */

const HIDDEN = "***";
const HEADER = /^(-H|--header=?)/;
const BODY = /^(-d|--data=?)/;
const USER = /^((?!postgres(?:ql)?:)[a-z][a-z0-9+.-]*:\/\/)?[^/?#]*@/i;
const DATABASE = /^(postgres(?:ql)?:\/\/[^:@/?#]*):.*@/i;

/** A path, or a URL, with the names of its query's parameters and without their values. */
export function hideQuery(path: string): string {
  const start = path.indexOf("?");
  if (start < 0) return path;
  const query = path.slice(start + 1).replaceAll(/=[^&#]*/g, `=${HIDDEN}`);
  // What has no name may itself be the secret
  const parts = query.split("&").map((part) => part.includes("=") || part === "" ? part : HIDDEN);
  return `${path.slice(0, start)}?${parts.join("&")}`;
}

/**
 * A URL, with or without its scheme, without user and password, and as {@linkcode hideQuery} has it. The user
 * of a database is a role's name; in other URLs it may be a token.
 */
export function hideUrl(url: string): string {
  if (DATABASE.test(url)) return hideQuery(url.replace(DATABASE, `$1:${HIDDEN}@`));
  return hideQuery(url.replace(USER, `$1${HIDDEN}@`));
}

/** A text with every URL in it as {@linkcode hideUrl} has it. */
export function hideUrls(text: string): string {
  return text.replaceAll(/\b[a-z][a-z0-9+.-]*:\/\/[^\s"'<>()]+/gi, hideUrl);
}

/** Arguments of the command line without what headers, bodies and queries of URLs say. */
export function hideSecrets(args: readonly string[]): string[] {
  return args.map((argument, i) => {
    const before = args[i - 1] ?? "";
    if (["-H", "--header"].includes(before)) return hideHeader(argument);
    if (["-d", "--data"].includes(before)) return hideBody(argument);
    const [header] = HEADER.exec(argument) ?? [];
    if (header !== undefined) return header + hideHeader(argument.slice(header.length));
    const [body] = BODY.exec(argument) ?? [];
    if (body !== undefined && argument.length > body.length) {
      return body + hideBody(argument.slice(body.length));
    }
    return /^[a-z][a-z0-9+.-]*:\/\//i.test(argument) ? hideUrl(argument) : argument;
  });
}

function hideHeader(text: string): string {
  return text.replace(/:.*/s, `: ${HIDDEN}`);
}

/** A file is named, which is no secret. */
function hideBody(text: string): string {
  return text.startsWith("@") ? text : HIDDEN;
}
