/**
 * A GitHub for tests of the action in a runner: the REST and GraphQL APIs, and git over HTTP. Every message
 * is checked against GitHub's description, and every request against the permissions of the job's token.
 */
import { at } from "../src/ci/runner.ts";
import { gitOverHttp } from "./git_over_http.ts";
import type { GitHubDescription } from "./github_description.ts";

/** Permissions of a job, as in its workflow. Those that it does not name are `none`. */
export type Permissions = Readonly<Record<string, "read" | "write">>;

/** The repository of the tests. It is private: even reading needs a permission. */
const OWNER = "owner";
const NAME = "shop";
export const REPOSITORY = `${OWNER}/${NAME}`;
/** The user of a job's token. */
export const BOT = "github-actions[bot]";
const ARTIFACT_ID = 5;

interface Comment {
  readonly id: number;
  readonly login: string;
  body: string;
}
interface Artifact {
  readonly runId: string;
  readonly name: string;
  readonly zip: Uint8Array<ArrayBuffer>;
}
interface PullRequest {
  readonly number: number;
  readonly branch: string;
  readonly sha: string;
  /** Repository of the branch. */
  readonly from: string;
}
interface PullExample {
  readonly head: { readonly repo: object };
  readonly base: { readonly repo: object };
}
interface Received {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
}
interface Answer {
  readonly status: number;
  readonly body?: unknown;
  readonly location?: string;
}
interface Operation {
  /** Permissions, one of which the token needs: https://docs.github.com/en/rest/authentication/permissions-required-for-github-apps */
  readonly needs: readonly (readonly [name: string, level: "read" | "write"])[];
  readonly answer: (received: Received) => Answer;
}

const PULLS = "/repos/{owner}/{repo}/pulls";
const COMMENTS = "/repos/{owner}/{repo}/issues/{issue_number}/comments";
const COMMENT = "/repos/{owner}/{repo}/issues/comments/{comment_id}";
const ARTIFACTS = "/repos/{owner}/{repo}/actions/runs/{run_id}/artifacts";
const ZIP = "/repos/{owner}/{repo}/actions/artifacts/{artifact_id}/{archive_format}";
/** Where artifacts are stored. Only an address with a signature may read them. */
const STORE = "/store/artifact.zip?sig=1";

export class GitHub implements AsyncDisposable {
  /** The token of every job. */
  readonly token = `ghs_${crypto.randomUUID().replaceAll("-", "")}`;
  /** Permissions of the running job. */
  permissions: Permissions = {};
  /** The open pull request. */
  pull: PullRequest | null = null;
  /** Its comments, oldest first. */
  comments: Comment[] = [];
  artifacts: Artifact[] = [];
  /** Operations in the order of their requests. */
  asked: string[] = [];
  /** Whatever GitHub would refuse, or does not describe. */
  problems: string[] = [];
  readonly #description: GitHubDescription;
  readonly #api: Deno.HttpServer<Deno.NetAddr>;
  readonly #web: Deno.HttpServer<Deno.NetAddr>;

  /** Starts the servers for a folder of repositories with the bare repository `owner/shop`. */
  constructor(description: GitHubDescription, repositories: string) {
    this.#description = description;
    const serve = (
      handle: (request: Request) => Promise<Response>,
    ): Deno.HttpServer<Deno.NetAddr> =>
      Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, handle);
    this.#api = serve((request) => this.#handleApi(request));
    const level = { read: ["contents", "read"], write: ["contents", "write"] } as const;
    this.#web = serve(gitOverHttp(repositories, {
      token: this.token,
      mayDo: (access) => this.#isGranted([level[access]]) || this.#refuse(`git ${access}`),
    }));
  }

  /** Address of the API, as `GITHUB_API_URL`. */
  get apiUrl(): string {
    return `http://127.0.0.1:${this.#api.addr.port}`;
  }

  /** Address of repositories, as `GITHUB_SERVER_URL`. actions/upload-artifact refuses other names. */
  get serverUrl(): string {
    return `http://github.localhost:${this.#web.addr.port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.#api.shutdown(), this.#web.shutdown()]);
  }

  #isGranted(needs: Operation["needs"]): boolean {
    return needs.some(([name, level]) => {
      const granted = this.permissions[name];
      return granted === level || granted === "write";
    });
  }

  #refuse(what: string): false {
    this.problems.push(`${what}: not among the permissions ${JSON.stringify(this.permissions)}`);
    return false;
  }

  async #handleApi(request: Request): Promise<Response> {
    const { pathname, searchParams, search } = new URL(request.url);
    const authorization = request.headers.get("authorization");
    if (pathname + search === STORE) {
      // It refuses a request with another authorization than its signature
      if (authorization !== null) this.problems.push("The storage of artifacts got the token");
      return new Response(this.artifacts[0]?.zip ?? null);
    }
    // https://docs.github.com/en/rest/using-the-rest-api/getting-started-with-the-rest-api#headers
    if (!request.headers.has("user-agent")) this.problems.push(`${pathname}: no user agent`);
    if (authorization !== `Bearer ${this.token}`) {
      this.problems.push(`${pathname}: another token`);
      return Response.json({ message: "Bad credentials" }, { status: 401 });
    }
    const text = await request.text();
    const body = text === "" ? undefined : JSON.parse(text);
    if (pathname === "/graphql") return this.#handleGraphql(body);
    for (const [name, operation] of Object.entries(this.#operations)) {
      const [method, path = ""] = name.split(" ");
      const params = method === request.method ? matching(path, pathname) : null;
      if (params === null) continue;
      return await this.#answer(name, operation, {
        params,
        query: Object.fromEntries(searchParams),
        body,
      });
    }
    this.problems.push(`${request.method} ${pathname}: unexpected`);
    return Response.json({ message: "Not Found" }, { status: 404 });
  }

  /** https://docs.github.com/en/graphql/reference/queries#viewer */
  #handleGraphql(body: unknown): Response {
    this.asked.push("POST /graphql");
    const query = String(at(body, "query")).replaceAll(/\s+/g, " ");
    if (query === "query { viewer { login } }") {
      return Response.json({ data: { viewer: { login: BOT } } });
    }
    this.problems.push(`Unexpected GraphQL: ${query}`);
    return Response.json({ errors: [{ message: "Unexpected" }] });
  }

  #answer(name: string, { needs, answer }: Operation, received: Received): Response {
    this.asked.push(name);
    const { params, query, body } = received;
    const request = { path: params, query, body };
    this.problems.push(...this.#description.requestProblems(name, request));
    const isHere = params.owner === OWNER && params.repo === NAME;
    if (!isHere) this.problems.push(`${name}: another repository`);
    if (!isHere || (!this.#isGranted(needs) && !this.#refuse(name))) {
      return Response.json({ message: "Resource not accessible by integration" }, { status: 403 });
    }
    const { status, body: sent = null, location } = answer(received);
    this.problems.push(...this.#description.responseProblems(name, status, sent));
    if (location === undefined) return Response.json(sent, { status });
    return new Response(null, { status, headers: { location } });
  }

  readonly #operations: Readonly<Record<string, Operation>> = {
    [`GET ${PULLS}`]: {
      needs: [["pull-requests", "read"]],
      answer: ({ query }) => ({ status: 200, body: this.#pullsOf(query) }),
    },
    [`GET ${COMMENTS}`]: {
      needs: [["issues", "read"], ["pull-requests", "read"]],
      answer: () => ({ status: 200, body: this.comments.map((one) => this.#shown(one)) }),
    },
    [`POST ${COMMENTS}`]: {
      needs: [["issues", "write"], ["pull-requests", "write"]],
      answer: ({ body }) => {
        const id = this.comments.length + 1;
        const comment = { id, login: BOT, body: String(at(body, "body")) };
        this.comments.push(comment);
        return { status: 201, body: this.#shown(comment) };
      },
    },
    [`PATCH ${COMMENT}`]: {
      needs: [["issues", "write"], ["pull-requests", "write"]],
      answer: ({ params, body }) => {
        const comment = this.comments.find(({ id }) => String(id) === params.comment_id);
        if (comment === undefined) return { status: 404, body: { message: "Not Found" } };
        comment.body = String(at(body, "body"));
        return { status: 200, body: this.#shown(comment) };
      },
    },
    [`GET ${ARTIFACTS}`]: {
      needs: [["actions", "read"]],
      answer: ({ params, query }) => ({
        status: 200,
        body: this.#artifactsOf(params.run_id, query.name),
      }),
    },
    [`GET ${ZIP}`]: {
      needs: [["actions", "read"]],
      answer: () => ({ status: 302, location: `${this.apiUrl}${STORE}` }),
    },
  };

  #pullsOf({ state, head }: Readonly<Record<string, string>>): object[] {
    if (this.pull === null || state !== "open") return [];
    const { number, branch, sha, from } = this.pull;
    if (head !== `${from.split("/")[0]}:${branch}`) return [];
    const [example] = this.#description.example("pull-request-simple-items") as PullExample[];
    if (example === undefined) throw new Error("GitHub has no example of a pull request");
    const repo = { ...example.head.repo, "full_name": from };
    return [{
      ...example,
      number,
      head: { ...example.head, ref: branch, sha, repo },
      base: { ...example.base, repo: { ...example.base.repo, "full_name": REPOSITORY } },
      requested_teams: [], // the example's lack a field that GitHub's description requires
    }];
  }

  #shown({ id, login, body }: Comment): object {
    const example = this.#description.example("issue-comment") as { user: object };
    return { ...example, id, body, user: { ...example.user, login } };
  }

  #artifactsOf(runId: string | undefined, wanted: string | undefined): object {
    const found = this.artifacts.filter(({ runId: id, name }) => id === runId && name === wanted);
    const example = this.#description.example("artifact-paginated") as { artifacts: object[] };
    const artifacts = found.map(({ name, zip }) => ({
      ...example.artifacts[0],
      id: ARTIFACT_ID,
      name,
      size_in_bytes: zip.length,
      expired: false,
    }));
    return { total_count: artifacts.length, artifacts };
  }
}

/** Returns the parameters of a path such as `/repos/{owner}`; null if the path is another one. */
function matching(template: string, path: string): Record<string, string> | null {
  const pattern = template.replaceAll(/\{(\w+)\}/g, "(?<$1>[^/]+)");
  const found = new RegExp(`^${pattern}$`).exec(path);
  return found === null ? null : { ...found.groups };
}
