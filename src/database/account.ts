import { Failure } from "../model/errors.ts";

/** A user of the system to run PostgreSQL as. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/**
 * The account to run PostgreSQL as: null for the one that Stampede runs as, or `nobody` if that is
 * root, which PostgreSQL refuses.
 *
 * @throws {Failure} if there is no `nobody`.
 */
export async function postgresAccount(): Promise<Account | null> {
  if (Deno.build.os === "windows" || Deno.uid() !== 0) return null;
  const uid = await id("-u");
  const gid = await id("-g");
  if (uid === null || gid === null) {
    throw new Failure(
      "PostgreSQL does not run as root, and there is no user nobody, or no program id on the PATH: run Stampede as another user",
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
    return null; // There is no such program.
  }
}
