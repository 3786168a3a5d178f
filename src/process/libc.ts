/**
 * Opens functions of the C library of the Linux systems that Deno supports.
 *
 * @returns null on another system, with another C library, or without the permission.
 */
export function openLibc<const S extends Deno.ForeignLibraryInterface>(
  symbols: S,
): Deno.DynamicLibrary<S> | null {
  try {
    return Deno.build.os === "linux" ? Deno.dlopen("libc.so.6", symbols) : null;
  } catch {
    return null;
  }
}
