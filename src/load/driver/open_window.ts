import type { Measurement } from "../../model/raw.ts";
import type { OpenLoad } from "../../model/experiment.ts";
import { pause } from "../../process/pause.ts";
import { ArrivalRecorder } from "../arrival_recorder.ts";
import type { Pace } from "../arrivals.ts";
import { CLOSED, type LoadJob, OPENED } from "../generator.ts";
import { type Metronome, now } from "../metronome.ts";
import { SURPLUS, WATCH_MS } from "../surplus.ts";
import { WindowRun } from "../window_run.ts";
import { OpenLoop } from "./open_loop.ts";

/** Interval between two checks for requests in flight, in milliseconds. */
const STEP_MS = 10;

/**
 * Measures one window in an open loop. After the window it sends nothing, and waits for pending
 * responses for at most the time limit of one response.
 *
 * @param say receives a line when the window opens and when it closes
 */
export async function driveOpen(
  job: LoadJob,
  open: OpenLoad,
  metronome: Metronome,
  say: (line: string) => void,
): Promise<Measurement> {
  const { body: expected, load: { connections, timeoutS } } = job;
  const arrivals = new ArrivalRecorder();
  const run = new WindowRun(job, (line) => {
    if (line === OPENED) arrivals.open(now());
    if (line === CLOSED) arrivals.close(now());
    say(line);
  });
  const window = run.recorder;
  using loop = new OpenLoop({ ...job, connections, timeoutS, expected }, {
    answered: (arrival, { status, kind, bytes, isChecked, wrong }, atMs) => {
      const isCounted = run.answered(status, bytes, atMs - (arrival.sentMs ?? atMs), kind);
      if (isCounted && isChecked) window.checked(wrong);
      arrivals.ended(arrival, atMs, "answered");
      metronome.catchUp(now());
    },
    failed: (arrival, why, atMs) => {
      window.failed(why);
      arrivals.ended(arrival, atMs, "failed");
    },
    reconnected: (wasAnnounced) => window.reconnected(wasAnnounced),
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
  for (let left = loop.surplus; left > 0; left--) window.checked(SURPLUS);
  return { ...run.result(), open: arrivals.result(endMs) };
}

/**
 * Returns the times at which the requests of a load are due: evenly spaced, or a Poisson process.
 */
export function paceOf({ perS, arrivals, seed }: OpenLoad): Pace {
  const gapMs = 1000 / perS;
  return arrivals === "even" ? { kind: "even", gapMs } : { kind: "poisson", gapMs, seed };
}
