/**
 * How far comparisons can be trusted here: `deno task calibrate same [runs]` compares a server with itself,
 * which should hardly ever be "different"; `deno task calibrate found MICROSECONDS [runs [seconds]]` with
 * one that waits busily for so long before each answer, which should nearly always be found, and to cost as
 * much more as such a wait takes in a loop without a network. docs/methodology.md has what they said.
 */
import { fileURLToPath } from "node:url";
import type { Change } from "../src/model/derived.ts";
import type { Report } from "../src/model/report.ts";
import { median } from "../src/stats/median.ts";
import { PATIENT, Sandbox } from "./bench.ts";

const [command = "same", ...numbers] = Deno.args;
const SERVER = fileURLToPath(new URL("./servers/busy.ts", import.meta.url));
/** What a run of half a minute is given: rounds that are a little shorter, and no more of them. */
const SHORT = ["--rounds", "8", "--max-rounds", "8", "-z", "1", "--warmup", "0.4"];

function say(text: string): void {
  // deno-lint-ignore no-console -- this script has nobody else to say it
  console.log(text);
}

/** Writes the manifest of a server that waits busily before each answer; its folder. */
async function writeServer(sandbox: Sandbox, id: string, us: number): Promise<string> {
  const folder = `${sandbox.folder}/${id}`;
  await Deno.mkdir(folder);
  const manifest = {
    id,
    name: `A server that waits ${us} us`,
    language: "TypeScript",
    scenarios: { text: {} },
    start: ["deno", "run", "--no-prompt", "-A", SERVER],
    env: { BUSY_US: String(us) },
  };
  await Deno.writeTextFile(`${folder}/server.json`, JSON.stringify(manifest));
  return folder;
}

/** What `versus text` says of a server and one that waits so many microseconds longer. */
async function versus(us: number, options: readonly string[]): Promise<Report> {
  await using sandbox = await Sandbox.create();
  const base = await writeServer(sandbox, "base", 0);
  const head = await writeServer(sandbox, "head", us);
  const servers = ["--server", base, "--base", base, "--head", head];
  const { code, stderr } = await sandbox.run(["versus", "text", ...servers, ...options], PATIENT);
  const [report] = await sandbox.reports() as unknown as Report[];
  if (code !== 0 || report === undefined) throw new Error(stderr);
  return report;
}

/** Microseconds that such a wait takes in truth, in a loop without a network. */
async function loop(us: number): Promise<number> {
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", SERVER, "loop", String(us)],
  }).output();
  return Number(new TextDecoder().decode(stdout));
}

const percent = (ratio: number | null): string => `${(100 * ((ratio ?? NaN) - 1)).toFixed(2)} %`;

function describe({ metric, ratio, interval, verdict }: Change): string {
  const ends = interval && `${percent(interval.low)} to ${percent(interval.high)}`;
  return `${metric} ${percent(ratio)} (${ends}) ${verdict}`;
}

function changesOf({ changes }: Report): readonly Change[] {
  return changes?.changes ?? [];
}

async function same(runs: number): Promise<void> {
  let different = 0;
  const estimates: number[] = [];
  for (let i = 1; i <= runs; i++) {
    const report = await versus(0, []);
    const changes = changesOf(report);
    if (changes.some(({ verdict }) => verdict !== "same")) different++;
    estimates.push(changes[0]?.ratio ?? NaN);
    say(
      `${i}: ${changes.map(describe).join("; ")}; ${
        Math.round(report.tookS)
      } s, ${report.blocks.length} rounds; different so far: ${different}`,
    );
  }
  const close = estimates.filter((ratio) => Math.abs(ratio - 1) <= 0.01).length;
  say(`${different} of ${runs} different; ${close} within 1 % of processor time`);
}

async function found(us: number, runs: number, isShort: boolean): Promise<void> {
  let count = 0;
  const estimates: number[] = [];
  const truths: number[] = [];
  for (let i = 1; i <= runs; i++) {
    const before = await loop(us);
    const report = await versus(us, isShort ? SHORT : []);
    const [cost] = changesOf(report);
    if (cost?.verdict === "slower" && cost.metric === "serverCpuUs") count++;
    const truth = (before + await loop(us)) / 2; // by the machine's speed before and after
    const estimate = (cost?.base ?? NaN) * ((cost?.ratio ?? NaN) - 1);
    estimates.push(estimate);
    truths.push(truth);
    say(
      `${i}: ${changesOf(report).map(describe).join("; ")}; ${estimate.toFixed(2)} us of ${
        truth.toFixed(2)
      }; ${Math.round(report.tookS)} s, ${report.blocks.length} rounds; found so far: ${count}`,
    );
  }
  say(
    `${us} us: ${count} of ${runs} found; median estimate ${median(estimates).toFixed(2)} us of ${
      median(truths).toFixed(2)
    }`,
  );
}

const [first, second, third] = numbers.map(Number);
if (command === "same") await same(first ?? 100);
else if (command === "found") await found(first ?? 0.5, second ?? 20, (third ?? 60) <= 30);
else say("deno task calibrate same [runs], or found MICROSECONDS [runs [seconds]]");
