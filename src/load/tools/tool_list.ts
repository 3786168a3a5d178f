import { ab } from "./ab.ts";
import { h2load } from "./h2load.ts";
import { hey } from "./hey.ts";
import { k6 } from "./k6.ts";
import { oha } from "./oha.ts";
import type { Tool } from "./tool.ts";
import { wrk } from "./wrk.ts";

/** All load generators that are separate programs. */
export const TOOLS: readonly Tool[] = [wrk, oha, ab, hey, h2load, k6];
