import { join } from "node:path";

/**
 * Returns the folder for builds: below the user's choice, or below the system's cache folder; null if
 * there is neither.
 *
 * @param folder the user's choice
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
