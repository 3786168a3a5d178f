import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { Ajv } from "ajv";
import Fastify from "fastify";
import { primes } from "../shared/primes.js";
import { books, now, users } from "../shared/rows.js";
import * as schemas from "./schemas.js";
import { techempower } from "./techempower.js";
import { web } from "./web.js";

const { HELLO_HTML, HOST, PORT, TLS_CERT, TLS_KEY } = process.env;

const https = TLS_CERT && { cert: readFileSync(TLS_CERT), key: readFileSync(TLS_KEY) };
const app = Fastify({ bodyLimit: 65_536, ...(https && { https }) });
app.removeContentTypeParser("text/plain");

// Fastify's own compiler would also turn the strings of a body into numbers.
const forBody = new Ajv({ allowUnionTypes: true });
const forText = new Ajv({ coerceTypes: true, useDefaults: true });
app.setValidatorCompiler(({ schema, httpPart }) =>
  (httpPart === "body" ? forBody : forText).compile(schema)
);

app.get("/", () => "Hello world");

app.get("/hello", { schema: schemas.hello }, () => ({ message: "Hello, World" }));

app.get("/json", { schema: schemas.json }, () => ({ message: "Hello world", ts: new Date() }));

app.get("/sql1", { schema: schemas.sql1 }, () => now());

app.get("/sql2", { schema: schemas.sql2 }, () => users());

app.get("/books", { schema: schemas.books }, async () => ({
  from: "fastify",
  data: await books(),
}));

let delayed = 0;

app.get("/delay", { schema: schemas.delay }, async (request, reply) => {
  const { ms, every } = request.query;
  if (++delayed % every === 0) await sleep(ms);
  reply.type("text/html; charset=utf-8");
  return readFile(HELLO_HTML);
});

app.get("/primes", { schema: schemas.primes }, (request) => ({
  numbers: primes(request.query.limit),
  from: "fastify",
}));

app.post("/schema", { schema: schemas.schema }, () => ({ message: "Hello, World" }));

app.register(techempower);
app.register(web);

await app.listen({ host: HOST, port: Number(PORT) });
