import { join } from "node:path";
import { build, run } from "../../package/build.ts";
import { PACKAGE } from "../../src/cli/commands/init_command.ts";
import { which } from "../../src/process/files.ts";
import { median } from "../../src/stats/median.ts";
import { say } from "./say.ts";

/**
 * Times commands that print and end, in turn: those of the installed npm package, and `--help` of other
 * load generators. Prints medians and ranges of wall time, after one run of each that does not count.
 */
export async function startup(runs: number): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "startup-" });
  try {
    await Deno.writeTextFile(join(folder, "package.json"), "{}");
    await run("npm", ["install", "--no-fund", await build(folder), "autocannon"], folder);
    const bin = (name: string): string => join(folder, "node_modules", ".bin", name);
    const installed = ["oha", "k6", "hey"].flatMap((tool) => which(tool) ?? []);
    const commands = [
      [bin("stampede"), "--help"],
      [bin("stampede"), "--version"],
      [bin("stampede"), "list"],
      ...[...installed, bin("autocannon")].map((program) => [program, "--help"]),
      ["node", "--eval", "0"],
    ];
    const env = { XDG_CACHE_HOME: join(folder, "cache"), NO_COLOR: "1" };
    const times = commands.map((): number[] => []);
    for (let i = 0; i <= runs; i++) {
      for (const [at, [program = "", ...args]] of commands.entries()) {
        const startedMs = performance.now();
        await new Deno.Command(program, { args, cwd: folder, env }).output();
        if (i > 0) times[at]?.push(performance.now() - startedMs);
      }
    }
    for (const [at, [program = "", ...args]] of commands.entries()) {
      const sorted = times[at]?.toSorted((a, b) => a - b) ?? [];
      const [middle, least, most] = [median(sorted), sorted[0], sorted.at(-1)].map((ms) =>
        `${ms?.toFixed(0)} ms`
      );
      const name = program.split("/").at(-1);
      say(`startup: ${name} ${args.join(" ")}: ${middle} (${least} to ${most})`);
    }
    say(`startup: ${runs} runs of each, in turn; stampede is ${PACKAGE}`);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}
