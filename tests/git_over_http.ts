/** A git server over HTTP as GitHub's: it asks for the token of the job, also to read. */

/** Kind of a request to a repository. */
type Access = "read" | "write";

/** Returns a handler for the bare repositories in a folder. It needs git's `http-backend`. */
export function gitOverHttp(
  folder: string,
  { token, mayDo }: { readonly token: string; readonly mayDo: (access: Access) => boolean },
): (request: Request) => Promise<Response> {
  const expected = `basic ${btoa(`x-access-token:${token}`)}`;
  return async (request) => {
    const { pathname, search } = new URL(request.url);
    const authorization = request.headers.get("authorization");
    if (authorization === null) {
      return new Response("", { status: 401, headers: { "www-authenticate": "Basic" } });
    }
    // GitHub's words. Two headers arrive as one with a comma
    if (authorization.includes(",")) {
      return new Response('Duplicate header: "Authorization"', { status: 400 });
    }
    if (authorization.replace(/^Basic/, "basic") !== expected) {
      return new Response("", { status: 401 });
    }
    const access = `${pathname}${search}`.includes("git-receive-pack") ? "write" : "read";
    if (!mayDo(access)) return new Response("", { status: 403 });
    return await backend(request, {
      GIT_PROJECT_ROOT: folder,
      GIT_HTTP_EXPORT_ALL: "1",
      REMOTE_USER: "x-access-token", // git then allows pushes
      PATH_INFO: pathname,
      QUERY_STRING: search.slice(1),
    });
  };
}

/** Answers a request by git's CGI program: https://git-scm.com/docs/git-http-backend */
async function backend(request: Request, env: Record<string, string>): Promise<Response> {
  const { method, headers } = request;
  const body = await request.bytes();
  const process = new Deno.Command("git", {
    args: ["http-backend"],
    env: {
      ...env,
      REQUEST_METHOD: method,
      CONTENT_TYPE: headers.get("content-type") ?? "",
      CONTENT_LENGTH: String(body.length),
      HTTP_CONTENT_ENCODING: headers.get("content-encoding") ?? "",
      GIT_PROTOCOL: headers.get("git-protocol") ?? "",
    },
    stdin: "piped",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const input = new Response(body).body?.pipeTo(process.stdin);
  const { stdout } = await process.output();
  await input?.catch(() => {}); // git may end before it has read all
  // Latin-1 has one character for each byte
  const end = new TextDecoder("latin1").decode(stdout).indexOf("\r\n\r\n");
  const lines = new TextDecoder().decode(stdout.subarray(0, end)).split("\r\n");
  const fields = lines.map((line) => line.split(/: (.*)/)).map(([name = "", value = ""]) =>
    [name, value] as const
  );
  const status = fields.find(([name]) => name === "Status")?.[1] ?? "200";
  return new Response(stdout.subarray(end + 4), {
    status: Number.parseInt(status),
    headers: fields.filter(([name]) => name !== "Status").map(([name, value]) => [name, value]),
  });
}
