import { strictEqual, throws } from "node:assert/strict";
import { readConfig } from "./config.ts";

const read = (env: Record<string, string>): ReturnType<typeof readConfig> =>
  readConfig((name) => env[name]);

Deno.test("readConfig has a default for everything", () => {
  const config = read({});
  strictEqual(config.host, "127.0.0.1");
  strictEqual(config.port, 8000);
  strictEqual(config.databaseUrl, null);
  strictEqual(config.cpuWorkers, navigator.hardwareConcurrency);
});

Deno.test("readConfig names the variable that is malformed", () => {
  const cases = [
    ["PORT", "http"],
    ["PORT", "65536"],
    ["DB_POOL", "0"],
    ["CPU_WORKERS", "1.5"],
    ["QUEUE_LIMIT", "-1"],
    ["DATABASE_URL", "mysql://localhost/x"],
    ["DATABASE_URL", "postgres://host:port:1/x"],
  ] as const;
  for (const [name, value] of cases) {
    throws(() => read({ [name]: value }), { name: "RangeError", message: new RegExp(name) });
  }
});

Deno.test({
  name: "readConfig reads certificates from regular files that are no larger than a megabyte",
  ignore: Deno.build.os === "windows",
  async fn(): Promise<void> {
    const folder = await Deno.makeTempDir();
    const large = `${folder}/large`;
    await Deno.writeTextFile(large, "x".repeat(2 ** 20 + 1));
    const cases = {
      "/dev/null": /not a regular file/,
      [folder]: /not a regular file/,
      [large]: /1 MiB/,
    };
    for (const [path, message] of Object.entries(cases)) {
      throws(() => read({ TLS_CERT: path, TLS_KEY: path }), { name: "RangeError", message });
    }
    await Deno.remove(folder, { recursive: true });
  },
});
