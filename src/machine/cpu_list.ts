/**
 * Upper bound of CPU numbers. It prevents lists that fill the memory. Linux supports fewer CPUs:
 * CONFIG_NR_CPUS is at most 8192 on x86.
 */
const MOST_CPUS = 65_536;

/**
 * Parses a list of CPUs in the kernel's notation: `0-3,8`.
 *
 * https://docs.kernel.org/admin-guide/cputopology.html
 *
 * @returns the numbers in ascending order; null if the list is invalid or empty.
 */
export function parseCpuList(text: string): number[] | null {
  const cpus = new Set<number>();
  for (const part of text.trim().split(",")) {
    const [, first = "", last = first] = part.match(/^(\d+)(?:-(\d+))?$/) ?? [];
    if (first === "" || Number(last) < Number(first) || Number(last) >= MOST_CPUS) return null;
    for (let cpu = Number(first); cpu <= Number(last); cpu++) cpus.add(cpu);
  }
  return [...cpus].sort((a, b) => a - b);
}
