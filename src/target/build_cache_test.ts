import { strictEqual } from "node:assert/strict";
import { cacheFolder } from "./build.ts";

const env = (set: Readonly<Record<string, string>>) => (name: string): string | undefined =>
  set[name];

Deno.test("cacheFolder is where the person says, or where the system keeps such things", () => {
  strictEqual(cacheFolder("/mine", env({ HOME: "/home/me" })), "/mine/stampede/builds");
  strictEqual(cacheFolder(null, env({})), null);
});

Deno.test({
  name: "cacheFolder follows the XDG base directories on Linux",
  ignore: Deno.build.os !== "linux",
  fn(): void {
    strictEqual(cacheFolder(null, env({ HOME: "/home/me" })), "/home/me/.cache/stampede/builds");
    const both = env({ HOME: "/home/me", XDG_CACHE_HOME: "/cache" });
    strictEqual(cacheFolder(null, both), "/cache/stampede/builds");
  },
});
