import { match, strictEqual } from "node:assert/strict";
import type { Requirement, Target } from "../model.ts";
import { isOlder, Toolchain } from "./toolchain.ts";

function server(...requires: Partial<Requirement>[]): Target {
  const whole = requires.map((requirement) => ({
    minimum: "1",
    install: "get it",
    ...requirement,
  }));
  return { requires: whole, folder: Deno.cwd() } as unknown as Target;
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

Deno.test("Toolchain takes a program that fails for one that is not there", async () => {
  const failing = { command: ["deno", "eval", "Deno.exit(3)"], name: "the service" };
  strictEqual(await new Toolchain().missing(server(failing)), "the service not found (get it)");
});

Deno.test("Toolchain asks each program once, in each folder", async () => {
  const toolchain = new Toolchain();
  const command = ["deno", "eval", "console.log(Deno.cwd(), crypto.randomUUID())"];
  const [first, again, elsewhere] = await Promise.all(
    ["/", "/", "/tmp"].map((folder) => toolchain.ask({ command }, folder)),
  );
  strictEqual(first, again);
  match(elsewhere ?? "", /^\/tmp /);
});

Deno.test("isOlder compares part by part, as numbers", () => {
  const pairs: [string, string, boolean][] = [
    ["1.9", "1.10", true],
    ["1.10", "1.9", false],
    ["2", "1.75", false],
    ["17.0.15", "17", false],
    ["17", "17.0.1", true],
    ["1.75.0", "1.75", false],
  ];
  for (const [version, than, expected] of pairs) strictEqual(isOlder(version, than), expected);
});
