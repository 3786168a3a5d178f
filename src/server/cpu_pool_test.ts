import { rejects, strictEqual } from "node:assert/strict";
import { CpuPool } from "./cpu_pool.ts";

const BAD = new URL("./testdata/bad_worker.ts", import.meta.url);
const BROKEN = new URL("./testdata/broken_worker.ts", import.meta.url);
const never = new AbortController();

function pool(
  module: URL,
  { deadlineMs, queueLimit = 10 }: { deadlineMs?: number; queueLimit?: number } = {},
): CpuPool<string, string> {
  return new CpuPool(module, { cpuWorkers: 1, queueLimit }, deadlineMs);
}

Deno.test("CpuPool replaces a worker that throws", async () => {
  using one = pool(BAD);
  await rejects(one.run("throw", never), { status: 500, message: /failed/ });
  strictEqual(await one.run("answer", never), "a response");
  await rejects(one.run("reject", never), { status: 500, message: /failed/ });
  strictEqual(await one.run("answer", never), "a response");
});

Deno.test("CpuPool replaces a worker that never answers", async () => {
  using one = pool(BAD, { deadlineMs: 1000 });
  await rejects(one.run("say nothing", never), { status: 500, message: /did not answer/ });
  strictEqual(await one.run("answer", never), "a response");
});

Deno.test("CpuPool replaces a worker that dies", async () => {
  using one = pool(BAD, { deadlineMs: 1000 });
  await rejects(one.run("close", never), { status: 500, message: /did not answer/ });
  strictEqual(await one.run("answer", never), "a response");
});

Deno.test("CpuPool fails each request to a module that cannot be loaded, without waiting", async () => {
  using one = pool(BROKEN);
  for (let i = 0; i < 3; i++) {
    await rejects(one.run("answer", never), { status: 500, message: /failed/ });
    await new Promise((resolve) => setTimeout(resolve, 300)); // idle workers fail too
  }
});

Deno.test("CpuPool bounds its queue and lets aborted requests leave it", async () => {
  using one = pool(BAD, { deadlineMs: 1000, queueLimit: 1 });
  const running = one.run("say nothing", never);
  const controller = new AbortController();
  const waiting = one.run("answer", controller);
  await rejects(one.run("answer", never), { status: 503, headers: { "retry-after": "1" } });
  controller.abort();
  await rejects(waiting, { name: "AbortError" });
  const next = one.run("answer", never);
  await rejects(running, { status: 500 });
  strictEqual(await next, "a response");
});
