/**
 * Tries actions that Stampede's server needs, and others that it must not have permission for. It
 * prints a line of JSON: for each action "done" or the name of the error. DATABASE_URL is the database.
 */
import { fileURLToPath } from "node:url";

const HERE = fileURLToPath(import.meta.url);
const { hostname, port } = new URL(Deno.env.get("DATABASE_URL") ?? "");
const ATTEMPTS: Readonly<Record<string, () => unknown>> = {
  "reads hello.html": () => Deno.readTextFile(new URL("../../../hello.html", import.meta.url)),
  "connects to its database": () => connect(hostname, Number(port)),
  "knows its port": () => Deno.env.get("PORT"),
  "reads another file of the checkout": () =>
    Deno.readTextFile(new URL("../../../deno.json", import.meta.url)),
  "reads a file of the system": () => Deno.readTextFile("/etc/passwd"),
  "lists a folder": () => Array.fromAsync(Deno.readDir("/")),
  "writes a file": () => Deno.writeTextFile(`${HERE}.txt`, ""),
  "makes a temporary file": () => Deno.makeTempFile(),
  "runs a program": () => new Deno.Command("true").output(),
  "sends a signal": () => Deno.kill(Deno.ppid, "SIGCONT"),
  "connects to another port": () => connect("127.0.0.1", 9),
  "connects to another host": () => connect("192.0.2.1", Number(port)),
  "listens on another port": () => Deno.listen({ hostname: "127.0.0.1", port: 0 }).close(),
  "listens on all interfaces": () => listen("0.0.0.0"),
  "asks for a name": () => Deno.resolveDns("example.com", "A"),
  "reads another variable": () => Deno.env.get("HOME"),
  "reads all variables": () => Deno.env.toObject(),
  "knows the host's name": () => Deno.hostname(),
  "calls a library": () => Deno.dlopen("libc.so.6", {}),
};

async function connect(hostname: string, port: number): Promise<void> {
  (await Deno.connect({ hostname, port })).close();
}

function listen(hostname: string): void {
  Deno.listen({ hostname, port: Number(Deno.env.get("PORT")) }).close();
}

const results: Record<string, string> = {};
for (const [what, attempt] of Object.entries(ATTEMPTS)) {
  try {
    await attempt();
    results[what] = "done";
  } catch (error) {
    results[what] = error instanceof Error ? error.name : String(error);
  }
}
// deno-lint-ignore no-console -- the test reads it
console.log(JSON.stringify(results));
