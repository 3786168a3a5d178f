/** The process of the load generator `stampede`: measures one window per job. */
import type { Histogram } from "hdr-histogram-js";
import type { OpenLoad } from "../../model/experiment.ts";
import type { Measurement, OpenRecord } from "../../model/raw.ts";
import { pause } from "../../process/pause.ts";
import { runAhead } from "../../process/scheduling.ts";
import { describe, newHistogram, record } from "../../stats/histogram.ts";
import { CLOSED, type LoadJob, OPENED, serveJobs, SURPLUS, WATCH_MS } from "../generator.ts";
import { Metronome, now, paceOf } from "../metronome.ts";
import { WindowRun } from "../window_run.ts";
import { ClosedLoop } from "./closed_loop.ts";
import { type Arrival, OpenLoop } from "./open_loop.ts";

let metronome: Metronome | null = null;

async function drive(job: LoadJob, say: (line: string) => void): Promise<Measurement> {
  const { open } = job.load;
  if (open === null) return await driveClosed(job, say);
  metronome ??= new Metronome(true);
  // With few processors, server and database would delay this process. Real users have separate
  // computers.
  runAhead(true);
  try {
    return await driveOpen(job, open, metronome, say);
  } finally {
    runAhead(false);
  }
}

async function driveClosed(job: LoadJob, say: (line: string) => void): Promise<Measurement> {
  const run = new WindowRun(job, say);
  using loop = new ClosedLoop({ ...job, ...job.load }, {
    answered: ({ status, kind, bytes, isChecked, wrong }, ms) => {
      if (run.answered(status, bytes, ms, kind) && isChecked) run.checked(wrong);
    },
    failed: (why) => run.failed(why),
    reconnected: (wasAnnounced) => run.reconnected(wasAnnounced),
  });
  loop.start();
  await run.closed;
  for (let left = await loop.surplus(); left > 0; left--) run.checked(SURPLUS);
  return run.result();
}

/** Interval between two checks for requests in flight, in milliseconds. */
const STEP_MS = 10;

/**
 * Measures one window in an open loop. After the window it sends nothing, and waits for pending
 * responses for at most the time limit of one response.
 */
export async function driveOpen(
  job: LoadJob,
  open: OpenLoad,
  metronome: Metronome,
  say: (line: string) => void,
): Promise<Measurement> {
  const { timeoutS } = job.load;
  const arrivals = new ArrivalRecorder();
  const run = new WindowRun(job, (line) => {
    if (line === OPENED) arrivals.fromMs = now();
    if (line === CLOSED) arrivals.toMs = now();
    say(line);
  });
  using loop = new OpenLoop({ ...job, ...job.load }, {
    answered: (arrival, { status, kind, bytes, isChecked, wrong }, atMs) => {
      const isCounted = run.answered(status, bytes, atMs - (arrival.sentMs ?? atMs), kind);
      if (isCounted && isChecked) run.checked(wrong);
      arrivals.ended(arrival, atMs, "answered");
      metronome.catchUp(now());
    },
    failed: (arrival, why, atMs) => {
      run.failed(why);
      arrivals.ended(arrival, atMs, "failed");
    },
    reconnected: (wasAnnounced) => run.reconnected(wasAnnounced),
  });
  metronome.start(paceOf(open), (dueMs) => loop.arrive(dueMs));
  await run.closed;
  const closedMs = now();
  metronome.catchUp(closedMs);
  metronome.stop();
  arrivals.left(loop.shed(), closedMs);
  while (loop.underWay.length > 0 && now() < closedMs + 1000 * timeoutS) await pause(STEP_MS);
  const endMs = now();
  arrivals.left(loop.underWay, endMs);
  await pause(WATCH_MS);
  for (let left = loop.surplus; left > 0; left--) run.checked(SURPLUS);
  return { ...run.result(), open: arrivals.result(endMs) };
}

/** Records requests due while a window is open; times are in ms, on the clock of `now`. */
export class ArrivalRecorder {
  readonly #responseTime: Histogram = newHistogram();
  readonly #lateness: Histogram = newHistogram();
  readonly #wait: Histogram = newHistogram();
  readonly #serviceTime: Histogram = newHistogram();
  readonly #counts = { sent: 0, failed: 0, unanswered: 0, shed: 0 };
  /** Requests that are due from `fromMs` on, and before `toMs`, count. */
  fromMs = Infinity;
  toMs = Infinity;

  /** Records a request that was answered or has failed. */
  ended(arrival: Arrival, atMs: number, outcome: "answered" | "failed"): void {
    if (!this.#record(arrival, atMs)) return;
    if (outcome === "failed") this.#counts.failed++;
    else record(this.#serviceTime, atMs - (arrival.sentMs ?? atMs));
  }

  /** Records requests that were given up at `atMs`, with the time that each has waited. */
  left(arrivals: readonly Arrival[], atMs: number): void {
    for (const arrival of arrivals) {
      if (!this.#record(arrival, atMs)) continue;
      this.#counts[arrival.sentMs === null ? "shed" : "unanswered"]++;
    }
  }

  /** Records the times of a request until `atMs`; returns whether it counts. */
  #record({ dueMs, noticedMs, sentMs }: Arrival, atMs: number): boolean {
    if (dueMs < this.fromMs || dueMs >= this.toMs) return false;
    if (sentMs !== null) this.#counts.sent++;
    record(this.#responseTime, atMs - dueMs);
    record(this.#lateness, noticedMs - dueMs);
    record(this.#wait, (sentMs ?? atMs) - noticedMs);
    return true;
  }

  /** Returns the results of the window; the last request ended or was given up at `atMs`. */
  result(atMs: number): OpenRecord {
    return {
      offered: this.#responseTime.totalCount,
      ...this.#counts,
      recoveryS: Math.max(0, atMs - this.toMs) / 1000,
      responseTime: describe(this.#responseTime),
      lateness: describe(this.#lateness),
      wait: describe(this.#wait),
      serviceTime: describe(this.#serviceTime),
    };
  }
}

if (import.meta.main) await serveJobs(drive);
