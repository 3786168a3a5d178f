/** One invalid part of a request: `at` is its path in the request, `message` the problem. */
export interface Violation {
  readonly at: string;
  readonly message: string;
}

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

/**
 * Returns a response of type `application/problem+json`: https://www.rfc-editor.org/rfc/rfc9457
 *
 * @param detail one sentence for the person who sent the request
 */
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

  /** Returns the response to the request that caused this error. */
  toResponse(): Response {
    return problem(this.status, this.message, { headers: this.headers });
  }
}
