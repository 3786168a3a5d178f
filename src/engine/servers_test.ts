import { strictEqual } from "node:assert/strict";
import { text } from "../../scenarios/text.ts";
import type { Facts } from "../model/scenario.ts";
import type { RunningServer } from "../target/launch.ts";
import { Servers } from "./servers.ts";
import type { OpenTestbed } from "./testbed.ts";

const never = new AbortController().signal;

Deno.test("slices use what was verified of the same process before its window", async () => {
  let requests = 0;
  await using server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, () => {
    requests++;
    return new Response("Hello world");
  });
  const origin = `http://127.0.0.1:${server.addr.port}`;
  const process = (): RunningServer => ({ origin }) as RunningServer;
  const servers = new Servers({ facts: {} as Facts } as OpenTestbed, true);
  const first = process();
  const { talk } = await servers.verify(first, text, never);
  const verified: number = requests;
  strictEqual((await servers.verifyOnce(first, text, never)).talk, talk);
  strictEqual(requests, verified, "nothing was sent");
  await servers.verifyOnce(process(), text, never);
  strictEqual(requests, 2 * verified, "another process is verified");
  await servers.verify(first, text, never);
  strictEqual(requests, 3 * verified, "each window is");
});
