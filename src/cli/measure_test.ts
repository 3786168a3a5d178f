import { deepStrictEqual, match, strictEqual, throws } from "node:assert/strict";
import { Failure, Interrupted } from "../model/errors.ts";
import type { CpuProfile, Profile } from "../model/profile.ts";
import { DUEL, REPORT } from "../view/report_testdata.ts";
import type { Io } from "./io.ts";
import { finish, ProfileFiles } from "./measure.ts";

function finished(
  stopped: unknown,
  isQuiet = false,
  unwritten: string | null = null,
  isResumable = false,
): { code: number; said: string[] } {
  const said: string[] = [];
  const io = {
    say: (text: string) => void said.push(text),
    folder: "/a",
    path: (text) => `/a/b/${text}`,
  } as Partial<Io> as Io;
  const outcome = { report: DUEL, path: "results/x.json", unwritten, stopped, isResumable };
  return { code: finish(outcome, isQuiet, io), said };
}

Deno.test("finish says where the report is, and whether everything was measured", () => {
  deepStrictEqual(finished(null).said, ["The report is in results/x.json"]);
  deepStrictEqual(finished(null, true).said, []);
});

Deno.test("finish throws what ended a run with the report's place, and leaves the error as it was", () => {
  for (const error of [new Interrupted("Interrupted by SIGINT"), new Failure("PostgreSQL ended")]) {
    const { message } = error;
    throws(() => finished(error), (thrown: Error) => {
      strictEqual(thrown.constructor, error.constructor);
      strictEqual(thrown.message, `${message}\nThe report is in results/x.json`);
      strictEqual(thrown.cause, error);
      return true;
    });
    // Under `deno task`, relative paths are those of another folder
    const hint = "Measure the rest with the same command and --resume /a/results/x.json";
    throws(() => finished(error, false, null, true), {
      message: `${message}\nThe report is in results/x.json\n${hint}`,
    });
    strictEqual(error.message, message);
  }
});

Deno.test("finish throws why a report was not written", () => {
  const problem = "Cannot write the report to x.json: No space left on device";
  throws(() => finished(null, false, problem), { name: "Failure", message: problem });
  throws(() => finished(new Interrupted("Interrupted"), false, problem), {
    name: "Interrupted",
    message: `Interrupted\n${problem}`,
  });
});

const THREAD: CpuProfile = { nodes: [], startTime: 1, endTime: 2 };

function profileOf(variant: string, scenario: string, connections = 10): Profile {
  const measured = { threads: 1, foldedStacks: null, busiestThread: null, responses: 0 };
  return { variant, scenario, connections, perS: null, ...measured, files: [], reason: null };
}

Deno.test("profiles lie beside the report, by server and scenario, and it names them", async () => {
  const folder = await Deno.makeTempDir();
  const files = new ProfileFiles(`${folder}/x.json`, () => {});
  const profiles = [
    profileOf("deno", "text"),
    profileOf("deno", "text", 100),
    profileOf("deno-workers", "GET /a?b"),
    profileOf("go-http", "text"),
  ];
  const threads = [[THREAD], [THREAD], [THREAD, THREAD], []];
  for (const [i, profile] of profiles.entries()) {
    await files.write({ kind: "profiled", profile, threads: threads[i] ?? [] });
  }
  const names = [
    ["x.deno.text.cpuprofile"],
    ["x.deno.text.100-connections.cpuprofile"],
    ["x.deno-workers.GET-a-b.1.cpuprofile", "x.deno-workers.GET-a-b.2.cpuprofile"],
    [],
  ];
  deepStrictEqual(files.named({ ...REPORT, profiles }).profiles.map(({ files }) => files), names);
  const there = await Array.fromAsync(Deno.readDir(folder), ({ name }) => name);
  deepStrictEqual(there.sort(), names.flat().sort());
  const text = await Deno.readTextFile(`${folder}/x.deno.text.cpuprofile`);
  deepStrictEqual(JSON.parse(text), THREAD);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("a profile that cannot be written is told, and not named", async () => {
  const folder = await Deno.makeTempDir();
  await Deno.mkdir(`${folder}/x.deno.text.cpuprofile/in-the-way`, { recursive: true });
  const messages: string[] = [];
  const files = new ProfileFiles(`${folder}/x.json`, (text) => void messages.push(text));
  const profile = profileOf("deno", "text");
  await files.write({ kind: "profiled", profile, threads: [THREAD] });
  strictEqual(messages.length, 1);
  match(messages[0] ?? "", /^Cannot write .*x\.deno\.text\.cpuprofile/);
  deepStrictEqual(files.named({ ...REPORT, profiles: [profile] }).profiles[0]?.files, []);
  await Deno.remove(folder, { recursive: true });
});
