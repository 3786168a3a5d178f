import type { Scenario } from "../src/model/scenario.ts";
import { books } from "./books.ts";
import { delay } from "./delay.ts";
import { getHello, hello } from "./hello.ts";
import { isolation, isolationInline } from "./isolation.ts";
import { json } from "./json.ts";
import { primes, primesPublished } from "./primes.ts";
import { schema } from "./schema.ts";
import { sql1 } from "./sql1.ts";
import { sql2 } from "./sql2.ts";
import { fortunes } from "./techempower/fortunes.ts";
import { plaintext } from "./techempower/plaintext.ts";
import { cached, db, queries, updates } from "./techempower/world.ts";
import { text } from "./text.ts";
import { staticFile } from "./web/static.ts";
import { stream } from "./web/stream.ts";
import { uploads } from "./web/upload.ts";
import { websocket } from "./web/websocket.ts";

/** All built-in scenarios, in the order of tables. */
export const SCENARIOS: readonly Scenario[] = [
  text,
  json,
  sql1,
  sql2,
  books,
  delay,
  primes,
  schema,
  plaintext,
  db,
  queries,
  fortunes,
  updates,
  cached,
  staticFile,
  uploads,
  stream,
  websocket,
  isolation,
  isolationInline,
  primesPublished,
  hello,
  getHello,
];
