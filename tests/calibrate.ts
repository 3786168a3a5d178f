/**
 * How far the verdicts of comparisons can be trusted here: `deno task calibrate` compares Stampede's
 * server with itself, which should hardly ever be "different", and with one that is a tenth more
 * expensive, which should nearly always be. It takes most of an hour; docs/methodology.md has a run.
 */
import type { Comparison } from "../src/model/derived.ts";
import type { Report } from "../src/model/report.ts";
import { PATIENT, Sandbox } from "./bench.ts";

const SAME = Number(Deno.args[0] ?? 100);
const SLOWER = Number(Deno.args[1] ?? 20);
const LOAD = ["text", "-z", "0.75", "--warmup", "0.3"];
const SLOWER_SERVER = new URL("./servers/slower/server.json", import.meta.url).pathname;

function say(text: string): void {
  // deno-lint-ignore no-console -- this script has nobody else to say it
  console.log(text);
}

async function report(args: readonly string[]): Promise<Report> {
  await using sandbox = await Sandbox.create();
  const { code, stderr } = await sandbox.run(args, PATIENT);
  const [report] = await sandbox.reports() as unknown as Report[];
  if (code !== 0 || report === undefined) throw new Error(stderr);
  return report;
}

function isDifferent(interval: Comparison["interval"]): boolean {
  return interval !== null && (interval.low > 1 || interval.high < 1);
}

const different = { cpu: 0, rate: 0 };
for (let i = 1; i <= SAME; i++) {
  const { noise: [noise] } = await report(["noise", ...LOAD, "--rounds", "6"]);
  if (isDifferent(noise?.serverCpuUs?.interval ?? null)) different.cpu++;
  if (isDifferent(noise?.requestsPerS?.interval ?? null)) different.rate++;
  say(
    `${i}: itself: CPU/req ${noise?.serverCpuUs?.ratio.toFixed(3)}, Req/Sec ${
      noise?.requestsPerS?.ratio.toFixed(3)
    }; different so far: ${different.cpu} by CPU/req, ${different.rate} by Req/Sec`,
  );
}

let found = 0;
for (let i = 1; i <= SLOWER; i++) {
  const servers = ["--servers", "deno", "--server", SLOWER_SERVER, "--budget", "600"];
  const { comparisons: [pair] } = await report([...LOAD, ...servers]);
  const { low = 0, high = Infinity } = pair?.interval ?? {};
  if (pair?.metric === "serverCpuUs" && pair.a === "deno" && high < 1) found++;
  say(
    `${i}: slower: ${pair?.metric} of deno is ${pair?.ratio.toFixed(3)} of its (${
      low.toFixed(3)
    } to ${high.toFixed(3)}) in ${pair?.rounds} rounds; found so far: ${found}`,
  );
}
say(`${different.cpu} of ${SAME} different from itself by CPU/req, ${different.rate} by Req/Sec`);
say(`${found} of ${SLOWER} servers found that are a tenth more expensive`);
