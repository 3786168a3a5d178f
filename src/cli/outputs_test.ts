import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import type { CpuProfile, Profile } from "../model/profile.ts";
import { readReport } from "../results/read_report.ts";
import { DUEL, REPORT } from "../view/report_testdata.ts";
import { ProfileFiles, ReportFile } from "./outputs.ts";

Deno.test("a report that cannot be written ends no run, and the next one is", async () => {
  const folder = await Deno.makeTempDir();
  const results = `${folder}/results`;
  const inTheWay = "a file where the folder should be";
  await Deno.writeTextFile(results, inTheWay);
  const messages: string[] = [];
  const file = new ReportFile(`${results}/x.json`, (text) => void messages.push(text));
  await file.write(REPORT);
  await file.write(REPORT);
  match(file.problem ?? "", /^Cannot write .*x\.json: .*; the file has nothing of this run$/);
  strictEqual(messages.length, 1, "once");
  match(messages[0] ?? "", /^Cannot write .*; the run continues and tries again$/);
  await Deno.remove(results);
  await file.write(REPORT);
  strictEqual(file.problem, null);
  await Deno.rename(results, `${folder}/gone`);
  await Deno.writeTextFile(results, inTheWay);
  await file.write(DUEL);
  const { length } = REPORT.trialResults;
  match(file.problem ?? "", new RegExp(`; the file has the run's first ${length} windows?$`));
  strictEqual(messages.length, 2);
  deepStrictEqual(await readReport(`${folder}/gone/x.json`), REPORT);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("what others make of the report meanwhile is set aside, once", async () => {
  const folder = await Deno.makeTempDir();
  const path = `${folder}/x.json`;
  await Deno.writeTextFile(path, "an older report, which the person wants replaced");
  const messages: string[] = [];
  const file = new ReportFile(path, (text) => void messages.push(text));
  await file.write(REPORT);
  await Deno.remove(path);
  await file.write(REPORT); // who removes it wants nothing kept
  deepStrictEqual(messages, []);
  await Deno.writeTextFile(`${path}.changed-1`, "of an earlier run");
  await Deno.writeTextFile(path, "mine");
  await file.write(DUEL);
  match(
    messages[0] ?? "",
    /^Another program changed .*x\.json: its version is now .*x\.json\.changed-2;/,
  );
  strictEqual(await Deno.readTextFile(`${path}.changed-2`), "mine");
  await Deno.writeTextFile(path, "of a run with the same --out, say, which writes as often");
  await file.write(DUEL);
  strictEqual(messages.length, 1);
  deepStrictEqual(await readReport(path), DUEL);
  strictEqual((await Array.fromAsync(Deno.readDir(folder))).length, 3);
  await Deno.remove(folder, { recursive: true });
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
