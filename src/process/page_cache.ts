/** The page cache of Linux, from which programs start faster. */
import { Failure } from "../model/errors.ts";

/** https://docs.kernel.org/admin-guide/sysctl/vm.html#drop-caches */
const FILE = "/proc/sys/vm/drop_caches";

/**
 * Drops the page cache, so that the next start of a program reads it from the disk. Pages that a running
 * program uses stay. Throws a `Failure` if the system does not allow it.
 */
export async function dropPageCache(): Promise<void> {
  try {
    // Only clean pages are dropped
    await new Deno.Command("sync").output();
    await Deno.writeTextFile(FILE, "1", { create: false });
  } catch {
    throw new Failure(
      "the page cache cannot be dropped: that needs Linux, root, and outside of containers",
    );
  }
}
