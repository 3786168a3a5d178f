/** The command line's entry: runs a command and ends with its exit code. */
import { processIo } from "./src/cli/io.ts";
import { main } from "./src/cli/program.ts";

const { exit } = Deno; // `Deno.exit` throws once a scenario file is loaded
exit(await main(Deno.args, processIo(Deno.args)));
