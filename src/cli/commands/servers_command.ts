/** The commands that start servers without measuring them (verify, faults, serve), and clean-database. */
import { SCENARIOS } from "../../../scenarios/mod.ts";
import { connect, SCHEMA } from "../../database/client.ts";
import { foreignDatabase } from "../../database/provide.ts";
import { dropTables } from "../../database/tables.ts";
import { type CheckOutcome, checkServer } from "../../engine/check_server.ts";
import { ASKING } from "../../engine/faults/fault_list.ts";
import { runFaults } from "../../engine/faults/run_faults.ts";
import { assertAsked, assertSpeaks, isAsked } from "../../experiment/compose.ts";
import { alpnOf, serverEnv } from "../../experiment/options.ts";
import { DEFAULT_SERVER, pick, readScenarios, selectServers } from "../../experiment/select.ts";
import { isUrl } from "../../experiment/url_target.ts";
import { FAILED, Failure, FINE, Interrupted, messageOf, UsageError } from "../../model/errors.ts";
import { type FaultId, type FaultResult, FAULTS } from "../../model/fault.ts";
import { needsDatabase } from "../../model/scenario.ts";
import type { Server } from "../../model/server.ts";
import { printable, toJson } from "../../model/text.ts";
import type { Child } from "../../process/child.ts";
import { readCatalog } from "../../target/catalog.ts";
import { byKind } from "../../view/format.ts";
import { createProgress } from "../../view/progress.ts";
import { draw, type Screen, tinted, wrap } from "../../view/table.ts";
import { faultsTable, overviewOfFaults } from "../../view/tables/faults_table.ts";
import type { Options } from "../command.ts";
import type { Io } from "../io.ts";
import { DEFAULT_DB_POOL, openTestbed } from "./unmeasured.ts";

const describeCheck = byKind<CheckOutcome>({
  checked: ({ subject, name, problem }) =>
    `${subject}: ${name}${problem === null ? "" : `: ${problem}`}`,
  build: ({ problem }) => `build: ${problem}`,
  start: ({ problem }) => `start: ${problem}`,
  missing: ({ problem }) => `skipped: ${problem}`,
  "nothing-to-check": ({ scenarios }) => `implements none of ${scenarios.join(", ")}`,
});

const SHOWN = {
  pass: ["pass", "good"],
  warn: ["warn", "doubtful"],
  fail: ["FAIL", "bad"],
  skip: ["skip", null],
} as const;

export async function verify(ids: readonly string[], options: Options, io: Io): Promise<number> {
  if (ids.some(isUrl)) {
    throw new UsageError(
      "Cannot verify a URL, because its right response is unknown: write a scenario, and name it with --scenario",
    );
  }
  const files = await readScenarios(options.scenario ?? [], io.path);
  const isAll = ids.length === 0 && files.length === 0;
  const named = isAll || ids.length > 0 ? pick("scenario", ids, SCENARIOS) : [];
  const alpn = alpnOf(options);
  const scenarios = [...named, ...files].filter((one) => !isAll || isAsked(one, alpn));
  assertAsked(scenarios, alpn);
  const servers = await selectServers(options, io.path);
  for (const server of servers) assertSpeaks(server, alpn);
  const env = serverEnv(options, DEFAULT_DB_POOL);
  const progress = createProgress({ ...io.progress, variants: servers.length });
  const database = scenarios.some(needsDatabase);
  await using testbed = await openTestbed(options, database, io, (used) => io.say(`Using ${used}`));
  const prepared = await testbed.prepare(servers, progress.show, io.stop);
  progress.close();
  const count: Record<CheckOutcome["status"], number> = { pass: 0, warn: 0, fail: 0, skip: 0 };
  const context = { testbed, scenarios, env, signal: io.stop };
  for (const one of prepared) {
    for await (const check of checkServer(one, context)) {
      count[check.status]++;
      const [word, tone] = SHOWN[check.status];
      const shown = io.screen.styled && tone !== null ? tinted(word, tone) : word;
      io.say(`${shown}  ${printable(`${one.server.id} ${describeCheck(check)}`)}`);
    }
  }
  const { pass, warn, fail } = count;
  const skipped = prepared.filter((one) => one.skipped !== null).map(({ server }) => server.id);
  const others = skipped.length === 0 ? "" : `; skipped: ${skipped.join(", ")}`;
  io.say(`${pass} passed, ${warn} warned, ${fail} failed${others}`);
  if (pass + warn + fail > 0) return fail === 0 ? FINE : FAILED;
  io.say("Nothing was checked");
  return FAILED;
}

const FAULTS_LEGEND =
  "Each fault hits a fresh process, for two seconds unless it ends by itself. Meanwhile a client sends 50 " +
  "requests per second. Failed: requests without a right response within a second, from the fault's start " +
  "until recovery. Recovery: time from the fault's end to ten right responses in a row, about as fast as " +
  "before, in steps of 20 ms. Twice its highest rate: requests for the server's heaviest route at twice " +
  "the rate of a closed loop. Clients leave: the same requests, but clients disconnect before the response. SIGTERM: sent to " +
  "the server's process group with ten requests in flight; Failed counts lost ones, Recovery is the time " +
  "until the process ended; killed: it did not exit by itself.";

/** Returns the results of one server for a terminal. */
export function faultsText(name: string, results: readonly FaultResult[], screen: Screen): string {
  const [first] = results;
  const isAlike = results.every(({ outcome }) => outcome.kind === "missing");
  if (isAlike && first?.outcome.kind === "missing") {
    return `\n${printable(`${name}: skipped: ${first.outcome.message}`)}`;
  }
  return ["", `${printable(name)}:`, ...draw(faultsTable(results), screen)].join("\n");
}

/** Returns the legend, after an overview of the servers if there are several. */
export function faultsSummary(results: readonly FaultResult[], screen: Screen): string {
  const servers = new Set(results.map(({ server }) => server));
  const overview = servers.size > 1 ? ["", ...draw(overviewOfFaults(results), screen)] : [];
  return [...overview, "", ...wrap(FAULTS_LEGEND, screen.columns, "")].join("\n");
}

export async function faults(names: readonly string[], options: Options, io: Io): Promise<number> {
  const { json: isQuiet = false, only: chosen = FAULTS } = options;
  const ids = [...names, ...(options.servers ? [options.servers] : [])].join(",");
  const asked = names.length === 0 ? options : { ...options, servers: ids };
  const servers = await selectServers(asked, io.path);
  const env = serverEnv(options, DEFAULT_DB_POOL);
  const progress = createProgress({ ...io.progress, variants: servers.length });
  const database = servers.some(({ scenarios }) => ASKING.some((id) => id in scenarios));
  await using testbed = await openTestbed(options, database, io, (used) => {
    if (!isQuiet) io.say(`Using ${used}`);
  });
  await using hostileClients = testbed.hostileClients();
  const context = { testbed, hostileClients, scenarios: SCENARIOS, env, signal: io.stop };
  const results: FaultResult[] = [];
  let place = 0;
  try {
    for (const one of await testbed.prepare(servers, progress.show, io.stop)) {
      const { id, name } = one.server;
      const onFault = (fault: FaultId): void => {
        const counted = { place: ++place, of: servers.length * chosen.length };
        progress.show({ kind: "phase", phase: { kind: "fault", server: id, fault, ...counted } });
      };
      const own: FaultResult[] = [];
      try {
        for await (const result of runFaults(one, { ...context, faults: chosen, onFault })) {
          own.push(result);
        }
      } finally {
        progress.close();
        results.push(...own);
        if (!isQuiet && own.length > 0) io.say(faultsText(`${name} (${id})`, own, io.screen));
      }
    }
  } finally {
    progress.close();
    if (isQuiet) io.out(toJson(results, 1));
    else if (results.length > 0) io.out(faultsSummary(results, io.screen));
  }
  const kinds = results.map(({ outcome }) => outcome.kind);
  return kinds.includes("done") && !kinds.includes("failed") ? FINE : FAILED;
}

/** Time until a stopping server is killed, in milliseconds: the server gives its requests 10 s. */
const GRACE_MS = 12_000;
/** Time after the signal to stop until a message explains the delay, in milliseconds. */
const SILENT_MS = 2000;

export async function serve(_args: readonly string[], options: Options, io: Io): Promise<number> {
  const { stop } = io;
  const { host, port } = options;
  assertFree(host, port);
  const systemUnderTest = (await readCatalog()).get(DEFAULT_SERVER) as Server;
  const env = serverEnv(options, DEFAULT_DB_POOL);
  let database = "";
  const onDatabase = (description: string, isEmbedded: boolean): void => {
    database = description;
    if (!isEmbedded) io.out(`Using ${database}`);
  };
  // A signal to stop is no failure here, and the start takes little time
  const never = new AbortController().signal;
  await using testbed = await openTestbed(options, true, io, onDatabase, never);
  await using server = await testbed.launch(systemUnderTest, env, {
    at: { host, port },
    onLog: (text) => io.err(text.trimEnd()),
  });
  io.out(`Serving ${server.origin}/ with ${database}`);

  const { promise: stopped, resolve } = Promise.withResolvers<null>();
  if (stop.aborted) resolve(null);
  stop.addEventListener("abort", () => resolve(null));
  const own = server.process as Child;
  const ended = Promise.race([stopped, own.ended]);
  const postgres = testbed.database?.process;
  const first = await Promise.race([ended, postgres?.ended.then(() => postgres) ?? ended]);
  if (postgres && first === postgres) {
    io.err(`PostgreSQL ${postgres.howItEnded}: routes that need it answer 503 from now on`);
  }
  if (await ended !== null) throw new Failure(`The server ${own.howItEnded}`);
  const waiting = "Waiting up to ten seconds for requests in flight";
  const timer = setTimeout(() => io.err(waiting), SILENT_MS);
  await own.stop(GRACE_MS);
  clearTimeout(timer);
  if (!(stop.reason instanceof Interrupted)) throw stop.reason;
  return FINE;
}

/** Checks that a server can listen there; throws Failure if another program does, else UsageError. */
function assertFree(hostname: string, port: number): void {
  try {
    Deno.listen({ hostname, port }).close();
  } catch (error) {
    const problem = `Cannot listen on ${hostname}:${port}`;
    if (error instanceof Deno.errors.AddrInUse) {
      throw new Failure(
        `${problem}: another program already listens there; stop it, or choose another --port`,
      );
    }
    throw new UsageError(`${problem}: ${messageOf(error)}; choose another --host or --port`);
  }
}

export async function cleanDatabase(
  _args: readonly string[],
  options: Options,
  io: Io,
): Promise<number> {
  const allowRemote = options.allowRemoteDatabase ?? false;
  const address = foreignDatabase({ env: io.env, allowRemote });
  if (address === null) {
    throw new UsageError(
      "There is no database to clean: set DATABASE_URL, or PGHOST and so on; an embedded database ends with its run",
    );
  }
  await using client = await connect(address);
  const isDropped = await dropTables(client);
  const what = isDropped ? "Removed the schema" : "There is no schema";
  io.out(`${what} "${SCHEMA}" ${isDropped ? "from" : "in"} ${address.label}`);
  return FINE;
}
