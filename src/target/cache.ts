import { join } from "node:path";
import { UsageError } from "../model/errors.ts";

/**
 * Where builds are kept: where the person says, or else where the system keeps such things.
 *
 * @param folder what the person says
 * @throws {UsageError} if the system has no such place.
 */
export function cacheFolder(
  folder: string | null,
  env: (name: string) => string | undefined,
): string {
  const place = folder ?? systemCache(env);
  if (!place) throw new UsageError("There is no place to build servers in: set --cache, or HOME");
  return join(place, "stampede", "builds");
}

function systemCache(env: (name: string) => string | undefined): string | undefined {
  const home = env("HOME");
  switch (Deno.build.os) {
    case "darwin":
      return home && join(home, "Library", "Caches");
    case "windows":
      return env("LOCALAPPDATA");
    default:
      return env("XDG_CACHE_HOME") || (home && join(home, ".cache"));
  }
}
