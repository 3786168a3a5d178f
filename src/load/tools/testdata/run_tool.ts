/** Runs tools as for a window, and a server for them. */
import type { HttpRequest } from "../../../model/scenario.ts";
import type { Invocation, ToolOutput } from "../tool.ts";

/** A request with a slow response, so that fixtures stay small. */
export const GET: HttpRequest = { method: "GET", path: "/calm", headers: {}, body: null };

/** A request with every part that a tool could lose. */
export const POST: HttpRequest = {
  method: "POST",
  path: "/echo?a=1&b=%20",
  headers: { "Content-Type": "application/json", "x-foo": 'b"a\\r: z' },
  body: '{"name":"Jürgen"}\n',
};

const CALM_MS = 5;

/** Runs a tool in a temporary folder, which becomes `{DIR}` in its output. */
export async function runTool({ argv, files, result }: Invocation): Promise<ToolOutput> {
  const folder = await Deno.makeTempDir();
  try {
    for (const [name, text] of Object.entries(files)) {
      await Deno.writeTextFile(`${folder}/${name}`, text);
    }
    const [program = "", ...args] = argv.map((part) => part.replaceAll("{DIR}", folder));
    const command = new Deno.Command(program, { args, env: { LC_ALL: "C", NO_COLOR: "1" } });
    const { code, stdout, stderr } = await command.output();
    const textOf = (bytes: Uint8Array): string =>
      new TextDecoder().decode(bytes).replaceAll(folder, "{DIR}");
    return {
      exitCode: code,
      stdout: textOf(stdout),
      stderr: textOf(stderr),
      result: result && await Deno.readTextFile(`${folder}/${result}`).catch(() => null),
    };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** A request that the server received. */
export interface Echo {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: Headers;
  readonly body: string;
}

/** A server, and the requests that it received. */
export interface EchoServer extends AsyncDisposable {
  readonly origin: string;
  /** Requests to `/echo`. */
  readonly echoes: readonly Echo[];
}

/**
 * Starts a server. It answers `/calm` after a pause, every third request to `/errors` with status 500,
 * and every 50th request to `/hangs` never.
 */
export function serve(): EchoServer {
  const echoes: Echo[] = [];
  let count = 0;
  const end = Promise.withResolvers<void>();
  const respond = async (request: Request): Promise<Response> => {
    const { pathname, search } = new URL(request.url);
    count++;
    if (pathname === "/echo") {
      const { method, headers } = request;
      echoes.push({ method, path: pathname + search, headers, body: await request.text() });
    }
    if (pathname === "/calm") await new Promise((resolve) => setTimeout(resolve, CALM_MS));
    if (pathname === "/hangs" && count % 50 === 0) await end.promise;
    const status = pathname === "/errors" && count % 3 === 0 ? 500 : 200;
    return new Response("Hello world", { status });
  };
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, respond);
  return {
    origin: `http://127.0.0.1:${server.addr.port}`,
    echoes,
    [Symbol.asyncDispose]: async () => {
      end.resolve();
      await server.shutdown();
    },
  };
}
