import { status } from "elysia";

const MAX_JSON = 65_536;

/**
 * Reads a JSON body of at most 64 KiB. Elysia would also accept text and forms, and has one limit for
 * all routes.
 */
export async function jsonUpTo64KiB({ request }: { request: Request }): Promise<unknown> {
  const type = request.headers.get("content-type") ?? "";
  if (!/^application\/json\s*(;|$)/i.test(type)) throw status(415);
  const body = await request.text();
  if (Buffer.byteLength(body) > MAX_JSON) throw status(413);
  return JSON.parse(body);
}
