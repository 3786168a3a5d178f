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
  /** Whether clients disconnect after sending the request, without waiting for the response. */
  readonly leaves: boolean;
}

/** A job of hostile clients: a closed loop, requests over ever new connections, or a flood. */
export type HostileJob =
  | { readonly kind: "closed-loop" } & Demand
  | { readonly kind: "churn"; readonly durationS: number } & Demand
  | { readonly kind: "flood" } & Flood;

/** Seconds that a job may take longer than planned: the start of the process and slow responses. */
const SLACK_S = 20;

const PROGRAM: LineProgram<HostileJob, number> = {
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
  readonly #shard: Shard<HostileJob, number>;

  constructor(scope: ProcessScope) {
    this.#shard = new Shard(scope, PROGRAM, null);
  }

  /**
   * Runs one job.
   *
   * @param begin called just before the first request of a churn or a flood
   * @returns the rate of a closed loop in responses per second, or the number of a flood's requests
   * @throws {Failure} if the server answers nothing in a closed loop.
   */
  async run(job: HostileJob, abort: AbortSignal, begin = (): void => {}): Promise<number> {
    const limitS = SLACK_S + (job.kind === "closed-loop" ? 0 : job.durationS);
    const listener = { opened: begin, closed: (): void => {} };
    const result = await this.#shard.measure(job, { limitS, abort, listener });
    if (job.kind === "closed-loop" && result === 0) {
      throw new Failure(`The server answered no request for ${job.request.path} under load`);
    }
    return result;
  }

  /** Ends the process. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#shard[Symbol.asyncDispose]();
  }
}
