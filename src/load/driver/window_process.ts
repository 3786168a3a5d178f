/** The process of the load generator `stampede`: measures one window per job. */
import type { Measurement } from "../../model/raw.ts";
import type { LoadJob } from "../generator.ts";
import { runAhead } from "../../process/scheduling.ts";
import { say, serveJobs } from "../jobs.ts";
import { Metronome } from "../metronome.ts";
import { SURPLUS } from "../timeouts.ts";
import { WindowRun } from "../window_run.ts";
import { ClosedLoop } from "./closed_loop.ts";
import { driveOpen } from "./open_window.ts";

let metronome: Metronome | null = null;

async function load(job: LoadJob): Promise<Measurement> {
  const { load: { connections, timeoutS, open }, body: expected } = job;
  if (open !== null) {
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
  const run = new WindowRun(job, say);
  const window = run.recorder;
  using loop = new ClosedLoop({ ...job, connections, timeoutS, expected }, {
    answered: ({ status, kind, bytes, isChecked, wrong }, ms) => {
      if (run.answered(status, bytes, ms, kind) && isChecked) window.checked(wrong);
    },
    failed: (why) => window.failed(why),
    reconnected: (wasAnnounced) => window.reconnected(wasAnnounced),
  });
  loop.start();
  await run.closed;
  for (let left = await loop.surplus(); left > 0; left--) window.checked(SURPLUS);
  return run.result();
}

await serveJobs(load);
