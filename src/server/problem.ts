/** Errors of requests: their responses, checked query parameters, and unhandled rejections. */

const TITLES: Readonly<Record<number, string>> = {
  400: "Bad Request",
  404: "Not Found",
  405: "Method Not Allowed",
  408: "Request Timeout",
  413: "Content Too Large",
  415: "Unsupported Media Type",
  426: "Upgrade Required",
  500: "Internal Server Error",
  503: "Service Unavailable",
};

/** One invalid part of a request: `at` is its path in the request, `message` the problem. */
type Violation = Readonly<Record<"at" | "message", string>>;

/** Returns an `application/problem+json`: https://www.rfc-editor.org/rfc/rfc9457 */
export function problem(
  status: number,
  detail: string,
  { errors, headers }: { errors?: readonly Violation[]; headers?: Record<string, string> } = {},
): Response {
  const body = { title: TITLES[status], status, detail, ...(errors && { errors }) };
  return Response.json(body, {
    status,
    headers: { ...headers, "content-type": "application/problem+json" },
  });
}

/** An error with the status and headers of its response. */
export class HttpError extends Error {
  override readonly name = "HttpError";

  constructor(
    readonly status: number,
    message: string,
    readonly headers: Record<string, string> = {},
  ) {
    super(message);
  }
}

/** Returns an error with status 503 that asks the client to try again. */
export function unavailable(why: string): HttpError {
  return new HttpError(503, `${why}: try again later`, { "retry-after": "1" });
}

/** Reads a whole number from the query of a URL. Throws 400 with the range if it is outside. */
export function integerParameter(
  url: string,
  name: string,
  { min, max, fallback }: Readonly<Record<"min" | "max" | "fallback", number>>,
): number {
  const text = parameter(url, name);
  if (text === undefined) return fallback;
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= min && value <= max) return value;
  throw new HttpError(
    400,
    `The parameter "${name}" must be a whole number from ${min} to ${max}`,
  );
}

/** Reads `true` or `false` from the query of a URL; the default is true. Throws 400 otherwise. */
export function booleanParameter(url: string, name: string): boolean {
  const text = parameter(url, name);
  if (text === undefined || text === "true") return true;
  if (text === "false") return false;
  throw new HttpError(400, `The parameter "${name}" must be true or false`);
}

/** Returns the first value of a parameter in the query of a URL; undefined if it is missing. */
export function parameter(url: string, name: string): string | undefined {
  const mark = url.indexOf("?");
  if (mark < 0) return undefined;
  // URLSearchParams takes 1 µs, a tenth of a whole response.
  if (url.includes("%", mark) || url.includes("+", mark)) {
    return new URLSearchParams(url.slice(mark)).get(name) ?? undefined;
  }
  for (let before = mark; before >= 0; before = url.indexOf("&", before + 1)) {
    if (!url.startsWith(name, before + 1)) continue;
    const after = before + 1 + name.length;
    const end = url.indexOf("&", after);
    if (url[after] === "=") return end < 0 ? url.slice(after + 1) : url.slice(after + 1, end);
    if (after === url.length || after === end) return "";
  }
  return undefined;
}

/**
 * Logs unhandled rejections, which would otherwise end the process. A WebSocket message that is too
 * long for a string causes one in Deno.
 */
export function surviveRejections(): void {
  addEventListener("unhandledrejection", (event) => {
    event.preventDefault();
    // deno-lint-ignore no-console -- the server's own log
    console.error(event.reason);
  });
}
