/**
 * Runs long tests, `deno task test:long [part...]`. It builds, verifies and traces every available server, and
 * tests the npm package and the action in full. It injects every fault of `stampede faults` into Stampede's own
 * server. It runs every connection abuse against every server, and bisects a repository. Then it runs the
 * conformance suites of other projects (`deno task test:suites`) and the calibration (`deno task calibrate`).
 * docs/testing.md and docs/reliability.md have the last outputs.
 */
import { fileURLToPath } from "node:url";
import { type FaultResult, FAULTS } from "../src/model/fault.ts";
import { ProcessScope } from "../src/process/scope.ts";
import { abuseServers } from "./abused_servers.ts";
import { LONG_TIMEOUTS, Sandbox } from "./bench.ts";
import { elapsed } from "./results.ts";
import { runSuites } from "./suites/run_suites.ts";
import { SUITES } from "./suites/suites.ts";

const CALIBRATE = fileURLToPath(new URL("./calibrate/calibrate.ts", import.meta.url));
const BISECT = fileURLToPath(new URL("./bisect_search_test.ts", import.meta.url));
const BUILT = fileURLToPath(new URL("./built_servers_test.ts", import.meta.url));
const PACKAGE = fileURLToPath(new URL("./package_test.ts", import.meta.url));
const ACTION = fileURLToPath(new URL("./act_test.ts", import.meta.url));

const PARTS: Readonly<Record<string, () => Promise<boolean>>> = {
  /**
   * Builds with an empty cache, and with empty caches of package managers if they are configurable. Then it
   * traces the connections of every server, built in the usual cache.
   */
  async toolchains(): Promise<boolean> {
    await using sandbox = await Sandbox.create();
    const cache = (name: string): string => `${sandbox.folder}/${name}`;
    const { code, stdout, stderr } = await sandbox.run(
      ["verify", "--servers", "all", "--cache", cache("builds")],
      {
        ...LONG_TIMEOUTS,
        npm_config_cache: cache("npm"),
        PIP_CACHE_DIR: cache("pip"),
        GOMODCACHE: cache("go-modules"),
        GOCACHE: cache("go-build"),
        GOFLAGS: "-modcacherw", // makes the cache removable
      },
    );
    const lines = [...stderr.split("\n"), ...stdout.split("\n")];
    for (const line of lines.filter((line) => /^(Built|warn|FAIL|skip|\d+ passed)/.test(line))) {
      say(line);
    }
    return await test(BUILT) && code === 0;
  },
  /** Measures with the npm package on each version of Node.js, and with the action as `init` writes it. */
  async package(): Promise<boolean> {
    const results = [await test(PACKAGE), await test(ACTION)];
    return results.every((isFine) => isFine);
  },
  /** Injects all faults; `deno task test` injects the two that take only seconds. */
  async faults(): Promise<boolean> {
    await using sandbox = await Sandbox.create();
    const { code, stdout } = await sandbox.run(["faults", "--json"]);
    const results: readonly FaultResult[] = JSON.parse(stdout);
    for (const { fault, outcome } of results) {
      if (outcome.kind === "done") {
        const { requests, failed, recoveryS, end } = outcome;
        const after = end === null
          ? recoveryS === null ? "no recovery" : `recovered after ${recoveryS.toFixed(2)} s`
          : `ended with ${end.code}`;
        say(`${fault}: ${requests} requests, failed ${JSON.stringify(failed)}, ${after}`);
      } else say(`${fault}: ${JSON.stringify(outcome)}`);
    }
    return code === 0 && results.length === FAULTS.length && results.every(isWithstood);
  },
  /** Runs the abuses against every server. Failures of servers other than Stampede's are only reported. */
  async abuse(): Promise<boolean> {
    let isFine = true;
    for await (const { server, problem, smuggled, hung, before, after } of abuseServers()) {
      const grown = before && after && Math.round((after.bytes - before.bytes) / 2 ** 20);
      const kept = before && after && after.files - before.files;
      say(
        [
          `${server}: ${problem ?? "ok"}`,
          ...(smuggled === null ? [] : [`answered ${smuggled.length} hidden requests`]),
          ...(grown === null ? [] : [`grew by ${grown} MiB and ${kept} files`]),
        ].join(", "),
      );
      for (const what of smuggled ?? []) say(`  answered the request hidden in: ${what}`);
      for (const what of hung) say(`  sent no response after: ${what}`);
      if (server === "deno") {
        isFine = problem === null && smuggled?.length === 0 && hung.length === 0;
      }
    }
    return isFine;
  },
  /** Bisects a small repository, with a kill and an interruption. */
  async bisect(): Promise<boolean> {
    return await test(BISECT);
  },
  async suites(): Promise<boolean> {
    await using scope = new ProcessScope();
    return await runSuites(scope, SUITES, say);
  },
  async calibration(): Promise<boolean> {
    const process = new Deno.Command(Deno.execPath(), { args: ["run", "-A", CALIBRATE] }).spawn();
    return (await process.status).success;
  },
};

/** Returns whether the server recovered, or ended at SIGTERM with every pending request answered. */
function isWithstood({ outcome }: FaultResult): boolean {
  if (outcome.kind !== "done") return false;
  const { end, failed, recoveryS } = outcome;
  return end === null ? recoveryS !== null : end.code === 0 && Object.keys(failed).length === 0;
}

/** Runs a whole test file. Returns whether it passed. */
async function test(file: string): Promise<boolean> {
  const args = ["test", "-A", "--no-check", file];
  const env = { STAMPEDE_TEST_ALL: "1" };
  const process = new Deno.Command(Deno.execPath(), { args, env }).spawn();
  return (await process.status).success;
}

function say(text: string): void {
  // deno-lint-ignore no-console -- this script's own output
  console.log(text);
}

const chosen = Deno.args.length > 0 ? Deno.args : Object.keys(PARTS);
let isFine = true;
for (const name of chosen) {
  const part = PARTS[name];
  if (part === undefined) {
    throw new Error(`There is no part "${name}": choose from ${Object.keys(PARTS).join(", ")}`);
  }
  const startedMs = performance.now();
  const isPartFine = await part();
  isFine &&= isPartFine;
  say(`${name}: ${isPartFine ? "ok" : "FAILED"} (${elapsed(performance.now() - startedMs)})`);
}
Deno.exit(isFine ? 0 : 1);
