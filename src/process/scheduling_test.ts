import { match, strictEqual } from "node:assert/strict";

const MODULE = new URL("./scheduling.ts", import.meta.url);
/** Prints its niceness and policy before, during and after running ahead, and whether that was allowed. */
const PROGRAM = `
  import { runAhead } from "${MODULE}";
  const now = () => {
    const stat = Deno.readTextFileSync("/proc/self/stat");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return fields[16] + "," + fields[38];
  };
  const seen = [now()];
  const isAllowed = runAhead(true);
  seen.push(now());
  runAhead(false);
  seen.push(now());
  console.log(isAllowed, seen.join(" "));
`;

Deno.test({
  name: "a process runs ahead of others and ends that, where the system allows it",
  ignore: Deno.build.os !== "linux",
  async fn(): Promise<void> {
    const file = await Deno.makeTempFile({ suffix: ".ts" });
    try {
      await Deno.writeTextFile(file, PROGRAM);
      // In a separate session, because the weight of the session changes
      const { stdout, code } = await new Deno.Command("nice", {
        args: ["-n", "3", "setsid", "-w", Deno.execPath(), "run", "--quiet", "-A", file],
      }).output();
      strictEqual(code, 0);
      match(
        new TextDecoder().decode(stdout),
        /^(true (\d+,0) -?\d+,[02] \2|false (\d+,0) \3 \3)\n$/,
      );
    } finally {
      await Deno.remove(file);
    }
  },
});

/** Prints the processor that ran it last, and then those that it may use after it was kept there. */
const PINNED = `
  import { keepOn } from "${MODULE}";
  import { processorOf } from "${new URL("./tree.ts", import.meta.url)}";
  const processor = processorOf(Deno.pid);
  keepOn(0, processor);
  const [, list] = /^Cpus_allowed_list:\\s*(.*)$/m.exec(Deno.readTextFileSync("/proc/self/status"));
  console.log(processor, list, processorOf(Deno.pid), processorOf(2 ** 30));
`;

Deno.test({
  name: "a thread that is kept on a processor runs only there",
  ignore: Deno.build.os !== "linux",
  async fn(): Promise<void> {
    const file = await Deno.makeTempFile({ suffix: ".ts" });
    try {
      await Deno.writeTextFile(file, PINNED);
      const { stdout } = await new Deno.Command(Deno.execPath(), {
        args: ["run", "--quiet", "-A", file],
      }).output();
      match(new TextDecoder().decode(stdout), /^(\d+) \1 \1 null\n$/);
    } finally {
      await Deno.remove(file);
    }
  },
});
