import type { Scenario } from "../src/model/scenario.ts";
import { books } from "./books.ts";
import { delay } from "./delay.ts";
import { getHello, hello } from "./hello.ts";
import { isolation, isolationInline } from "./isolation.ts";
import { json } from "./json.ts";
import { primes } from "./primes.ts";
import { primesPublished } from "./primes_published.ts";
import { schema } from "./schema.ts";
import { sql1 } from "./sql1.ts";
import { sql2 } from "./sql2.ts";
import { text } from "./text.ts";

/** Every scenario, in the order in which they are printed. */
export const SCENARIOS: readonly Scenario[] = [
  text,
  json,
  sql1,
  sql2,
  books,
  delay,
  primes,
  schema,
  isolation,
  isolationInline,
  primesPublished,
  hello,
  getHello,
];
