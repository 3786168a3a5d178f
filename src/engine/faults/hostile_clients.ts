import { fileURLToPath } from "node:url";
import type { LineProgram } from "../../load/generator.ts";
import { Shard } from "../../load/shard.ts";
import { Failure } from "../../model/errors.ts";
import type { ProcessScope } from "../../process/scope.ts";
import type { HostileClientsJob } from "./hostile_clients_process.ts";
import type { Demand, RequestFloodOptions } from "./request_flood.ts";

const PROCESS = new URL("./hostile_clients_process.ts", import.meta.url);
/** What a job may take beyond what it is asked for. */
const SLACK_S = 20;

const PROGRAM: LineProgram<HostileClientsJob, number> = {
  id: "stampede",
  command: () => [Deno.execPath(), "run", "--quiet", "-A", fileURLToPath(PROCESS)],
  ask: (job) => JSON.stringify(job),
  parse: (line) => {
    const reply: unknown = JSON.parse(line);
    if (typeof reply !== "number") throw new SyntaxError("not a number");
    return reply;
  },
};

/**
 * Clients that load a server to harm it, in a process of their own: what they are busy with keeps nobody
 * waiting who looks on.
 */
export class HostileClients implements AsyncDisposable {
  readonly #shard: Shard<HostileClientsJob, number>;

  constructor(scope: ProcessScope) {
    this.#shard = new Shard(scope, PROGRAM, null);
  }

  /**
   * What a server can answer a second.
   *
   * @throws {Failure} if it answers nothing.
   */
  async capacityOf(demand: Demand, abort: AbortSignal): Promise<number> {
    const perS = await this.#shard.measure({ kind: "capacity", ...demand }, {
      limitS: SLACK_S,
      abort,
    });
    if (perS === 0) throw new Failure(`It answered no ${demand.request.path} under load`);
    return perS;
  }

  /**
   * Sends requests at a rate, whether or not responses come.
   *
   * @param begin called when the first is to be sent
   * @returns how many were sent
   */
  floodRequests(
    options: RequestFloodOptions,
    abort: AbortSignal,
    begin: () => void,
  ): Promise<number> {
    return this.#harm({ kind: "flood", ...options }, abort, begin);
  }

  /** Asks for so many seconds, with a new connection for every request. */
  async churn(
    demand: Demand & { readonly durationS: number },
    abort: AbortSignal,
    begin: () => void,
  ): Promise<void> {
    await this.#harm({ kind: "churn", ...demand }, abort, begin);
  }

  #harm(
    job: HostileClientsJob & { readonly durationS: number },
    abort: AbortSignal,
    begin: () => void,
  ): Promise<number> {
    const limitS = job.durationS + SLACK_S;
    const listener = { opened: begin, closed: (): void => {} };
    return this.#shard.measure(job, { limitS, abort, listener });
  }

  /** Ends the process. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#shard[Symbol.asyncDispose]();
  }
}
