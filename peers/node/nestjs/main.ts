import { NestFactory } from "@nestjs/core";
import { FastifyAdapter, type NestFastifyApplication } from "@nestjs/platform-fastify";
import { WsAdapter } from "@nestjs/platform-ws";
import ejs from "ejs";
import { readFileSync } from "node:fs";
import { VIEWS } from "#shared/fortunes.js";
import { MOST_BYTES } from "#shared/web.js";
import { AppModule } from "./app.module.js";
import { ECHO } from "./echo.gateway.js";

const { HOST, PORT, STATIC_FOLDER = ".", TLS_CERT, TLS_KEY } = process.env;

const https = TLS_CERT && TLS_KEY &&
  { cert: readFileSync(TLS_CERT), key: readFileSync(TLS_KEY) };
const adapter = new FastifyAdapter({ bodyLimit: 65_536, ...(https && { https }) });

const app = await NestFactory.create<NestFastifyApplication>(AppModule, adapter, {
  bodyParser: false, // Fastify's parsers are used, because Nest's also accept forms
  logger: ["error", "warn"],
});
adapter.getInstance().removeContentTypeParser("text/plain");
app.useBodyParser("application/octet-stream", { bodyLimit: MOST_BYTES });
app.setViewEngine({ engine: { ejs }, root: VIEWS });
app.useStaticAssets({
  root: STATIC_FOLDER,
  prefix: "/static/",
  index: false,
  preCompressed: true,
});
// By default a message must be JSON with the name of its event
const messageParser = (data: unknown) => ({ event: ECHO, data });
app.useWebSocketAdapter(new WsAdapter(app, { messageParser }));

await app.listen(Number(PORT), HOST ?? "127.0.0.1");
