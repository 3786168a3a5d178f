/** A fake GitHub for tests. It sends recorded responses and logs requests. */
import type { ActionContext } from "./runner.ts";

/** A request that the fake GitHub received. */
export interface Call {
  readonly method: string;
  /** Path of the request, with its query. */
  readonly path: string;
  readonly headers: Headers;
  readonly body: string;
}

/** Answers a request; returns null for an unexpected one, which fails the test. */
export type CallHandler = (call: Call, url: string) => Response | Promise<Response> | null;

export class GitHub implements AsyncDisposable {
  readonly calls: Call[] = [];
  readonly url: string;
  readonly #server: Deno.HttpServer<Deno.NetAddr>;

  constructor(handle: CallHandler) {
    this.#server = Deno.serve(
      { port: 0, hostname: "127.0.0.1", onListen: () => {} },
      async (request) => {
        const { pathname, search } = new URL(request.url);
        const call = {
          method: request.method,
          path: pathname + search,
          headers: request.headers,
          body: await request.text(),
        };
        this.calls.push(call);
        return await handle(call, this.url) ??
          Response.json({ message: "Not expected" }, { status: 418 });
      },
    );
    this.url = `http://127.0.0.1:${this.#server.addr.port}`;
  }

  /** Returns the methods and paths of the received requests, in order. */
  get asked(): string[] {
    return this.calls.map(({ method, path }) => `${method} ${path}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.shutdown();
  }
}

/** Returns a handler with recorded responses by `METHOD /path`. */
export function recorded(
  responses: Readonly<Record<string, unknown>>,
): (call: Call) => Response | null {
  return ({ method, path }) => {
    const response = responses[`${method} ${path}`];
    return response === undefined
      ? null
      : response instanceof Response
      ? response.clone()
      : Response.json(response, { status: method === "POST" && path !== "/graphql" ? 201 : 200 });
  };
}

/** GraphQL response that names the owner of a job's token. */
export const VIEWER = { data: { viewer: { login: "github-actions[bot]" } } };

/** Makes a comment as in the REST documentation, with the fields that are used. */
export function comment(id: number, body: string, login = "github-actions[bot]"): object {
  const type = login.endsWith("[bot]") ? "Bot" : "User";
  return {
    id,
    node_id: `IC_${id}`,
    body,
    user: { id: 1, login, type },
    performed_via_github_app: null,
  };
}

/** A context for tests, without GitHub's runner. It keeps its log. */
export interface TestWorld extends ActionContext {
  readonly log: string[];
  readonly benches: {
    readonly args: readonly string[];
    readonly folder: string;
    readonly timeoutMs: number;
  }[];
}

/** Makes a context with these environment variables. */
export function testWorld(
  env: Readonly<Record<string, string>>,
  more: Partial<Pick<ActionContext, "bench" | "timeoutMs" | "pause">> = {},
): TestWorld {
  const log: string[] = [];
  const benches: TestWorld["benches"] = [];
  return {
    log,
    benches,
    env: (name) => ({ GITHUB_REPOSITORY: "owner/shop", ...env })[name] ?? "",
    say: (line) => void log.push(line),
    bench: async (args, folder, timeoutMs) => {
      benches.push({ args, folder, timeoutMs });
      return await more.bench?.(args, folder, timeoutMs) ?? 0;
    },
    pause: more.pause ?? (() => Promise.resolve()),
    timeoutMs: more.timeoutMs ?? 10_000,
  };
}

/** Makes a folder that is removed after the test. */
export async function temporary(): Promise<{ path: string } & AsyncDisposable> {
  const path = await Deno.makeTempDir({ prefix: "ci-" });
  return { path, [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }) };
}

/** Writes an event and returns the environment variables that refer to it. */
export async function eventEnv(
  folder: string,
  name: string,
  payload: unknown,
): Promise<Record<string, string>> {
  const path = `${folder}/event.json`;
  await Deno.writeTextFile(path, JSON.stringify(payload));
  return { GITHUB_EVENT_NAME: name, GITHUB_EVENT_PATH: path };
}

export const BASE_SHA = "b".repeat(40);
export const HEAD_SHA = "a".repeat(40);

/**
 * Makes the payload of a `pull_request` event:
 * https://docs.github.com/en/webhooks/webhook-events-and-payloads#pull_request
 *
 * @param from the repository of the head
 */
export function pullRequestPayload(
  from = "owner/shop",
  { base = BASE_SHA, head = HEAD_SHA }: { readonly base?: string; readonly head?: string } = {},
): object {
  return {
    action: "synchronize",
    number: 7,
    pull_request: {
      number: 7,
      base: { ref: "main", sha: base, repo: { full_name: "owner/shop" } },
      head: { ref: "quicker", sha: head, repo: { full_name: from } },
    },
    repository: { full_name: "owner/shop", default_branch: "main" },
  };
}

/**
 * Makes the payload of a `workflow_run` event:
 * https://docs.github.com/en/webhooks/webhook-events-and-payloads#workflow_run
 *
 * @param more fields that replace those of `workflow_run`
 */
export function workflowRunPayload(more: object = {}): object {
  return {
    action: "completed",
    workflow_run: {
      id: 99,
      event: "pull_request",
      conclusion: "success",
      head_sha: HEAD_SHA,
      head_branch: "quicker",
      head_repository: { full_name: "stranger/shop", owner: { login: "stranger" } },
      pull_requests: [],
      ...more,
    },
    repository: { full_name: "owner/shop", default_branch: "main" },
  };
}

/** Runs git in a folder; commits get another author than those of the action. Returns git's output. */
export async function git(folder: string, ...args: readonly string[]): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command("git", {
    args: ["-C", folder, "-c", "user.name=x", "-c", "user.email=x@example.com", ...args],
    stdin: "null",
  }).output();
  const decoder = new TextDecoder();
  if (!success) throw new Error(`git ${args.join(" ")}: ${decoder.decode(stderr)}`);
  return decoder.decode(stdout).trim();
}

/** Makes a folder with a git server and the empty repository `owner/shop`. */
export async function gitServer(folder: string): Promise<{ url: string; repository: string }> {
  const repository = `${folder}/owner/shop`;
  await Deno.mkdir(repository, { recursive: true });
  await git(repository, "init", "--quiet", "--bare", "--initial-branch", "main", ".");
  await git(repository, "config", "uploadpack.allowAnySHA1InWant", "true");
  return { url: `file://${folder}`, repository };
}
