import { Failure } from "../model/errors.ts";

/** The user of the operating system that runs PostgreSQL. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/**
 * Returns the account that runs PostgreSQL; null means Stampede's own account. If Stampede runs as root, the
 * account is `nobody`, because PostgreSQL refuses to run as root.
 *
 * @throws {Failure} if the user `nobody` does not exist.
 */
export async function postgresAccount(): Promise<Account | null> {
  if (Deno.build.os === "windows" || Deno.uid() !== 0) return null;
  const uid = await id("-u");
  const gid = await id("-g");
  if (uid === null || gid === null) {
    throw new Failure(
      "PostgreSQL refuses to run as root, and the user nobody or the program id is missing: run Stampede as another user",
    );
  }
  return { uid, gid };
}

async function id(flag: string): Promise<number | null> {
  try {
    const { success, stdout } = await new Deno.Command("id", {
      args: [flag, "nobody"],
      stderr: "null",
    }).output();
    return success ? Number(new TextDecoder().decode(stdout)) : null;
  } catch {
    return null; // the program id is missing
  }
}
