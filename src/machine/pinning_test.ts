import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { which } from "../process/files.ts";
import { ProcessScope } from "../process/scope.ts";
import { IN_PROC, readMachine } from "./facts.ts";
import { QUIET } from "./machine_testdata.ts";
import { awakeCpus, planPinning, usableCores } from "./pinning.ts";

const BOTH = [{ database: true }, { database: false }] as const;

/** Returns cores of two logical CPUs each: 0 and n, 1 and n + 1, ... */
function twins(number: number): number[][] {
  return Array.from({ length: number }, (_, i) => [i, i + number]);
}

function plan(cores: number[][], database: boolean): ReturnType<typeof planPinning> {
  return planPinning({ ...QUIET, cores }, { database });
}

function reason(pinning: ReturnType<typeof planPinning>): string {
  return "reason" in pinning ? pinning.reason : "";
}

Deno.test("with few cores the generator gets all but one for each other part", () => {
  deepStrictEqual(plan([[0], [1]], false), { server: [0], database: null, generator: [1] });
  deepStrictEqual(plan([[0], [1], [2]], true), { server: [0], database: [1], generator: [2] });
  deepStrictEqual(plan([[0], [1], [2], [3], [4]], true), {
    server: [0],
    database: [1],
    generator: [2, 3, 4],
  });
});

Deno.test("with six cores and more server and database get a third each", () => {
  deepStrictEqual(plan(twins(6), true), {
    server: [0, 1, 6, 7],
    database: [2, 3, 8, 9],
    generator: [4, 5, 10, 11],
  });
  deepStrictEqual(plan(twins(8), true), {
    server: [0, 1, 8, 9],
    database: [2, 3, 10, 11],
    generator: [4, 5, 6, 7, 12, 13, 14, 15],
  });
});

Deno.test("no two parts share a core, none is left over, and the generator has the most", () => {
  for (let number = 3; number <= 70; number++) {
    for (const parts of BOTH) {
      const pinning = plan(twins(number), parts.database);
      ok(!("reason" in pinning));
      const { server, database, generator } = pinning;
      const all = [server, database ?? [], generator];
      deepStrictEqual(all.flat().sort((a, b) => a - b), twins(number).flat().sort((a, b) => a - b));
      for (const part of all) {
        ok(part.every((cpu) => part.includes((cpu + number) % (2 * number))), `${part}`);
      }
      ok(generator.length >= server.length && server.length >= 2);
    }
  }
});

Deno.test("the server has the same cores with a database and without", () => {
  for (let number = 3; number <= 70; number++) {
    const [one, other] = BOTH.map(({ database }) => plan(twins(number), database));
    ok(one && other && "server" in one && "server" in other);
    deepStrictEqual(one.server, other.server);
  }
});

Deno.test("planPinning says why it cannot be", () => {
  const two = [[0, 2], [1, 3]];
  strictEqual(
    reason(plan(two, true)),
    "--pin needs 3 cores for server, database and load generator; this machine has 2",
  );
  match(reason(plan([[0, 1]], false)), /needs 2 cores for server and load generator; .* has 1$/);
  const parts = { database: false };
  match(reason(planPinning({ ...QUIET, os: "darwin" }, parts)), /needs Linux; this is darwin/);
  match(reason(planPinning({ ...QUIET, cores: null }, parts)), /needs to know the cores/);
  const tools = { ...QUIET.tools, taskset: false };
  match(reason(planPinning({ ...QUIET, tools }, parts)), /needs taskset/);
});

Deno.test({
  name: "a program that is pinned, and what it starts, runs where it is told",
  ignore: Deno.build.os !== "linux" || which("taskset") === null,
  async fn(): Promise<void> {
    await using scope = new ProcessScope();
    const cpu = readMachine().allowedCpus?.at(-1) ?? -1;
    const { promise, resolve } = Promise.withResolvers<string>();
    const argv = ["sh", "-c", "sleep 60 & echo $!; wait"];
    const child = scope.spawn({ argv, cpus: [cpu], onLine: resolve });
    for (const pid of [child.pid, await promise].reverse()) {
      const status = await Deno.readTextFile(`/proc/${pid}/status`);
      match(status, pid === child.pid ? /^Name:\tsh$/m : /^Name:\t(sh|sleep)$/m);
      deepStrictEqual(IN_PROC.allowedCpus.parse(status), [cpu]);
    }
  },
});

Deno.test("usableCores are those allowed, or less by a quota", () => {
  const machine = { logicalCpus: 8, allowedCpus: [0, 1, 2, 3], quota: null };
  strictEqual(usableCores(machine), 4);
  strictEqual(usableCores({ ...machine, allowedCpus: null }), 8);
  strictEqual(usableCores({ ...machine, quota: { cores: 1.5, throttledS: 0 } }), 1.5);
  strictEqual(usableCores({ ...machine, quota: { cores: "unlimited", throttledS: 0 } }), 4);
});

Deno.test("awakeCpus are those allowed, and none where that would use up a quota", () => {
  const machine = { os: "linux", logicalCpus: 4, allowedCpus: [1, 2], quota: null };
  deepStrictEqual(awakeCpus(machine), [1, 2]);
  deepStrictEqual(awakeCpus({ ...machine, allowedCpus: null }), [0, 1, 2, 3]);
  deepStrictEqual(awakeCpus({ ...machine, quota: { cores: 1.5, throttledS: 0 } }), []);
  deepStrictEqual(awakeCpus({ ...machine, os: "darwin" }), []);
});
