import { autocannon } from "./autocannon.ts";
import type { LoadGenerator } from "./generator.ts";

/** Every load generator, the default first. */
export const GENERATORS: readonly LoadGenerator[] = [autocannon];
