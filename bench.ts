/** Entry of the command line: fetches missing modules, runs a command, and ends with its exit code. */
import "./fetch.ts";
import type * as Io from "./src/cli/io.ts";
import type * as Program from "./src/cli/program.ts";

// A computed specifier, so that Deno resolves it only after the modules were fetched
const load = (path: string): Promise<unknown> => import(new URL(path, import.meta.url).href);
const { processIo } = await load("./src/cli/io.ts") as typeof Io;
const { main } = await load("./src/cli/program.ts") as typeof Program;

const { exit } = Deno; // `Deno.exit` throws once a scenario file is loaded
exit(await main(Deno.args, processIo(Deno.args)));
