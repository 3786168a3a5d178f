import type { Power } from "./facts.ts";
import { listFolder, readText } from "../process/files.ts";

const SUPPLIES = "/sys/class/power_supply";

/**
 * One power supply in the kernel's list. A property is null if its file is missing.
 *
 * https://www.kernel.org/doc/Documentation/ABI/testing/sysfs-class-power
 */
export interface Supply {
  /** `Mains`, `Battery`, `USB` and others. */
  readonly type: string | null;
  /** `Device` if it powers a peripheral such as a mouse, and not the machine. */
  readonly scope: string | null;
  /** For mains: `1` if it is plugged in. */
  readonly online: string | null;
  /** For a battery: `Charging`, `Discharging`, `Full` and others. */
  readonly status: string | null;
}

/** Returns the machine's power source; null if the system does not report it. */
export function readPower(): Power | null {
  const names = listFolder(SUPPLIES);
  return names === null ? null : judgeSupplies(names.map(readSupply));
}

/** Returns the power source of a machine with these supplies; null if they do not show it. */
export function judgeSupplies(all: readonly Supply[]): Power | null {
  const supplies = all.filter(({ scope }) => scope !== "Device");
  const batteries = supplies.filter(({ type }) => type === "Battery");
  const others = supplies.filter(({ type }) => type !== "Battery");
  if (batteries.some(({ status }) => status === "Discharging")) return "battery";
  if (others.some(({ online }) => online === "1")) return "mains";
  if (batteries.length === 0) return "none";
  return batteries.every(({ status }) => status === "Charging" || status === "Full")
    ? "mains"
    : null;
}

function readSupply(name: string): Supply {
  const read = (file: string): string | null =>
    readText(`${SUPPLIES}/${name}/${file}`)?.trim() ?? null;
  return {
    type: read("type"),
    scope: read("scope"),
    online: read("online"),
    status: read("status"),
  };
}
