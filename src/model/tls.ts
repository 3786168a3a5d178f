import * as s from "./json_schema.ts";

/** Protocols over TLS by their ALPN names (https://www.rfc-editor.org/rfc/rfc7301). */
export const ALPN = ["http/1.1", "h2"] as const;
export type Alpn = typeof ALPN[number];
export const alpn: s.Schema<Alpn> = s.oneOf(...ALPN);

export const Handshakes = s.object(
  "Handshakes",
  "Raw: TLS connections that were opened one after the other, each with a full handshake.",
  {
    count: [s.ordinal, "Number of connections."],
    p50Us: [s.amount, "Median time from connecting to the end of the handshake."],
    p99Us: [s.amount, "99th percentile of that time."],
    serverCpuUs: [
      s.nullable(s.amount),
      "CPU time of the server per handshake; null if unknown.",
    ],
  },
);
export interface Handshakes extends s.Static<typeof Handshakes> {}
