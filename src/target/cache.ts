import { join } from "node:path";

/**
 * Where builds are kept: where the person says, or else where the system keeps such things; null if it has
 * no such place.
 *
 * @param folder what the person says
 */
export function cacheFolder(
  folder: string | null,
  env: (name: string) => string | undefined,
  os: typeof Deno.build.os = Deno.build.os,
): string | null {
  const place = folder ?? systemCache(env, os);
  return place ? join(place, "stampede", "builds") : null;
}

function systemCache(
  env: (name: string) => string | undefined,
  os: typeof Deno.build.os,
): string | undefined {
  const home = env("HOME");
  switch (os) {
    case "darwin":
      return home && join(home, "Library", "Caches");
    case "windows":
      return env("LOCALAPPDATA");
    default:
      return env("XDG_CACHE_HOME") || (home && join(home, ".cache"));
  }
}
