import { isoTime } from "../iso_time.ts";
import type { RouteHandler } from "../router.ts";

/** Handles `GET /`: sends a fixed text. */
export const text: RouteHandler = () => new Response("Hello world");

/** Header that TechEmpower's rules require. */
export const NAMED = { server: "Deno" };

/** Handles `GET /plaintext`: sends a fixed text with the header {@linkcode NAMED}. */
export const plaintext: RouteHandler = () => new Response("Hello, World!", { headers: NAMED });

/** Handles `GET /hello`: serialises a constant object for every request. */
export const hello: RouteHandler = () => Response.json({ message: "Hello, World" });

/** Handles `GET /hello-later`: sends a short text after a timer of 100 ms. */
export const helloLater: RouteHandler = async () => {
  await new Promise((resolve) => setTimeout(resolve, 100));
  return new Response("Hello, World!");
};

/** Handles `GET /json`: builds and serialises an object for every request. */
export const json: RouteHandler = () => {
  // Not a Date: `JSON.stringify` would call its `toJSON`, which adds 8 % to the whole response.
  const ts = isoTime(Date.now());
  return Response.json({ message: "Hello world", ts });
};
