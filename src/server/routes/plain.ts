import { isoTime } from "../iso_time.ts";
import type { RouteHandler } from "../router.ts";

/** `GET /`: fixed text. */
export const text: RouteHandler = () => new Response("Hello world");

/** What TechEmpower's rules want to be told. */
export const NAMED = { server: "Deno" };

/** `GET /plaintext`: as little as can be. */
export const plaintext: RouteHandler = () => new Response("Hello, World!", { headers: NAMED });

/** `GET /hello`: a constant object, serialised for every request. */
export const hello: RouteHandler = () => Response.json({ message: "Hello, World" });

/** `GET /hello-later`: a short text after a while in which there is nothing to do. */
export const helloLater: RouteHandler = async () => {
  await new Promise((resolve) => setTimeout(resolve, 100));
  return new Response("Hello, World!");
};

/** `GET /json`: an object built and serialised for every request. */
export const json: RouteHandler = () => {
  // Not a Date: `JSON.stringify` would have to ask it for its text, at 8 % more for the whole response.
  const ts = isoTime(Date.now());
  return Response.json({ message: "Hello world", ts });
};
