import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { removeFolder } from "./folder.ts";
import { Failure } from "../model/errors.ts";
import { Child, type SpawnOptions } from "./child.ts";
import { PROCESS_TAG } from "./process_tag.ts";

const REAPER = new URL("./reaper.ts", import.meta.url);

/** What a child of Stampede's is given of Stampede's own environment. */
const PASSED_ON = ["PATH", "HOME", "DENO_DIR", "XDG_CACHE_HOME", "TMPDIR", "SystemRoot", "TEMP"];

/**
 * The programs and temporary folders of one run. All of them are gone when it is disposed, and also
 * when Stampede itself is killed: a reaper process, in a session of its own, then clears up.
 */
export class ProcessScope implements AsyncDisposable {
  readonly #id: string = crypto.randomUUID();
  readonly #reaper: Child;
  readonly #children: Set<Child> = new Set();
  readonly #folders: Set<string> = new Set();
  readonly #held: Disposable[] = [];
  #spawned = 0;

  constructor() {
    this.#reaper = new Child({
      argv: [Deno.execPath(), "run", "--quiet", "--no-config", "-A", fileURLToPath(REAPER)],
      env: { ...inherited(), SCOPE: this.#id },
    });
  }

  /**
   * Starts a program with the environment that it is given and the few variables that every program
   * needs.
   *
   * @throws {Deno.errors.NotFound} if there is no such program.
   */
  spawn(options: SpawnOptions): Child {
    // The end of one must not end another: no tag begins like another one
    const tag = `${this.#id} ${this.#spawned++};`;
    const env = { ...inherited(), ...options.env, [PROCESS_TAG]: tag };
    const child = new Child({ ...options, env });
    const entry = `process ${child.pid} ${options.stopSignal ?? "SIGTERM"}`;
    this.#children.add(child);
    this.#reaper.writeLine(`add ${entry}`);
    child.ended.then(() => {
      this.#children.delete(child);
      this.#reaper.writeLine(`remove ${entry}`);
    });
    return child;
  }

  /**
   * Makes a folder in the system's temporary folder.
   *
   * @throws {Failure} if it cannot be made.
   */
  async makeFolder(): Promise<string> {
    const path = join(temporaryFolder(), `stampede-${crypto.randomUUID()}`);
    // Before the folder is there: Stampede may be killed between the two
    await this.#reaper.writeLine(`add folder ${encodeURIComponent(path)}`);
    await Deno.mkdir(path, { mode: 0o700 }).catch((error) => {
      throw new Failure(`Cannot make a temporary folder: ${error.message}; set TMPDIR to another`);
    });
    this.#folders.add(path);
    return path;
  }

  /** Keeps something, such as a file that is locked, until all programs have ended. */
  hold<T extends Disposable>(what: T): T {
    this.#held.push(what);
    return what;
  }

  /** Stops every program, the newest first, and removes every folder. */
  async [Symbol.asyncDispose](): Promise<void> {
    for (const child of [...this.#children].reverse()) await child.stop();
    for (const what of this.#held.splice(0)) what[Symbol.dispose]();
    for (const path of this.#folders) await removeFolder(path);
    await this.#reaper.stop();
  }
}

/** Where temporary folders go; TMPDIR may be empty or relative. */
function temporaryFolder(): string {
  return resolve(tmpdir());
}

function inherited(): Record<string, string> {
  const entries = PASSED_ON.map((name) => [name, Deno.env.get(name)] as const);
  const set = entries.filter((entry): entry is [string, string] => !!entry[1]);
  return {
    ...Object.fromEntries(set),
    NO_COLOR: "1", // what they write ends up in messages
    // Half a second after its start, Deno would ask the internet for its newest version
    DENO_NO_UPDATE_CHECK: "1",
  };
}
