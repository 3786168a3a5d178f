import { readFileSync } from "node:fs";
import http from "node:http";
import https from "node:https";
import { WebSocketServer } from "ws";
import { echo } from "./web.js";

const { HOST, PORT, TLS_CERT, TLS_KEY } = process.env;

/** Listens with this application, and beside it for the WebSockets of /echo. */
export function listen(application) {
  const server = TLS_CERT
    ? https.createServer({ cert: readFileSync(TLS_CERT), key: readFileSync(TLS_KEY) }, application)
    : http.createServer(application);
  new WebSocketServer({ server, path: "/echo" }).on("connection", echo);
  server.listen(PORT, HOST);
}
