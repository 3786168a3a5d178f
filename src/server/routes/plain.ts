import type { Handler } from "../router.ts";

/** `GET /`: fixed text. */
export const text: Handler = () => new Response("Hello world");

/** `GET /json`: an object built and serialised for every request. */
export const json: Handler = () => Response.json({ message: "Hello world", ts: new Date() });
