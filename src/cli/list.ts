import { SCENARIOS } from "../../scenarios/mod.ts";
import { GENERATORS } from "../load/mod.ts";
import { readCatalog } from "../target/catalog.ts";
import { say } from "./say.ts";

/** `list`: what can be measured, and with what. */
export async function list(): Promise<number> {
  const targets = [...(await readCatalog()).values()];
  const sections: [string, readonly (readonly [string, string])[]][] = [
    [
      "Scenarios",
      SCENARIOS.map(({ id, request, title }) =>
        [id, `${`${request.method} ${request.path.split("?")[0]}`.padEnd(14)}${title}`] as const
      ),
    ],
    ["Servers", targets.map(({ id, name, language }) => [id, `${name} (${language})`] as const)],
    ["Load generators", GENERATORS.map(({ id, version }) => [id, version] as const)],
  ];
  for (const [heading, rows] of sections) {
    say(`${heading}:`);
    for (const [id, text] of rows) say(`  ${id.padEnd(12)}${text}`);
  }
  return 0;
}
