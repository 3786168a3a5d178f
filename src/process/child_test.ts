import { match, strictEqual } from "node:assert/strict";
import { Child } from "./child.ts";
import { readText } from "./tree.ts";

/** For all programs of a group: enough for Deno to start. */
const MEMORY_BYTES = 200 * 2 ** 20;

/** A control group whose programs have so little memory together; null where none can be made. */
async function smallGroup(bytes: number): Promise<string | null> {
  const name = `stampede-test-${crypto.randomUUID()}`;
  for (
    const [hierarchy, limit, swap] of [
      ["/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.memsw.limit_in_bytes"],
      ["/sys/fs/cgroup", "memory.max", "memory.swap.max"],
    ]
  ) {
    const folder = `${hierarchy}/${name}`;
    try {
      await Deno.mkdir(folder);
      await Deno.writeTextFile(`${folder}/${limit}`, String(bytes), { create: false });
      const most = swap === "memory.swap.max" ? 0 : bytes; // of both together, or of swap alone
      await Deno.writeTextFile(`${folder}/${swap}`, String(most), { create: false }).catch(
        () => {},
      );
      return folder;
    } catch {
      await Deno.remove(folder).catch(() => {});
    }
  }
  return null;
}

/** Whether such a group can be made, only by root, on a Linux that counts what it kills. */
async function canMakeGroups(): Promise<boolean> {
  if (!/^oom_kill /m.test(readText("/proc/vmstat") ?? "")) return false;
  const group = await smallGroup(MEMORY_BYTES);
  if (group !== null) await Deno.remove(group);
  return group !== null;
}

const GREEDY = "const all = []; for (;;) all.push(new Uint8Array(1e7).fill(1));";

Deno.test({
  name: "a program that the system kills since memory has run out is said to be one",
  ignore: !await canMakeGroups(),
  async fn(): Promise<void> {
    const group = await smallGroup(MEMORY_BYTES) ?? "";
    const child = new Child({
      argv: ["sh", "-c", `echo $$ > ${group}/cgroup.procs; exec "$0" eval "$1"`].concat(
        [Deno.execPath(), GREEDY],
      ),
      env: { PATH: Deno.env.get("PATH") ?? "" },
    });
    await child.ended;
    await Deno.remove(group);
    strictEqual(
      child.howItEnded,
      "was killed by SIGKILL, and memory has run out: the system has killed programs for it",
    );
  },
});

Deno.test("how a program ended is known afterwards", async () => {
  const env = { PATH: Deno.env.get("PATH") ?? "" };
  const child = new Child({ argv: ["sh", "-c", "read line; exit 3"], env });
  strictEqual(child.howItEnded, "has not ended");
  await child.writeLine("on");
  await child.ended;
  strictEqual(child.howItEnded, "ended with exit code 3");
  const killed = new Child({ argv: ["sleep", "60"], env });
  Deno.kill(killed.pid, "SIGKILL");
  await killed.ended;
  match(killed.howItEnded, /^was killed by SIGKILL(, and memory .*)?$/);
});
