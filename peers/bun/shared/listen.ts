import { file } from "bun";
import { env } from "node:process";

const { HOST, PORT, TLS_CERT, TLS_KEY } = env;

/** Where and how every server here listens. */
export const listen = {
  hostname: HOST,
  port: PORT,
  maxRequestBodySize: 1_000_000,
  idleTimeout: 120, // seconds; by default answers that take longer are given up
  ...(TLS_CERT && TLS_KEY && { tls: { cert: file(TLS_CERT), key: file(TLS_KEY) } }),
};
