import { fileURLToPath } from "node:url";
import { Interrupted } from "../src/model/errors.ts";
import type { Report } from "../src/model/report.ts";
import { createDatabase, type TestDatabase } from "./cluster.ts";
import { execute } from "./in_process.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** Whether `test:long` runs this test, with the parts that take too long for CI. */
export const IS_ALL = Deno.env.has("STAMPEDE_TEST_ALL");

/** Lines of Deno on standard error that tests of a command ignore. */
const RUNTIME_LINE = /^(?:Download|Initialize|Check|Warning|Blocking|Deno\.serve:) .*\n?/gm;

/** Outcome of a command. */
export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  /** Standard error without the lines of the runtime. */
  readonly stderr: string;
}

/** A running command. Its temporary folder identifies all its processes. */
export interface Running {
  readonly process: Deno.ChildProcess;
  readonly outcome: Promise<Outcome>;
  /** Returns the output so far. */
  readonly written: () => string;
}

/** A folder for the reports and temporary files of a test's commands. */
export class Sandbox implements AsyncDisposable {
  /** Running commands of all sandboxes. */
  static readonly #running: Set<Deno.ChildProcess> = new Set();
  static #isInterrupted = false;

  readonly folder: string;
  readonly #database: TestDatabase | null;

  private constructor(folder: string, database: TestDatabase | null) {
    this.folder = folder;
    this.#database = database;
  }

  /**
   * @param database PostgreSQL of the commands: `embedded` starts one for each command; `shared` is a
   * separate database in the tests' server
   */
  static async create(database: "embedded" | "shared" = "embedded"): Promise<Sandbox> {
    const folder = await Deno.makeTempDir({ prefix: "sandbox-" });
    await Deno.chmod(folder, 0o755); // PostgreSQL may run as another user
    await Deno.mkdir(`${folder}/tmp`);
    return new Sandbox(folder, database === "shared" ? await createDatabase() : null);
  }

  /** Interrupts all commands. They and later ones then fail. Returns whether any was running. */
  static interrupt(): boolean {
    Sandbox.#isInterrupted = true;
    for (const process of Sandbox.#running) process.kill("SIGINT");
    return Sandbox.#running.size > 0;
  }

  /** Default environment variables of every command. */
  get #env(): Readonly<Record<string, string>> {
    return {
      ...NO_DATABASE,
      ...(this.#database !== null && { DATABASE_URL: this.#database.url }),
      ...SHORT_TIMEOUTS,
      TMPDIR: `${this.folder}/tmp`,
      // On Node.js 24, npm would leave a folder with compiled code.
      NODE_DISABLE_COMPILE_CACHE: "1",
      NO_COLOR: "1",
      INIT_CWD: "",
    };
  }

  /** Starts `bench.ts` in the sandbox, directly or as the project's task. */
  start(
    args: readonly string[],
    { env = {}, runner = "run", root = ROOT }: {
      env?: Readonly<Record<string, string>>;
      runner?: "run" | "task";
      /** Path of the checkout, with a trailing slash. */
      root?: string;
    } = {},
  ): Running {
    const argv = runner === "run" ? ["run", "--quiet", "-A", `${root}bench.ts`, ...args] : [
      "task",
      "--quiet",
      "--cwd",
      root,
      "bench",
      ...args,
      "--out",
      `${this.folder}/results/x.json`,
    ];
    return this.startProgram([Deno.execPath(), ...argv], { env, detached: runner === "task" });
  }

  /** Starts any program in the sandbox. */
  startProgram(
    [program = "", ...args]: readonly string[],
    { env = {}, detached = false }: {
      env?: Readonly<Record<string, string>>;
      detached?: boolean;
    } = {},
  ): Running {
    Sandbox.#assertGoing();
    const process = new Deno.Command(program, {
      args,
      cwd: this.folder,
      env: { ...this.#env, ...env },
      detached,
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    const texts = { stdout: "", stderr: "" };
    const read = async (name: "stdout" | "stderr"): Promise<void> => {
      for await (const chunk of process[name].pipeThrough(new TextDecoderStream())) {
        texts[name] += chunk;
      }
    };
    const reading = [read("stdout"), read("stderr")];
    Sandbox.#running.add(process);
    const outcome = process.status.then(async ({ code }) => {
      Sandbox.#running.delete(process);
      await Promise.all(reading);
      Sandbox.#assertGoing();
      return { code, ...texts, stderr: texts.stderr.replaceAll(RUNTIME_LINE, "") };
    });
    return { process, outcome, written: () => texts.stdout + texts.stderr };
  }

  static #assertGoing(): void {
    if (Sandbox.#isInterrupted) throw new Interrupted("Interrupted");
  }

  /** Runs `bench.ts` to its end. */
  run(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Outcome> {
    return this.start(args, { env }).outcome;
  }

  /** Runs a command that starts no program, in this process. */
  tell(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Outcome> {
    return execute(args, { folder: this.folder, env: { ...this.#env, ...env } });
  }

  /**
   * Returns the processes of this sandbox's commands with a text in their command line. It reads synchronously,
   * because tests ask often, and asynchronous reads need twice the CPU time.
   */
  processes(text = ""): { pid: number; args: string }[] {
    const found: { pid: number; args: string }[] = [];
    for (const { name } of Deno.readDirSync("/proc")) {
      if (!/^\d+$/.test(name)) continue;
      try {
        const args = Deno.readTextFileSync(`/proc/${name}/cmdline`).replaceAll("\0", " ");
        if (!args.includes(text)) continue;
        const environ = Deno.readTextFileSync(`/proc/${name}/environ`);
        if (environ.includes(`TMPDIR=${this.folder}/tmp`)) found.push({ pid: Number(name), args });
      } catch {
        // The process has ended
      }
    }
    return found;
  }

  /** Returns the leftovers of the commands: processes, and files in the temporary folder. */
  async leftovers(): Promise<string[]> {
    const files = await Array.fromAsync(Deno.readDir(`${this.folder}/tmp`));
    return [...(await this.processes()).map(({ args }) => args), ...files.map(({ name }) => name)];
  }

  /** Returns the parsed reports. */
  async reports(): Promise<Pick<Report, "complete" | "trialResults" | "results" | "parts">[]> {
    const folder = `${this.folder}/results`;
    const files = await Array.fromAsync(Deno.readDir(folder)).catch(() => []);
    const names = files.map(({ name }) => name).filter((name) => name.endsWith(".json"));
    return await Promise.all(
      names.map(async (name) => JSON.parse(await Deno.readTextFile(`${folder}/${name}`))),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#database?.[Symbol.asyncDispose]();
    await Deno.remove(this.folder, { recursive: true });
  }
}

/** Tests ignore the database of the user who runs them. */
const NO_DATABASE = Object.fromEntries(
  ["DATABASE_URL", "PGHOST", "PGPORT", "PGUSER", "PGPASSWORD", "PGDATABASE"].map((name) =>
    [name, ""] as const
  ),
);

/**
 * Short warm-ups of fresh load generators, and short ceiling measurements, because these tests do not check
 * figures. The usual ones take 3.5 s in each run (src/load/shard.ts).
 */
const SHORT_TIMEOUTS = { STAMPEDE_TEST_SHORT_S: "0.2" };

/** Restores the usual lengths for tests that check figures. */
export const LONG_TIMEOUTS = { STAMPEDE_TEST_SHORT_S: "" };

/**
 * Returns whether a printed table has no comparison because the server had not warmed up. A busy machine can
 * cause it in any short run, so a test of something else must accept it.
 */
export function beganCold(table: string): boolean {
  return /not comparable: \d+ of \d+ rounds of slices began before the server had warmed up$/m.test(
    table,
  );
}

/** Waits until all processes of a sandbox have ended, for commands that were killed. */
export async function untilNothingIsLeft(sandbox: Sandbox): Promise<void> {
  let left: string[] = [];
  const isGone = async (): Promise<boolean> => (left = await sandbox.leftovers()).length === 0;
  await until(isGone, () => `everything had gone; left: ${left.join("; ")}`);
}

/** Waits until a condition is true. */
export async function until(
  isSo: () => boolean | Promise<boolean>,
  what: string | (() => string),
): Promise<void> {
  const deadline = performance.now() + 180_000;
  for (;;) {
    const askedMs = performance.now();
    if (await isSo()) return;
    const ms = performance.now();
    if (ms > deadline) {
      throw new Error(`Waited in vain until ${typeof what === "string" ? what : what()}`);
    }
    // A condition that takes long, such as reading all processes, would keep a processor busy
    await new Promise((resolve) => setTimeout(resolve, Math.max(20, 2 * (ms - askedMs))));
  }
}
