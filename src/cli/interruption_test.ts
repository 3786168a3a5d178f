import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { hasEnded, interruption, launchersOf } from "./interruption.ts";

Deno.test("an interruption listens once for each signal, however often it is asked", () => {
  const listened: Deno.Signal[] = [];
  const add = Deno.addSignalListener;
  const handlers: (() => void)[] = [];
  Deno.addSignalListener = (signal, handler) => {
    listened.push(signal);
    handlers.push(handler);
  };
  try {
    const stop = interruption();
    deepStrictEqual(listened, [], "a command that does not ask is ended by its signal");
    const signal = stop();
    strictEqual(stop(), signal);
    strictEqual(new Set(listened).size, listened.length);
    handlers[0]?.();
    strictEqual(String(signal.reason), `Interrupted: Interrupted by ${listened[0]}`);
    handlers[0]?.(); // the same key, passed on by deno task
  } finally {
    Deno.addSignalListener = add;
  }
});

const isLinux = Deno.build.os === "linux";

/** Starts `sleep` below a shell with this name, and waits until it runs. */
async function sleeper(name: string): Promise<{ shell: Deno.ChildProcess; pid: number }> {
  const script = `exec -a "${name}" sh -c 'sleep 60 & echo $!; wait' x`;
  const shell = new Deno.Command("bash", { args: ["-c", script], stdout: "piped" }).spawn();
  const reader = shell.stdout.getReader();
  const { value } = await reader.read();
  reader.releaseLock();
  return { shell, pid: Number(new TextDecoder().decode(value)) };
}

Deno.test({
  name: "launchersOf finds what started a program for a person, and nothing beyond",
  ignore: !isLinux,
  async fn(): Promise<void> {
    for (const [name, known] of [["npm exec", true], ["/usr/bin/tmux", false]] as const) {
      const { shell, pid } = await sleeper(name);
      const launchers = launchersOf(pid);
      deepStrictEqual(launchers.map(({ pid }) => pid), known ? [shell.pid] : []);
      for (const launcher of launchers) {
        deepStrictEqual([launcher.name, hasEnded(launcher)], ["npm", false]);
      }
      shell.kill("SIGKILL");
      Deno.kill(pid, "SIGKILL");
      await shell.stdout.cancel();
      await shell.status;
      for (const launcher of launchers) strictEqual(hasEnded(launcher), true);
    }
  },
});

Deno.test({
  name: "a launcher has ended if another process has its id",
  ignore: !isLinux,
  fn(): void {
    strictEqual(hasEnded({ pid: Deno.pid, startTicks: "1", name: "npm" }), true);
  },
});
