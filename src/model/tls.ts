import { amount, nullable, object, oneOf, ordinal, type Schema, type Static } from "./schema.ts";

/** What is spoken over TLS, by the names of ALPN (https://www.rfc-editor.org/rfc/rfc7301). */
export const ALPN = ["http/1.1", "h2"] as const;
export type Alpn = typeof ALPN[number];
export const alpn: Schema<Alpn> = oneOf(...ALPN);

export const Handshakes = object(
  "Handshakes",
  "Raw: connections that were opened over TLS one after the other, each with a whole handshake.",
  {
    count: [ordinal, "How many."],
    p50Us: [amount, "The median of the time from connecting to the handshake's end."],
    p99Us: [amount, "The 99th percentile of that."],
    serverCpuUs: [
      nullable(amount),
      "CPU time of the server for each; null where it is not known.",
    ],
  },
);
export interface Handshakes extends Static<typeof Handshakes> {}
