import type { Power } from "./facts.ts";
import { listFolder, readText } from "./files.ts";

const SUPPLIES = "/sys/class/power_supply";

/**
 * One entry of the kernel's list of power supplies; a missing file is null.
 * https://www.kernel.org/doc/Documentation/ABI/testing/sysfs-class-power
 */
export interface Supply {
  /** `Mains`, `Battery`, `USB` and others. */
  readonly type: string | null;
  /** `Device` if it feeds a mouse or the like, and not the machine. */
  readonly scope: string | null;
  /** Of mains: `1` when it is plugged in. */
  readonly online: string | null;
  /** Of a battery: `Charging`, `Discharging`, `Full` and others. */
  readonly status: string | null;
}

/** What the machine runs on; null where that is not told. */
export async function readPower(): Promise<Power | null> {
  const names = await listFolder(SUPPLIES);
  return names === null ? null : judgeSupplies(await Promise.all(names.map(readSupply)));
}

/** What a machine with these supplies runs on; null if they do not say. */
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

async function readSupply(name: string): Promise<Supply> {
  const [type, scope, online, status] = await Promise.all(
    ["type", "scope", "online", "status"].map(async (file) =>
      (await readText(`${SUPPLIES}/${name}/${file}`))?.trim() ?? null
    ),
  );
  return {
    type: type ?? null,
    scope: scope ?? null,
    online: online ?? null,
    status: status ?? null,
  };
}
