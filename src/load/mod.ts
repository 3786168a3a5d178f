import { autocannon } from "./autocannon.ts";
import { external } from "./external.ts";
import type { LoadGenerator } from "./generator.ts";
import { TOOLS } from "./tools/mod.ts";

/** Every load generator, the default first. */
export const GENERATORS: readonly LoadGenerator[] = [autocannon, ...TOOLS.map(external)];
