import { fileURLToPath } from "node:url";

const PROCESS = new URL("./awake_process.ts", import.meta.url);

/**
 * Keeps processors from falling asleep until it is disposed: each gets a program that spins while nothing
 * else wants to run.
 *
 * A server and its load generator sleep and wake for each other, tens of thousands of times a second.
 * To wake a processor that has gone to sleep takes long, above all on a virtual machine, whose host has
 * to run it again; and how long is what differs from one moment to the next (docs/methodology.md).
 */
export class Awake implements AsyncDisposable {
  readonly #children: readonly Deno.ChildProcess[];
  #ended = 0;

  constructor(cpus: readonly number[]) {
    this.#children = cpus.map((cpu) =>
      new Deno.Command(Deno.execPath(), {
        args: ["run", "--quiet", "--no-config", "-A", fileURLToPath(PROCESS)],
        env: { CPU: String(cpu), PARENT: String(Deno.pid) },
        // A session of its own: awake_process.ts says why
        detached: true,
        stdin: "null",
        stdout: "null",
        stderr: "null",
      }).spawn()
    );
    for (const { status } of this.#children) status.then(() => this.#ended++);
  }

  /** Whether all of them spin: where that is not allowed, they end. */
  get isAwake(): boolean {
    return this.#children.length > 0 && this.#ended === 0;
  }

  /** Lets the processors sleep again. */
  async [Symbol.asyncDispose](): Promise<void> {
    for (const child of this.#children) {
      try {
        child.kill("SIGKILL"); // a loop hears no other
      } catch {
        // It has ended.
      }
    }
    await Promise.all(this.#children.map(({ status }) => status));
  }
}
