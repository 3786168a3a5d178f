import type { Metronome } from "../../src/load/metronome.ts";
import { ONE_BY_ONE } from "../../src/load/driver/load_client.ts";
import { type Arrival, OpenLoop } from "../../src/load/driver/open_loop.ts";
import { text } from "../../scenarios/text.ts";
import { type Latencies, latenciesOf } from "./sample.ts";

/** Requests of `/` per second to each of the two servers. */
const PER_S = 50;
const CONNECTIONS = 4;
/** Timeout of a request, in seconds; it is recorded as its latency. */
const TIMEOUT_S = 10;

/** Measures the latency of `/` of several servers in an open loop, in turn. */
export class Probes implements Disposable {
  readonly #metronome: Metronome;
  readonly #probes: readonly Probe[];

  constructor(metronome: Metronome, origins: readonly string[]) {
    this.#metronome = metronome;
    this.#probes = origins.map((origin) => new Probe(origin));
    let next = 0;
    metronome.start({ kind: "even", gapMs: 1000 / (PER_S * origins.length) }, (due) => {
      this.#probes[next++ % this.#probes.length]?.ask(due);
    });
  }

  /** Returns the latencies of each server since the last call. */
  take(): (Latencies | null)[] {
    return this.#probes.map((probe) => probe.take());
  }

  [Symbol.dispose](): void {
    this.#metronome.stop();
    for (const probe of this.#probes) probe[Symbol.dispose]();
  }
}

class Probe implements Disposable {
  readonly #loop: OpenLoop;
  #took: number[] = [];

  constructor(origin: string) {
    const record = ({ dueMs }: Arrival, atMs: number): void => void this.#took.push(atMs - dueMs);
    this.#loop = new OpenLoop({
      ...ONE_BY_ONE,
      origin,
      request: text.request,
      expected: null,
      connections: CONNECTIONS,
      timeoutS: TIMEOUT_S,
    }, {
      answered: (arrival, _response, atMs) => record(arrival, atMs),
      failed: (arrival, _why, atMs) => record(arrival, atMs),
      reconnected: () => {},
    });
  }

  ask(dueMs: number): void {
    this.#loop.arrive(dueMs);
  }

  take(): Latencies | null {
    const took = this.#took;
    this.#took = [];
    return latenciesOf(took);
  }

  [Symbol.dispose](): void {
    this.#loop[Symbol.dispose]();
  }
}
