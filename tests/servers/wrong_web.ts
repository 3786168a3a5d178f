/** Stampede's own server with the fault that `WRONG` names. */
import { createApp } from "../../src/server/app.ts";
import { readConfig } from "../../src/server/config.ts";
import { errorResponse } from "../../src/server/http.ts";

const config = readConfig((name) => Deno.env.get(name));
const { fetch } = createApp(config);
const wrong = Deno.env.get("WRONG");
let count = 0;

/** Returns numbers without writing them to the database. */
async function unwritten(request: Request): Promise<Response> {
  const rows = await (await fetch(new Request(request.url.replace("updates", "queries")))).json();
  for (const row of rows) row.randomNumber = 1 + Math.floor(10_000 * Math.random());
  return Response.json(rows, { headers: { server: "wrong" } });
}

let cache: unknown[] | null = null;
/** Returns rows that were read once, for every request. */
async function remembered(request: Request): Promise<Response> {
  const url = request.url.replace("/db", "/queries?queries=500");
  cache ??= await (await fetch(new Request(url))).json() as unknown[];
  const row = cache[Math.floor(cache.length * Math.random())];
  return Response.json(row, { headers: { server: "wrong" } });
}

async function respond(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  count++;
  switch (`${wrong} ${pathname}`) {
    case "unescaped /fortunes": {
      const { headers, ...response } = await fetch(request);
      const text = (await (await fetch(request)).text()).replace("&lt;script&gt;", "<script>");
      return new Response(text, { ...response, headers });
    }
    case "remembered /db":
      return await remembered(request);
    case "unwritten /updates":
      return await unwritten(request);
    case "seldom-written /updates":
      return count > 20 && count % 2 === 0 ? await unwritten(request) : await fetch(request);
    case "truncated /static/words.txt": {
      const response = await fetch(request);
      if (count % 50 !== 49) return response;
      return new Response((await response.text()).slice(0, -1), { headers: response.headers });
    }
    case "dropping /echo": {
      const { socket, response } = Deno.upgradeWebSocket(request);
      socket.binaryType = "arraybuffer";
      socket.onmessage = ({ data }) => void (++count % 200 === 0 || socket.send(data));
      return response;
    }
    default:
      return await fetch(request);
  }
}

const { host: hostname, port } = config;
Deno.serve({ hostname, port, onListen: () => {}, onError: errorResponse }, respond);
