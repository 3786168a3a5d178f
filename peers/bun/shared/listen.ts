import { file } from "bun";
import { env } from "node:process";

const { HOST, PORT, TLS_CERT, TLS_KEY } = env;

/** Address and options of every Bun server. */
export const listen = {
  hostname: HOST,
  port: PORT,
  maxRequestBodySize: 1_000_000,
  idleTimeout: 120, // seconds; the default is too short for slow responses
  ...(TLS_CERT && TLS_KEY && { tls: { cert: file(TLS_CERT), key: file(TLS_KEY) } }),
};
