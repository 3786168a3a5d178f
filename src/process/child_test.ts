import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { Child, TextLineStream } from "./child.ts";
import { canMakeGroups, MEMORY_BYTES, smallGroup } from "./process_testdata.ts";

const GREEDY = "const all = []; for (;;) all.push(new Uint8Array(1e7).fill(1));";

Deno.test({
  name: "a program that the system kills since memory has run out is said to be one",
  ignore: !await canMakeGroups(),
  async fn(): Promise<void> {
    const group = await smallGroup(MEMORY_BYTES) ?? "";
    const child = new Child({
      argv: ["sh", "-c", `echo $$ > ${group}/cgroup.procs; exec "$0" eval "$1"`].concat(
        [Deno.execPath(), GREEDY],
      ),
      env: { PATH: Deno.env.get("PATH") ?? "" },
    });
    await child.ended;
    await Deno.remove(group);
    strictEqual(
      child.howItEnded,
      "was killed by SIGKILL, and memory has run out: the system has killed programs for it",
    );
  },
});

Deno.test("how a program ended is known afterwards", async () => {
  const env = { PATH: Deno.env.get("PATH") ?? "" };
  const child = new Child({ argv: ["sh", "-c", "read line; exit 3"], env });
  strictEqual(child.howItEnded, "has not ended");
  await child.writeLine("on");
  await child.ended;
  strictEqual(child.howItEnded, "ended with exit code 3");
  const killed = new Child({ argv: ["sleep", "60"], env });
  Deno.kill(killed.pid, "SIGKILL");
  await killed.ended;
  match(killed.howItEnded, /^was killed by SIGKILL(, and memory .*)?$/);
});

function linesOf(chunks: readonly string[], longest?: number): Promise<string[]> {
  return Array.fromAsync(ReadableStream.from(chunks).pipeThrough(new TextLineStream(longest)));
}

Deno.test("text becomes lines, in whatever pieces it comes", async () => {
  deepStrictEqual(await linesOf(["a\nb", "c\n\nd", "\n", "e"]), ["a", "bc", "", "d", "e"]);
  deepStrictEqual(await linesOf(["a\n"]), ["a"]);
  deepStrictEqual(await linesOf([""]), []);
});

Deno.test("a line that does not end comes in parts", async () => {
  const endless = Array.from({ length: 10 }, () => "abc");
  const lines = await linesOf([...endless, "\nnext"], 10);
  deepStrictEqual(lines, ["abcabcabcabc", "abcabcabcabc", "abcabc", "next"]);
});

Deno.test({
  name: "a program has ended although a daemon of it keeps its output open",
  ignore: Deno.build.os !== "linux",
  sanitizeOps: false, // its output is still being read
  sanitizeResources: false,
  async fn(): Promise<void> {
    const started = Promise.withResolvers<number>();
    // Without variables and in another session, it is not found
    const daemon = "setsid env -i sh -c 'echo $$; exec sleep 20' &";
    const child = new Child({
      argv: ["sh", "-c", `${daemon} sleep 1`],
      env: { PATH: Deno.env.get("PATH") ?? "" },
      onLine: (line) => started.resolve(Number(line)),
    });
    const pid = await started.promise;
    try {
      strictEqual((await child.ended).code, 0);
      match(Deno.readTextFileSync(`/proc/${pid}/cmdline`), /^sleep/, "the daemon still runs");
    } finally {
      Deno.kill(pid, "SIGKILL");
    }
  },
});
