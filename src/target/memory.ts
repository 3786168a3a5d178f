import { readText } from "../process/files.ts";
import { familyOf, readProcesses } from "../process/tree.ts";

/** Returns the resident memory of a program and all its descendants, in bytes; null if unknown. */
export function residentBytes(pid: number): number | null {
  const processes = readProcesses();
  return processes && memoryOf(familyOf(processes, [pid]), "VmRSS");
}

/** Returns the sum of a memory figure over processes, in bytes; null if it is unknown for all. */
export function memoryOf(pids: readonly number[], field: "VmRSS" | "VmHWM"): number | null {
  if (Deno.build.os !== "linux") return null;
  const known = pids.flatMap((pid) => {
    const text = readText(`/proc/${pid}/status`) ?? "";
    const kibibytes = text.match(new RegExp(`^${field}:\\s*(\\d+) kB`, "m"))?.[1];
    return kibibytes === undefined ? [] : [1024 * Number(kibibytes)];
  });
  return known.length === 0 ? null : known.reduce((total, bytes) => total + bytes, 0);
}

/** Resets VmHWM, the peak of resident memory. Does nothing if the system does not allow it. */
export function forgetPeak(pid: number): void {
  try {
    Deno.writeTextFileSync(`/proc/${pid}/clear_refs`, "5", { create: false });
  } catch {
    // The peak since the start of the program remains, which is never too low.
  }
}
