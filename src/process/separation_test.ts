import { ok, strictEqual } from "node:assert/strict";

const FOLDER = new URL("./", import.meta.url);

/** Leaves its processor 100 times. Prints how often it was elsewhere then, and whether it may run there again. */
const PROGRAM = `
  import { keepOn } from "${FOLDER}scheduling.ts";
  import { busiestThread, openMover } from "${FOLDER}separation.ts";
  import { processorOf } from "${FOLDER}tree.ts";
  const allowed = () =>
    /^Cpus_allowed:\\s*(.*)$/m.exec(Deno.readTextFileSync("/proc/self/status"))[1];
  const before = allowed();
  const neighbour = new Deno.Command("sh", { args: ["-c", "while :; do sleep 0.01; done"] }).spawn();
  using mover = openMover();
  let apart = 0;
  for (let n = 0; n < 100; n++) {
    const processor = processorOf(Deno.pid);
    keepOn(neighbour.pid, processor);
    while (processorOf(neighbour.pid) !== processor) await new Promise((on) => setTimeout(on, 1));
    mover.separate(Deno.pid, neighbour.pid);
    if (processorOf(Deno.pid) !== processor) apart++;
  }
  const found = busiestThread(neighbour.pid) === neighbour.pid;
  neighbour.kill("SIGKILL");
  await neighbour.status;
  mover.separate(Deno.pid, 2 ** 30); // there is no such thread
  console.log(apart, found, before === allowed());
`;

Deno.test({
  name: "a thread leaves the processor of another one, and may return later",
  ignore: Deno.build.os !== "linux" || navigator.hardwareConcurrency < 2,
  async fn(): Promise<void> {
    const file = await Deno.makeTempFile({ suffix: ".ts" });
    try {
      await Deno.writeTextFile(file, PROGRAM);
      const { stdout } = await new Deno.Command(Deno.execPath(), {
        args: ["run", "--quiet", "-A", file],
      }).output();
      const [apart, ...rest] = new TextDecoder().decode(stdout).trim().split(" ");
      strictEqual(rest.join(), "true,true");
      ok(Number(apart) > 90, `${apart} of 100 times`); // Linux may move it back at any time
    } finally {
      await Deno.remove(file);
    }
  },
});
