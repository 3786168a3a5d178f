import { autocannon } from "./autocannon.ts";
import { external } from "./external.ts";
import type { LoadGenerator } from "./generator.ts";
import { stampede } from "./stampede.ts";
import { TOOLS } from "./tools/mod.ts";

/** Every load generator, the default first. */
export const GENERATORS: readonly LoadGenerator[] = [autocannon, stampede, ...TOOLS.map(external)];
