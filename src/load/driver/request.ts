import type { HttpRequest } from "../../model/scenario.ts";

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
