import { UNKNOWN } from "../../model/format.ts";
import { column } from "../table.ts";
import type { Chart } from "./chart.ts";
import type { Item } from "./item.ts";
import { barRows } from "./rows.ts";

/** The uses of CPU time: the components of a run, other programs, and idle time. */
const USERS = ["server", "database", "generator", "others", "idle"] as const;
type User = typeof USERS[number];

/**
 * Returns a chart with the cores used by each component and by other programs, and the idle ones. Null
 * if nothing is known.
 *
 * Other programs include Stampede, and the host of a virtual machine.
 */
export function processorShares(scenario: string, items: readonly Item[]): Chart | null {
  const known = items.filter((item) => USERS.some((user) => coresOf(item, user) !== null));
  if (known.length === 0) return null;
  const texts = (item: Item): string[] =>
    USERS.map((user) => coresOf(item, user)?.toFixed(2) ?? UNKNOWN);
  const rows = known.map((item) => ({
    name: item.label,
    whisker: null,
    isOpen: false,
    bars: DRAWN.map((user) => ({ length: coresOf(item, user) ?? 0, color: `var(--${user})` })),
    text: "",
    about: {
      server: item.result.variant,
      text: `${item.label}: ${texts(item).join(", ")}`,
    },
  }));
  return {
    title: "CPU use",
    note: "Cores that each component used, and that other programs used; the rest was idle.",
    legend: USERS.map((name) => ({ name, color: `var(--${name})` })),
    svg: barRows(rows, `Cores that each component used at ${scenario}`, String, known[0]?.cores),
    table: {
      columns: ["Server", ...USERS].map((heading, i) => column(heading, i > 0)),
      rows: known.map((item) => ({
        server: item.result.variant,
        cells: [item.label, ...texts(item)],
        values: [item.label, ...USERS.map((user) => coresOf(item, user))],
      })),
    },
  };
}

/** The uses that are drawn as bars. Idle cores are the rest of the axis. */
const DRAWN: readonly User[] = ["server", "database", "generator", "others"];

/** Returns the number of cores of a use; null if unknown. */
function coresOf({ result, cores }: Item, user: User): number | null {
  const { evidence } = result.bottleneck ?? {};
  if (user !== "others" && user !== "idle") return evidence?.[user]?.cores ?? null;
  const machine = evidence?.machine ?? null;
  if (machine === null) return null;
  return user === "idle" ? cores * machine.idle : machine.otherCores + cores * machine.steal;
}
