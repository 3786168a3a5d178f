import { external } from "./external.ts";
import type { LoadGenerator } from "./generator.ts";
import { BUILT_IN_GENERATORS } from "./built_in_generators.ts";
import { TOOLS } from "./tools/tool_list.ts";

/** Every load generator, the default first. */
export const GENERATORS: readonly LoadGenerator[] = [
  ...BUILT_IN_GENERATORS,
  ...TOOLS.map(external),
];
