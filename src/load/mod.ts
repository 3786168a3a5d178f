import { external } from "./external.ts";
import type { LoadGenerator } from "./generator.ts";
import { OWN_GENERATORS } from "./own.ts";
import { TOOLS } from "./tools/mod.ts";

/** Every load generator, the default first. */
export const GENERATORS: readonly LoadGenerator[] = [...OWN_GENERATORS, ...TOOLS.map(external)];
