/** Runs git in a folder. Returns the trimmed output; null if git fails or is not installed. */
export async function git(
  folder: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string | null> {
  try {
    // If git is not installed, this throws at once instead of returning a rejected promise
    const { success, stdout } = await new Deno.Command("git", {
      args: ["-C", folder, ...args],
      // Otherwise git status may rewrite the index of the user's repository
      env: { GIT_OPTIONAL_LOCKS: "0", ...env },
      stdin: "null",
      stderr: "null",
    }).output();
    return success ? new TextDecoder().decode(stdout).trim() : null;
  } catch {
    return null;
  }
}
