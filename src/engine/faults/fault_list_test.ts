import { ok, rejects, strictEqual } from "node:assert/strict";
import { get } from "../../../scenarios/expect.ts";
import { ProcessScope } from "../../process/scope.ts";
import { readProcesses } from "../../process/tree.ts";
import { HostileClients } from "./fault_list.ts";

const never = new AbortController().signal;

/** Returns the number of running processes of hostile clients. */
function hostileClientProcesses(): number {
  const pids = [...readProcesses()?.keys() ?? []];
  return pids.filter((pid) => {
    try {
      return Deno.readTextFileSync(`/proc/${pid}/cmdline`).includes("hostile_clients_process.ts");
    } catch {
      return false; // it has ended meanwhile
    }
  }).length;
}

Deno.test("a process of hostile clients says when it begins, how many requests it sent, and who answers none", async () => {
  const ended = Promise.withResolvers<void>();
  await using server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    async ({ url }) => {
      if (url.endsWith("/silent")) await ended.promise;
      return new Response("");
    },
  );
  const origin = `http://127.0.0.1:${server.addr.port}`;
  await using scope = new ProcessScope();
  await using hostileClients = new HostileClients(scope);
  const demand = { origin, request: get("/"), most: 10 };
  ok(await hostileClients.closedLoopRate(demand, never) > 0);
  let begun = 0;
  const requestFlood = { ...demand, perS: 100, durationS: 0.2, leaves: false };
  strictEqual(await hostileClients.floodRequests(requestFlood, never, () => begun++), 20);
  await hostileClients.churn({ ...demand, durationS: 0.1 }, never, () => begun++);
  strictEqual(begun, 2);
  await rejects(hostileClients.closedLoopRate({ ...demand, request: get("/silent") }, never), {
    message: "The server answered no request for /silent under load",
  });
  ended.resolve();
});

Deno.test({
  name: "a process of hostile clients that is interrupted leaves nothing behind",
  ignore: Deno.build.os !== "linux",
  fn: async () => {
    await using server = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen: () => {} },
      () => new Response(""),
    );
    const origin = `http://127.0.0.1:${server.addr.port}`;
    await using scope = new ProcessScope();
    await using hostileClients = new HostileClients(scope);
    const stop = new AbortController();
    const before = hostileClientProcesses();
    const requestFlood = {
      origin,
      request: get("/"),
      most: 10,
      perS: 10,
      durationS: 60,
      leaves: true,
    };
    await rejects(
      hostileClients.floodRequests(requestFlood, stop.signal, () => {
        strictEqual(hostileClientProcesses(), before + 1);
        stop.abort(new Error("enough"));
      }),
      { message: "enough" },
    );
    strictEqual(hostileClientProcesses(), before);
  },
});
