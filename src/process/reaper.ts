/**
 * Outlives Stampede, and reads the programs and folders to remove from its standard input. Stampede
 * ends it in a normal run. If its input ends first, Stampede was killed, and it removes everything.
 */
import { killGroup, readLines } from "./child.ts";
import { removeFolder } from "./files.ts";
import { killTagged } from "./tree.ts";

/** Time between the stop signal and SIGKILL, in milliseconds. */
const GRACE_MS = 2000;
const entries = new Set<string>();

await readLines(Deno.stdin.readable, (line) => {
  const [, action, entry] = /^(add|remove) (.*)$/.exec(line) ?? [];
  if (entry === undefined) return;
  if (action === "add") entries.add(entry);
  else entries.delete(entry);
});

const processes = [...entries].filter((entry) => entry.startsWith("process "))
  .map((entry) => entry.split(" "));
for (const [, pid, signal] of processes) killGroup(Number(pid), signal as Deno.Signal);
if (processes.length > 0) await new Promise((resolve) => setTimeout(resolve, GRACE_MS));
for (const [, pid] of processes) killGroup(Number(pid), "SIGKILL");
// Processes that started just before that without being registered, or that left their group
killTagged(Deno.env.get("SCOPE") ?? "no scope");
for (const entry of entries) {
  if (!entry.startsWith("folder ")) continue;
  await removeFolder(decodeURIComponent(entry.slice("folder ".length)));
}
