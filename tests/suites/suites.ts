import { AUTOBAHN } from "./autobahn.ts";
import { H2SPEC } from "./h2spec.ts";
import { HTTP1 } from "./http1.ts";
import { REDBOT } from "./redbot.ts";
import { SSLYZE } from "./sslyze.ts";
import type { Suite } from "./suite.ts";
import { TLS } from "./tls.ts";

/** All suites, in the order in which they run. */
export const SUITES: readonly Suite[] = [HTTP1, REDBOT, H2SPEC, AUTOBAHN, TLS, SSLYZE];
