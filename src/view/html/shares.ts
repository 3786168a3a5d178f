import { UNKNOWN } from "../format.ts";
import type { Chart } from "./chart.ts";
import type { Item } from "./item.ts";
import { barRows } from "./rows.ts";

/** Everything that uses or leaves CPU time: the components of a run, other programs, and nobody. */
const USERS = ["server", "database", "generator", "others", "idle"] as const;
type User = typeof USERS[number];

/**
 * How many cores each component of a run kept busy, other programs used (with the host of a virtual machine, and
 * Stampede itself), and were idle; null if that is not known.
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
    title: "Who used the processors",
    note: "Cores that each component kept busy, and that other programs used; the rest was idle.",
    legend: USERS.map((name) => ({ name, color: `var(--${name})` })),
    svg: barRows(rows, `Cores that each component used at ${scenario}`, String, known[0]?.cores),
    table: {
      columns: ["Server", ...USERS].map((heading, i) => ({
        heading,
        isNumber: i > 0,
        dropOrder: 0,
      })),
      rows: known.map((item) => ({
        server: item.result.variant,
        cells: [item.label, ...texts(item)],
        values: [item.label, ...USERS.map((user) => coresOf(item, user))],
      })),
    },
  };
}

/** Idle cores are what is left of the axis. */
const DRAWN: readonly User[] = ["server", "database", "generator", "others"];

/** Cores that a component or others used, or that were idle; null if unknown. */
function coresOf({ result, cores }: Item, user: User): number | null {
  const { evidence } = result.bottleneck ?? {};
  if (user !== "others" && user !== "idle") return evidence?.[user]?.cores ?? null;
  const machine = evidence?.machine ?? null;
  if (machine === null) return null;
  return user === "idle" ? cores * machine.idle : machine.otherCores + cores * machine.steal;
}
