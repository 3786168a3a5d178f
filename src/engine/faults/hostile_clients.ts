import { fileURLToPath } from "node:url";
import type { LineProgram } from "../../load/generator.ts";
import { Shard } from "../../load/shard.ts";
import { Failure } from "../../model/errors.ts";
import type { ProcessScope } from "../../process/scope.ts";
import type { HostileClientsJob } from "./request_flood.ts";
import type { Demand, RequestFloodOptions } from "./request_flood.ts";

const PROCESS = new URL("./hostile_clients_process.ts", import.meta.url);
/**
 * Seconds that a job may take longer than planned. They cover the start of the process and slow
 * responses.
 */
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
 * Runs the clients that harm a server in a separate process, so that their work does not delay the monitor.
 */
export class HostileClients implements AsyncDisposable {
  readonly #shard: Shard<HostileClientsJob, number>;

  constructor(scope: ProcessScope) {
    this.#shard = new Shard(scope, PROGRAM, null);
  }

  /**
   * Measures the server's rate in a closed loop, in responses per second.
   *
   * @throws {Failure} if the server answers nothing.
   */
  async closedLoopRate(demand: Demand, abort: AbortSignal): Promise<number> {
    const perS = await this.#shard.measure({ kind: "closed-loop", ...demand }, {
      limitS: SLACK_S,
      abort,
    });
    if (perS === 0) {
      throw new Failure(`The server answered no request for ${demand.request.path} under load`);
    }
    return perS;
  }

  /**
   * Sends requests at a constant rate without waiting for responses.
   *
   * @param begin called just before the first request
   * @returns the number of requests sent
   */
  floodRequests(
    options: RequestFloodOptions,
    abort: AbortSignal,
    begin: () => void,
  ): Promise<number> {
    return this.#harm({ kind: "flood", ...options }, abort, begin);
  }

  /** Sends requests for a given number of seconds, each over a new connection. */
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
