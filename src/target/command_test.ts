import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { fill, resolveCommand } from "./command.ts";

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
