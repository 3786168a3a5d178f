import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import type { Requirement, Server } from "../model/server.ts";
import { fill, resolveCommand, Toolchain } from "./toolchain.ts";

function server(...requires: Partial<Requirement>[]): Server {
  const whole = requires.map((requirement) => ({
    minimum: "1",
    install: "get it",
    ...requirement,
  }));
  return { requires: whole, folder: Deno.cwd(), sources: "." } as unknown as Server;
}

Deno.test("Toolchain says what a server lacks, and how to get it", async () => {
  const toolchain = new Toolchain();
  const deno = ["deno", "--version"];
  strictEqual(await toolchain.missing(server()), null);
  strictEqual(await toolchain.missing(server({ command: deno, minimum: "2.9" })), null);
  strictEqual(
    await toolchain.missing(server({ command: deno }, { command: ["no-such-program"] })),
    "no-such-program not found (get it)",
  );
  match(
    await toolchain.missing(server({ command: deno, minimum: "99.1" })) ?? "",
    /^deno \d+\.\d+\.\d+ is older than 99\.1 \(get it\)$/,
  );
});

Deno.test("Toolchain tells a program that fails from one that is not there", async () => {
  const command = ["deno", "eval", "Deno.exit(3)"];
  const missing = (change: Partial<Requirement>): Promise<string | null> =>
    new Toolchain().missing(server({ command, ...change }));
  strictEqual(await missing({ name: "the service" }), "the service not found (get it)");
  strictEqual(await missing({}), 'deno fails at "deno eval Deno.exit(3)" (get it)');
  const silent = { command: ["false"] }; // it fails at --version as well
  strictEqual(await missing(silent), 'false fails at "false" (get it)');
  const endless = server({ command: ["sleep", "60"] });
  const problem = await new Toolchain(50).missing(endless);
  strictEqual(problem, 'sleep printed nothing for 0.05 s at "sleep 60" (get it)');
});

Deno.test("a required script is in the folder of the sources", async () => {
  const requiring = server({ command: ["sh", "-c", "ls toolchain.ts && echo 1"], minimum: "0" });
  const own = { ...requiring, sources: "src/target" };
  strictEqual(await new Toolchain().missing(own), null);
  match(await new Toolchain().missing(requiring) ?? "", /^sh fails/);
});

Deno.test("Toolchain asks each program once, in each folder", async () => {
  const toolchain = new Toolchain();
  const command = ["deno", "eval", "console.log(Deno.cwd(), crypto.randomUUID())"];
  const [first, again, elsewhere] = await Promise.all(
    ["/", "/", "/tmp"].map((folder) => toolchain.versionOf(command, folder)),
  );
  strictEqual(first, again);
  match(elsewhere ?? "", /^\/tmp /);
});

/** Returns what is missing if a program prints a text as its version. */
function missingAfter(text: string, minimum: string): Promise<string | null> {
  return new Toolchain().missing(server({ command: ["echo", text], minimum }));
}

Deno.test("a version is found in what programs print", async () => {
  const texts = {
    "go version go1.26.8 linux/amd64": "1.26.8",
    "v20.20.2": "20.20.2",
    "This is perl 5, version 36, subversion 0 (v5.36.0)": "5.36.0",
    "openjdk 17 2021-09-14": "17",
    "none": "0",
  };
  for (const [text, version] of Object.entries(texts)) {
    strictEqual(await missingAfter(text, "99"), `echo ${version} is older than 99 (get it)`);
  }
});

Deno.test("versions are compared part by part, as numbers", async () => {
  const pairs: [string, string, boolean][] = [
    ["1.9", "1.10", true],
    ["1.10", "1.9", false],
    ["2", "1.75", false],
    ["17.0.15", "17", false],
    ["17", "17.0.1", true],
    ["1.75.0", "1.75", false],
  ];
  for (const [version, than, isOlder] of pairs) {
    strictEqual(await missingAfter(version, than) !== null, isOlder, version);
  }
});

Deno.test("resolveCommand fills in placeholders and leaves out what has no value", () => {
  const command = ["node", "--net={HOST}:{PORT}", "--db={DATABASE}", "{x}", "plain"];
  deepStrictEqual(resolveCommand(command, { HOST: "h", PORT: "1", DATABASE: null }, "/f"), [
    "node",
    "--net=h:1",
    "{x}",
    "plain",
  ]);
});

Deno.test("resolveCommand knows Deno, and looks for a program with a slash in the folder", () => {
  strictEqual(resolveCommand(["deno"], {}, "/f")[0], Deno.execPath());
  strictEqual(resolveCommand(["bin/server", "x/y"], {}, "/f").join(), "/f/bin/server,x/y");
  strictEqual(resolveCommand(["/bin/true"], {}, "/f")[0], "/bin/true");
  strictEqual(resolveCommand(["go"], {}, "/f")[0], "go");
});

Deno.test("fill gives nothing for a text whose placeholder has no value", () => {
  strictEqual(fill("tcp:{HOST}:{PORT}", { HOST: "[::1]", PORT: "80" }), "tcp:[::1]:80");
  strictEqual(fill("{DB_POOL}", { DB_POOL: "7" }), "7");
  strictEqual(fill("{TEMP}/x", {}), null);
});

Deno.test("a release of Deno receives each permission once", () => {
  const args = ["run", "--allow-net={HOST}:1", "--allow-net={DATABASE}", "--allow-env", "a", "a"];
  deepStrictEqual(
    resolveCommand(["/cache/bin/deno", ...args], { HOST: "h", DATABASE: "d:2" }, "/"),
    ["/cache/bin/deno", "run", "--allow-net=h:1,d:2", "--allow-env", "a", "a"],
  );
});
