/**
 * What git prints about a folder, without the space around it; null if it fails, or is not there.
 *
 * @param args the subcommand and what it is given
 */
export async function git(
  folder: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string | null> {
  try {
    // Without a program of that name this throws at once, and a promise that rejects it is none
    const { success, stdout } = await new Deno.Command("git", {
      args: ["-C", folder, ...args],
      env: { ...env },
      stdin: "null",
      stderr: "null",
    }).output();
    return success ? new TextDecoder().decode(stdout).trim() : null;
  } catch {
    return null;
  }
}
