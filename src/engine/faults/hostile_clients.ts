import { fileURLToPath } from "node:url";
import type { LineProgram } from "../../load/generator.ts";
import { Shard } from "../../load/shard.ts";
import { Failure } from "../../model/errors.ts";
import type { HttpRequest } from "../../model/scenario.ts";
import type { ProcessScope } from "../../process/scope.ts";

/** The request to send, its address, and the maximum number of connections. */
export interface Demand {
  readonly origin: string;
  readonly request: HttpRequest;
  /** Maximum number of open connections. */
  readonly most: number;
}

/** Requests that come faster than the server can answer. */
export interface Flood extends Demand {
  readonly perS: number;
  readonly durationS: number;
  /** Whether clients disconnect right after sending the request, without waiting for the response. */
  readonly leaves: boolean;
}

/** A job for the process of the hostile clients. */
export type HostileClientsJob =
  | { readonly kind: "closed-loop" } & Demand
  | { readonly kind: "churn"; readonly durationS: number } & Demand
  | { readonly kind: "flood" } & Flood;

/** Seconds that a job may take longer than planned: the start of the process and slow responses. */
const SLACK_S = 20;

const PROGRAM: LineProgram<HostileClientsJob, number> = {
  id: "stampede",
  command: () => [
    Deno.execPath(),
    "run",
    "--quiet",
    "-A",
    fileURLToPath(new URL("./hostile_clients_process.ts", import.meta.url)),
  ],
  ask: (job) => JSON.stringify(job),
  parse: (line) => {
    const reply: unknown = JSON.parse(line);
    if (typeof reply !== "number") throw new SyntaxError("not a number");
    return reply;
  },
};

/** Runs clients that harm a server in a separate process, so that they do not delay the monitor. */
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
    const job = { kind: "closed-loop", ...demand } as const;
    const perS = await this.#shard.measure(job, { limitS: SLACK_S, abort });
    if (perS > 0) return perS;
    throw new Failure(`The server answered no request for ${demand.request.path} under load`);
  }

  /**
   * Sends requests at a constant rate without waiting for responses.
   *
   * @param begin called just before the first request
   * @returns the number of requests sent
   */
  floodRequests(flood: Flood, abort: AbortSignal, begin: () => void): Promise<number> {
    return this.#harm({ kind: "flood", ...flood }, abort, begin);
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
    job: Exclude<HostileClientsJob, { kind: "closed-loop" }>,
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
