/** What may be a password and is not printed, stored or shown: values of headers and queries, and bodies. */

const HIDDEN = "***";
const HEADER = /^(-H|--header=?)/;
const BODY = /^(-d|--data=?)/;

/** A path, or a URL, with the names of its query's parameters and without their values. */
export function hideQuery(path: string): string {
  const start = path.indexOf("?");
  if (start < 0) return path;
  const query = path.slice(start + 1).replaceAll(/=[^&#]*/g, `=${HIDDEN}`);
  // What has no name may itself be the secret
  const parts = query.split("&").map((part) => part.includes("=") || part === "" ? part : HIDDEN);
  return `${path.slice(0, start)}?${parts.join("&")}`;
}

/** A text with every URL in it as {@linkcode hideQuery} has it. */
export function hideQueries(text: string): string {
  return text.replaceAll(/\bhttps?:\/\/[^\s"'<>()]+\?[^\s"'<>()]*/g, hideQuery);
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
    return /^[a-z][a-z0-9+.-]*:\/\//i.test(argument) ? hideQuery(argument) : argument;
  });
}

function hideHeader(text: string): string {
  return text.replace(/:.*/s, `: ${HIDDEN}`);
}

/** A file is named, which is no secret. */
function hideBody(text: string): string {
  return text.startsWith("@") ? text : HIDDEN;
}
