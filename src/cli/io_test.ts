import { deepStrictEqual, strictEqual, throws } from "node:assert/strict";
import { UsageError } from "../model/errors.ts";
import { readEnvFile, withEnvFile } from "./io.ts";

const shellOf = (set: Readonly<Record<string, string>>) => (name: string): string | undefined =>
  set[name];

/** Returns the values of variables for a file and the shell's variables. */
function read(
  text: string,
  set: Readonly<Record<string, string>>,
  ...names: readonly string[]
): unknown[] {
  return names.map(withEnvFile(text, shellOf(set)));
}

Deno.test("a file .env adds Stampede's own variables, and the shell wins", () => {
  const text = "PORT=9\nDATABASE_URL='postgres://file/x' # mine\nSTAMPEDE_CACHE=/file\n";
  deepStrictEqual(
    read(text, { PORT: "8", STAMPEDE_CACHE: "" }, "PORT", "DATABASE_URL", "STAMPEDE_CACHE"),
    ["8", "postgres://file/x", ""],
  );
});

Deno.test("a file .env sets nothing that is not Stampede's", () => {
  const text = "PATH=/evil\nHOME=/evil\nSTAMPEDE_TEST_LIMIT_S=1\nPGOPTIONS=x\nTMPDIR=/evil";
  const names = ["PATH", "HOME", "STAMPEDE_TEST_LIMIT_S", "PGOPTIONS", "TMPDIR"];
  deepStrictEqual(read(text, { PATH: "/bin" }, ...names), ["/bin", ...Array(4).fill(undefined)]);
});

Deno.test("a URL in the file does not undo the server that the shell names in parts", () => {
  const text = "DATABASE_URL=postgres://file/x\nPGPASSWORD=secret";
  const names = ["DATABASE_URL", "PGHOST", "PGPASSWORD"];
  deepStrictEqual(read(text, { PGHOST: "shell" }, ...names), [undefined, "shell", "secret"]);
  deepStrictEqual(read(text, { PGPASSWORD: "own" }, ...names), [
    "postgres://file/x",
    undefined,
    "own",
  ]);
});

Deno.test("readEnvFile takes a folder without the file as it is, and says what it cannot read", async () => {
  const folder = await Deno.makeTempDir();
  const shell = shellOf({ PORT: "8" });
  strictEqual(readEnvFile(folder, shell), shell);
  await Deno.mkdir(`${folder}/.env`);
  throws(() => readEnvFile(folder, shell), (error) => {
    return error instanceof UsageError && /^Cannot read \.env: /.test(error.message);
  });
  await Deno.remove(folder, { recursive: true });
});
