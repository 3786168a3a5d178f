import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { Failure } from "../model/errors.ts";
import { Child, type SpawnOptions } from "./child.ts";
import { removeFolder } from "./files.ts";
import { PROCESS_TAG } from "./tree.ts";

const REAPER = fileURLToPath(new URL("./reaper.ts", import.meta.url));

/** Variables of Stampede's environment that its child processes receive. */
const PASSED_ON = ["PATH", "HOME", "DENO_DIR", "XDG_CACHE_HOME", "TMPDIR", "SystemRoot", "TEMP"];

/**
 * The programs and temporary folders of one run. All of them are removed when the scope is
 * disposed. If Stampede itself is killed, a reaper process in a separate session removes them.
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
      argv: [Deno.execPath(), "run", "--quiet", "--no-config", "-A", REAPER],
      env: { ...inherited(), SCOPE: this.#id },
    });
  }

  /** Starts a program with the given variables and the few that every program needs. */
  spawn(options: SpawnOptions): Child {
    // Tags are matched by their beginning, so the semicolon keeps 1 from matching 10
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

  /** Makes a temporary folder; throws a `Failure` if that fails. */
  async makeFolder(): Promise<string> {
    // TMPDIR may be empty or relative
    const path = join(resolve(tmpdir()), `stampede-${crypto.randomUUID()}`);
    // Before the folder exists, because Stampede may be killed between the two steps
    await this.#reaper.writeLine(`add folder ${encodeURIComponent(path)}`);
    await Deno.mkdir(path, { mode: 0o700 }).catch((error) => {
      throw new Failure(`Cannot make a temporary folder: ${error.message}; set TMPDIR to another`);
    });
    this.#folders.add(path);
    return path;
  }

  /** Keeps something, such as a locked file, until all programs have ended. */
  hold(resource: Disposable): void {
    this.#held.push(resource);
  }

  /** Stops every program, the newest first, and then removes every folder. */
  async [Symbol.asyncDispose](): Promise<void> {
    for (const child of [...this.#children].reverse()) await child.stop();
    for (const resource of this.#held.splice(0)) resource[Symbol.dispose]();
    for (const path of this.#folders) await removeFolder(path);
    await this.#reaper.stop();
  }
}

function inherited(): Record<string, string> {
  const passedOn = PASSED_ON.map((name) => [name, Deno.env.get(name) ?? ""] as const);
  return {
    ...Object.fromEntries(passedOn.filter(([, value]) => value !== "")),
    NO_COLOR: "1", // their output ends up in messages
    // Otherwise Deno asks the internet for its newest version half a second after its start
    DENO_NO_UPDATE_CHECK: "1",
  };
}
