import { SCENARIOS } from "../../scenarios/mod.ts";
import { GENERATORS } from "../load/mod.ts";
import type { Target } from "../model.ts";
import { readCatalog } from "../target/catalog.ts";
import { Toolchain } from "../target/toolchain.ts";
import { say } from "./say.ts";

/** `list`: what can be measured here, with what, and what it would take to measure the rest. */
export async function list(): Promise<number> {
  const targets = [...(await readCatalog()).values()];
  const toolchain = new Toolchain();
  const missing = await Promise.all(targets.map((target) => toolchain.missing(target)));
  const sections: [string, readonly (readonly [string, string])[]][] = [
    [
      "Scenarios",
      SCENARIOS.map(({ id, request, title, isDefault }) =>
        [
          id,
          `${`${request.method} ${request.path.split("?")[0]}`.padEnd(22)}${title}${
            isDefault ? "" : " (only if it is named)"
          }`,
        ] as const
      ),
    ],
    ["Servers", targets.map((target, i) => [target.id, describe(target, missing[i] ?? null)])],
    ["Load generators", GENERATORS.map(({ id, version }) => [id, version] as const)],
  ];
  for (const [heading, rows] of sections) {
    say(`${heading}:`);
    for (const [id, text] of rows) say(`  ${id.padEnd(20)}${text}`);
  }
  return 0;
}

/** What a server is, and what it implements if that is not everything; or why it is skipped here. */
function describe(
  { name, language, framework, scenarios }: Target,
  missing: string | null,
): string {
  const what = [language, framework].filter((part) => part !== null && part !== name).join(", ");
  if (missing !== null) return `${name} (${what}) - skipped: ${missing}`;
  const defaults = SCENARIOS.filter(({ isDefault }) => isDefault);
  const isWhole = defaults.every(({ id }) => id in scenarios);
  return `${name} (${what})${isWhole ? "" : `: ${Object.keys(scenarios).join(", ")}`}`;
}
