/** Groups of programs with little memory, for tests of what happens when it runs out. */
import { readText } from "./tree.ts";

/** For all programs of a group: enough for Deno to start. */
export const MEMORY_BYTES: number = 200 * 2 ** 20;

/** A control group whose programs have so little memory together; null where none can be made. */
export async function smallGroup(bytes: number): Promise<string | null> {
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
export async function canMakeGroups(): Promise<boolean> {
  if (!/^oom_kill /m.test(readText("/proc/vmstat") ?? "")) return false;
  const group = await smallGroup(MEMORY_BYTES);
  if (group !== null) await Deno.remove(group);
  return group !== null;
}
