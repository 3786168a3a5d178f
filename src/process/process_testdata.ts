/** Control groups with little memory, for tests of running out of memory. */
import { readText } from "./files.ts";

/** Memory of a group in bytes: enough for Deno to start. */
export const MEMORY_BYTES: number = 200 * 2 ** 20;

/**
 * Makes a control group with a memory limit in bytes.
 *
 * @returns its path; null if the system does not allow it.
 */
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
      const most = swap === "memory.swap.max" ? 0 : bytes; // the limit of both together, or of swap only
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

/**
 * Returns whether a control group with a memory limit can be made. This needs root, and a kernel
 * that counts the programs that it kills for lack of memory.
 */
export async function canMakeGroups(): Promise<boolean> {
  if (!/^oom_kill /m.test(readText("/proc/vmstat") ?? "")) return false;
  const group = await smallGroup(MEMORY_BYTES);
  if (group !== null) await Deno.remove(group);
  return group !== null;
}
