import { HttpError, problem } from "./problem.ts";

/** Answers one request. `url` equals `request.url`: reading that property again would cost time. */
export type RouteHandler = (request: Request, url: string) => Response | Promise<Response>;

/** The handlers of a path by method. GET also handles HEAD; Deno omits the body. */
type Route =
  | { readonly GET: RouteHandler; readonly POST?: never }
  | { readonly POST: RouteHandler; readonly GET?: never };

/** Routes by path. A path such as `/static/*` matches every file in that folder. */
export type Routes = Readonly<Record<string, Route>>;

/**
 * Returns a function that answers requests by path and method, else with 404 or 405.
 *
 * Errors of a handler reach the caller, which passes them to {@linkcode errorResponse}. A `catch`
 * here would cost another promise.
 */
export function createRouter(routes: Routes): (request: Request) => Response | Promise<Response> {
  const byPath = new Map(Object.entries(routes));
  const root = byPath.get("/");

  // Not async: the promise would cost a hello world about 7 % more CPU.
  return (request) => {
    // `new URL` would cost more than a whole response to `/`. The path begins after index 7, the end of
    // "http://".
    const url = request.url;
    const start = url.indexOf("/", 8);
    // `/` needs no substring. Most other requests have no query, so the rest of the URL is the path.
    const route = start === url.length - 1
      ? root
      : byPath.get(url.slice(start)) ?? byPath.get(pathOf(url, start)) ??
        byPath.get(`${folderOf(url, start)}*`);
    if (route === undefined) return problem(404, `There is nothing at ${pathOf(url, start)}`);
    const handler = handlerOf(route, request.method);
    if (handler === undefined) {
      const allow = route.GET === undefined ? "POST" : "GET, HEAD";
      return problem(405, `${pathOf(url, start)} takes only ${allow}`, { headers: { allow } });
    }
    return handler(request, url);
  };
}

/** Compares strings, because a property access by name would cost a lookup in V8's string table. */
function handlerOf(route: Route, method: string): RouteHandler | undefined {
  if (method === "GET" || method === "HEAD") return route.GET;
  return method === "POST" ? route.POST : undefined;
}

function pathOf(url: string, start: number): string {
  const mark = url.indexOf("?", start);
  return url.slice(start, mark < 0 ? url.length : mark);
}

/** Returns the path up to its second slash: `/static/` of `/static/words.txt`. */
function folderOf(url: string, start: number): string {
  return url.slice(start, url.indexOf("/", start + 1) + 1);
}

/** Returns the response for an error that a handler threw. Logs it if it is a defect. */
export function errorResponse(error: unknown): Response {
  if (error instanceof HttpError) {
    return problem(error.status, error.message, { headers: error.headers });
  }
  // The client has disconnected and does not read this response.
  if (error instanceof Error && error.name === "AbortError") {
    return problem(503, "The request was aborted");
  }
  // deno-lint-ignore no-console -- the server's own log; a defect, never an expected error
  console.error(error);
  return problem(500, "The server failed to answer: its log says why");
}
