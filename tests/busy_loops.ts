import { fileURLToPath } from "node:url";
import type { ProcessScope } from "../src/process/scope.ts";

/** How many there are. */
export const LOOPS = 2;
/** How long one goes on, or pauses. */
const SHORTEST_MS = 100;
const LONGEST_MS = 1000;

/** Disturbs the machine until the scope ends: busy loops start and stop at random. */
export function disturb(scope: ProcessScope): void {
  for (let i = 0; i < LOOPS; i++) {
    // A loop that is stopped does not hear SIGTERM
    const loop = scope.spawn({ argv: ["sh", "-c", "while :; do :; done"], stopSignal: "SIGKILL" });
    toggle(loop.pid, true);
  }
}

/** Lets a process go on and stop at random, until it has ended. */
function toggle(pid: number, isOn: boolean): void {
  try {
    Deno.kill(pid, isOn ? "SIGCONT" : "SIGSTOP");
  } catch {
    return; // it has ended
  }
  const pauseMs = SHORTEST_MS + Math.random() * (LONGEST_MS - SHORTEST_MS);
  Deno.unrefTimer(setTimeout(() => toggle(pid, !isOn), pauseMs));
}

const SOURCES = fileURLToPath(new URL("../peers/rust-web/Cargo.toml", import.meta.url));

/**
 * Compiles the suite's Rust servers repeatedly, until the scope ends.
 *
 * @throws {Error} if the first build fails, or Cargo is missing.
 */
export async function compile(scope: ProcessScope): Promise<void> {
  const target = await scope.makeFolder();
  const build = async (): Promise<void> => {
    const compiler = scope.spawn({
      argv: ["cargo", "build", "--locked", "--manifest-path", SOURCES, "--target-dir", target],
      env: Deno.env.toObject(),
    });
    const { success } = await compiler.ended;
    if (!success) throw new Error(`Cargo ${compiler.howItEnded}${compiler.lastWords}`);
    await Deno.remove(target, { recursive: true });
  };
  await build();
  const repeat = (): Promise<void> => build().then(repeat, () => {}); // the scope has ended
  repeat();
}
