/** The command line's entry: runs a command and ends with its exit code. */
import { processIo } from "./src/cli/io.ts";
import { main } from "./src/cli/program.ts";

const { exit } = Deno; // a scenario file may not end the process, and from then on nothing else may
exit(await main(Deno.args, processIo(Deno.args)));
