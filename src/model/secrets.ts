/** Removes possible secrets from printed and stored texts: values of headers and queries, and bodies. */

const HIDDEN = "***";
const HEADER = /^(-H|--header=?)/;
const BODY = /^(-d|--data=?)/;
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
 * Returns a URL without its user, password and query values. The URL may lack a scheme. In a database URL the
 * user stays, because it is the name of a role. In other URLs the user may be a token.
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

/** Replaces a body by `***`. Keeps `@` with the name of a file, which is not a secret. */
function hideBody(text: string): string {
  return text.startsWith("@") ? text : HIDDEN;
}
