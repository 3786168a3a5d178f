/** No Linux has more: the most that CONFIG_NR_CPUS may be is 8192 on x86. */
const MOST_CPUS = 65_536;

/**
 * Reads a list of CPUs as the kernel writes it: `0-3,8`.
 * https://docs.kernel.org/admin-guide/cputopology.html
 *
 * @returns the numbers in ascending order; null if it is no such list or names none
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
