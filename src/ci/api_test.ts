import { deepStrictEqual, rejects, strictEqual } from "node:assert/strict";
import { Api } from "./api.ts";
import { type CallHandler, GitHub, testWorld } from "./ci_testdata.ts";

type Ask = Parameters<Api["json"]>[0];

const ASK: Ask = { what: "read it", needs: "pull-requests: write", path: "/x" };

async function failing(
  handle: CallHandler,
  expected: RegExp,
  ask: Partial<Ask> = {},
  timeoutMs = 60_000,
): Promise<number> {
  await using github = new GitHub(handle);
  const api = new Api(testWorld({ GITHUB_API_URL: github.url }, { timeoutMs }), "t");
  await rejects(api.json({ ...ASK, ...ask }), { name: "Failure", message: expected });
  return github.calls.length;
}

const status = (status: number, body: BodyInit, headers: HeadersInit = {}): CallHandler => () =>
  new Response(body, { status, headers });

Deno.test("what GitHub refuses is one line: what was done, what came, what to do", async () => {
  const json = (message: string): string => JSON.stringify({ message });
  await failing(
    status(403, json("Resource not accessible\nby integration")),
    /^Cannot read it: GitHub answered 403: Resource not accessible by integration; the job needs permissions: pull-requests: write$/,
  );
  await failing(
    status(403, json("limit"), { "x-ratelimit-remaining": "0" }),
    /; the token has sent too many requests: wait for an hour$/,
  );
  await failing(status(401, json("Bad credentials")), /401: Bad credentials; the input token is/);
  await failing(
    status(404, json("Not Found")),
    /404: Not Found; it does not exist, or the token may/,
  );
  await failing(
    status(422, json("x".repeat(999))),
    /^.{0,300}; report it to the maintainers of Stampede$/,
  );
  await failing(status(200, "<html>"), /answered 200 with something other than JSON; run the job/);
  await failing(status(301, "", { location: "https://evil.example" }), /answered 301; /);
});

Deno.test("what changes nothing when done twice is tried again after a bad moment", async () => {
  const page = status(502, "<html>Unicorn!</html>");
  strictEqual(await failing(page, /answered 502; run the job again$/), 3);
  strictEqual(await failing(page, /answered 502; run/, { method: "PATCH", body: {} }), 3);
  strictEqual(await failing(page, /answered 502; run/, { method: "POST", body: {} }), 1);
  let asked = 0;
  await using github = new GitHub(() =>
    ++asked < 3 ? new Response("", { status: 503 }) : Response.json({ fine: true })
  );
  deepStrictEqual(await new Api(testWorld({ GITHUB_API_URL: github.url }), "t").json(ASK), {
    fine: true,
  });
});

Deno.test("a GitHub that hangs, in the response or before it, or is not there, holds nobody up", async () => {
  const { promise, resolve } = Promise.withResolvers<Response>();
  const hung = failing(
    () => promise,
    /^Cannot read it: GitHub did not answer within 1 s; run/,
    {},
    1000,
  );
  setTimeout(() => resolve(new Response("")), 3000);
  strictEqual(await hung, 1);
  const endless = (): Response => {
    let timer: ReturnType<typeof setInterval> | undefined;
    return new Response(
      new ReadableStream({
        start: (controller) =>
          void (timer = setInterval(() => controller.enqueue(new Uint8Array([32])), 20)),
        cancel: () => clearInterval(timer),
      }),
    );
  };
  await failing(endless, /GitHub did not answer within 0\.5 s/, {}, 500);
  const api = new Api(testWorld({ GITHUB_API_URL: "http://127.0.0.1:1" }), "t");
  await rejects(api.json(ASK), /^Failure: Cannot read it: GitHub cannot be reached: /);
});

Deno.test("an address that GitHub damaged is named as the cause", async () => {
  const headers = { link: '<https://[>; rel="next"', location: "https://[" };
  await using github = new GitHub(({ path }) =>
    path === "/file" ? new Response(null, { status: 302, headers }) : Response.json([], { headers })
  );
  const api = new Api(testWorld({ GITHUB_API_URL: github.url }), "t");
  const why = /^Failure: Cannot read it: GitHub gave an invalid address; run the job again$/;
  await rejects(async () => await Array.fromAsync(api.pages(ASK)), why);
  await rejects(api.place({ ...ASK, path: "/file" }), why);
});

Deno.test("pages follow GitHub's links, and no link leads the token elsewhere", async () => {
  await using github = new GitHub((call, url) => {
    const next = call.path === "/x" ? `${url}/x?page=2` : "https://evil.example/x";
    return Response.json([call.path], {
      headers: { link: `<${url}>; rel="prev", <${next}>; rel="next"` },
    });
  });
  const api = new Api(testWorld({ GITHUB_API_URL: `${github.url}/` }), "t");
  const seen: unknown[] = [];
  await rejects(
    async () => {
      for await (const one of api.pages(ASK)) seen.push(one);
    },
    /^Failure: Cannot read it: GitHub refers to https:\/\/evil\.example, which is not the API; run the job again$/,
  );
  deepStrictEqual(seen, ["/x", "/x?page=2"]);
  await using other = new GitHub(() => Response.json({}));
  const wrong = new Api(testWorld({ GITHUB_API_URL: other.url }), "t").pages(ASK);
  await rejects(Array.fromAsync(wrong), /^Failure: Cannot read it: the response is not a list; /);
});
