import type { HttpRequest } from "../../model/scenario.ts";

/** The address of a server, and whether it uses TLS. */
export interface Address {
  readonly hostname: string;
  readonly port: number;
  readonly isTls: boolean;
}

/** Parses an origin such as `http://127.0.0.1:8000`. */
export function addressOf(origin: string): Address {
  const { protocol, hostname, port } = new URL(origin);
  const isTls = protocol === "https:";
  return {
    hostname: hostname.replace(/^\[(.*)\]$/, "$1"),
    port: Number(port || (isTls ? 443 : 80)),
    isTls,
  };
}

/** Returns the bytes of a request. */
export function encodeRequest(
  origin: string,
  { method, path, headers, body }: HttpRequest,
): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  const bytes = encoder.encode(body ?? "");
  const names = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  const lines = [
    `${method} ${path} HTTP/1.1`,
    ...(names.has("host") ? [] : [`host: ${new URL(origin).host}`]),
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body === null || names.has("content-length") ? [] : [`content-length: ${bytes.length}`]),
  ];
  const head = encoder.encode(`${lines.join("\r\n")}\r\n\r\n`);
  const request = new Uint8Array(head.length + bytes.length);
  request.set(head);
  request.set(bytes, head.length);
  return request;
}
