import { fileURLToPath } from "node:url";
import { type Child, killGroup } from "../process/child.ts";
import type { ProcessScope } from "../process/scope.ts";
import { IdlePolling } from "./idle_polling.ts";

const PROCESS = new URL("./awake_process.ts", import.meta.url);

/**
 * Keeps processors from falling asleep until it is disposed: by a request to the system where it takes one,
 * or else each gets a program that spins while nothing else wants to run.
 *
 * A server and its load generator sleep and wake for each other, tens of thousands of times a second.
 * To wake a processor that has gone to sleep takes long, above all on a virtual machine, whose host has
 * to run it again; and how long is what differs from one moment to the next (docs/methodology.md).
 */
export class Awake implements AsyncDisposable {
  readonly #polling: IdlePolling | null;
  readonly #children: readonly Child[];

  /** @param polling by default the request, if the system takes one; null: programs */
  constructor(
    scope: ProcessScope,
    cpus: readonly number[],
    polling: IdlePolling | null = cpus.length === 0 ? null : IdlePolling.request(cpus),
  ) {
    this.#polling = polling;
    this.#children = polling !== null ? [] : cpus.map((cpu) =>
      scope.spawn({
        argv: [Deno.execPath(), "run", "--quiet", "--no-config", "-A", fileURLToPath(PROCESS)],
        env: { CPU: String(cpu), PARENT: String(Deno.pid) },
        stopSignal: "SIGKILL", // a loop hears no other
      })
    );
    this.goOn();
  }

  /** Lets the processors sleep for a while. */
  pause(): void {
    if (this.#polling !== null) this.#polling.isOn = false;
    this.#signal("SIGSTOP");
  }

  /** Keeps them awake again. */
  goOn(): void {
    if (this.#polling !== null) this.#polling.isOn = true;
    this.#signal("SIGCONT");
  }

  #signal(signal: Deno.Signal): void {
    for (const { hasEnded, pid } of this.#children) if (!hasEnded) killGroup(pid, signal);
  }

  /** The programs that spin. */
  get pids(): number[] {
    return this.#children.map(({ pid }) => pid);
  }

  /** Whether all of them are kept awake: where programs are not allowed to spin, they end. */
  get isAwake(): boolean {
    if (this.#polling !== null) return true;
    return this.#children.length > 0 && this.#children.every(({ hasEnded }) => !hasEnded);
  }

  /** Lets the processors sleep again. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#polling?.[Symbol.dispose]();
    await Promise.all(this.#children.map((child) => child.stop()));
  }
}
