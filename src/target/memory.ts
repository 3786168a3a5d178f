import { familyOf, readProcesses, readText } from "../process/tree.ts";

/** Memory that a program has in use with all its descendants, in bytes; null if the system does not tell. */
export function residentBytes(pid: number): number | null {
  const processes = readProcesses();
  return processes && memoryOf(familyOf(processes, [pid]), "VmRSS");
}

/** Bytes of memory, added up over processes; null if none of them tells. */
export function memoryOf(pids: readonly number[], field: "VmRSS" | "VmHWM"): number | null {
  if (Deno.build.os !== "linux") return null;
  const known = pids.flatMap((pid) => {
    const text = readText(`/proc/${pid}/status`) ?? "";
    const kibibytes = text.match(new RegExp(`^${field}:\\s*(\\d+) kB`, "m"))?.[1];
    return kibibytes === undefined ? [] : [1024 * Number(kibibytes)];
  });
  return known.length === 0 ? null : known.reduce((total, bytes) => total + bytes, 0);
}

/** Makes VmHWM start again from what is in use now; where that is not allowed it goes on. */
export function forgetPeak(pid: number): void {
  try {
    Deno.writeTextFileSync(`/proc/${pid}/clear_refs`, "5", { create: false });
  } catch {
    // The peak is then the one since the program started, which is never too low.
  }
}
