import { HttpError, problem } from "./problem.ts";

/**
 * Answers one request.
 *
 * @param query what stands behind the path's `?`, or the empty string.
 */
export type Handler = (request: Request, query: string) => Response | Promise<Response>;

/** The handlers of one path by method; GET also answers HEAD, whose body is not sent. */
export type Route = { readonly GET: Handler } | { readonly POST: Handler };

/** Answers requests by path and method; what no handler takes is 404 or 405. */
export function createRouter(
  routes: Readonly<Record<string, Route>>,
): (request: Request) => Response | Promise<Response> {
  const byPath = new Map(Object.entries(routes).map(([path, route]) => [path, methods(route)]));

  // Not async: the promise would cost a hello world about 7 % more CPU.
  return (request) => {
    // `new URL` would cost more than a whole answer to `/`; "http://" is behind index 7.
    const url = request.url;
    const start = url.indexOf("/", 8);
    const mark = url.indexOf("?", start);
    const path = mark < 0 ? url.slice(start) : url.slice(start, mark);
    const route = byPath.get(path);
    if (route === undefined) return problem(404, `There is nothing at ${path}`);
    const handler = route.get(request.method);
    if (handler === undefined) {
      const allow = [...route.keys()].join(", ");
      return problem(405, `${path} takes only ${allow}`, { headers: { allow } });
    }
    try {
      const answer = handler(request, mark < 0 ? "" : url.slice(mark + 1));
      return answer instanceof Promise ? answer.catch(failure) : answer;
    } catch (error) {
      return failure(error);
    }
  };
}

function methods(route: Route): Map<string, Handler> {
  return new Map(
    "GET" in route ? [["GET", route.GET], ["HEAD", route.GET]] : [["POST", route.POST]],
  );
}

function failure(error: unknown): Response {
  if (error instanceof HttpError) return error.toResponse();
  // The client has gone: nobody reads this answer.
  if (error instanceof DOMException && error.name === "AbortError") {
    return problem(503, "The request was aborted");
  }
  // deno-lint-ignore no-console -- the server's own log; a defect, never an expected error
  console.error(error);
  return problem(500, "The server failed to answer: its log says why");
}
