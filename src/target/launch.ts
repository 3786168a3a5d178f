import { Failure } from "../errors.ts";
import type { Target } from "../model.ts";
import { type Child, describeEnd } from "../process/child.ts";
import { freePort } from "../process/free_port.ts";
import type { Household } from "../process/household.ts";

/** What a server is told beside its port. */
export interface Surroundings {
  readonly databaseUrl: string | null;
  /** The database's `host:port`. */
  readonly databaseHostPort: string | null;
  /** Variables of the contract, such as DB_POOL and CPU_WORKERS. */
  readonly env: Readonly<Record<string, string>>;
  /** The processors that the server may use; null: all. */
  readonly cpus?: readonly number[] | null;
  /** Gets what the server writes to its standard error. */
  readonly onLog?: (text: string) => void;
}

/** A server that has answered. It ends with its scope. */
export interface RunningServer extends AsyncDisposable {
  readonly origin: string;
  readonly process: Child;
}

/** Where a server is to listen. */
export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

const POLL_MS = 10;

/**
 * Starts a server and waits until it answers.
 *
 * @param at where it listens; by default a free port of 127.0.0.1.
 * @throws {Failure} if it cannot be started, ends, or does not answer in time.
 */
export async function launch(
  household: Household,
  target: Target,
  surroundings: Surroundings,
  at: ListenAddress = { host: "127.0.0.1", port: freePort() },
): Promise<RunningServer> {
  const process = start(household, target, surroundings, at);
  const origin = `http://${bracketed(at.host)}:${at.port}`;
  try {
    await untilReady(target, process, origin);
  } catch (error) {
    await process.stop();
    throw error;
  }
  return { origin, process, [Symbol.asyncDispose]: async () => void await process.stop() };
}

function start(
  household: Household,
  target: Target,
  { databaseUrl, databaseHostPort, env, cpus = null, onLog }: Surroundings,
  { host, port }: ListenAddress,
): Child {
  const values = { HOST: bracketed(host), PORT: String(port), DATABASE: databaseHostPort };
  const argv = resolveCommand(target.start, values);
  try {
    return household.spawn({
      argv,
      cwd: target.folder,
      cpus,
      ...(onLog && { onLog }),
      env: {
        ...target.env,
        ...env,
        HOST: host,
        PORT: String(port),
        ...(databaseUrl !== null && { DATABASE_URL: databaseUrl }),
      },
    });
  } catch (error) {
    throw new Failure(`Cannot start ${target.name}: ${argv[0]}: ${(error as Error).message}`);
  }
}

/**
 * A command with its placeholders filled in; an argument whose placeholder has no value is left out.
 * `deno` is the Deno that runs Stampede.
 */
export function resolveCommand(
  command: readonly string[],
  values: Readonly<Record<string, string | null>>,
): string[] {
  const filled = command.flatMap((argument) => {
    const names = [...argument.matchAll(/\{([A-Z]+)\}/g)].map(([, name = ""]) => name);
    if (names.some((name) => !values[name])) return [];
    return [argument.replace(/\{([A-Z]+)\}/g, (_all, name) => values[name] ?? "")];
  });
  return filled[0] === "deno" ? [Deno.execPath(), ...filled.slice(1)] : filled;
}

/** A host as it stands before a colon and a port. */
function bracketed(host: string): string {
  return host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;
}

async function untilReady(target: Target, process: Child, origin: string): Promise<void> {
  const { path, timeoutS } = target.ready;
  const deadline = performance.now() + timeoutS * 1000;
  using client = Deno.createHttpClient({ poolMaxIdlePerHost: 0 });
  while (performance.now() < deadline) {
    if (process.hasEnded) {
      const end = describeEnd(await process.ended);
      throw new Failure(`${target.name} ${end} before it answered${process.lastWords}`);
    }
    try {
      const signal = AbortSignal.timeout(Math.max(1, deadline - performance.now()));
      const answer = await fetch(origin + path, { client, signal });
      await answer.body?.cancel();
      if (answer.status < 500) return;
    } catch {
      // Not listening yet.
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw new Failure(
    `${target.name} did not answer GET ${origin}${path} within ${timeoutS} s${process.lastWords}`,
  );
}
