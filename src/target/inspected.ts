import { basename } from "node:path";
import type { Reason } from "../model/reason.ts";
import type { Server } from "../model/server.ts";

/**
 * The inspector listens on loopback only, because it can run any code. The system chooses the
 * port.
 */
const INSPECT = "--inspect=127.0.0.1:0";
/** Flags of Deno that hide the inspector's address. */
const QUIET = ["--quiet", "-q"];
/** Maximum number of characters that a message quotes from a command. */
const COMMAND_LENGTH = 60;

/** A server with V8's inspector enabled, or the reason why that is impossible. */
export type Inspected =
  | { readonly server: Server; readonly reason: null }
  | { readonly server: null; readonly reason: Reason };

/**
 * Enables the inspector of a server. Only Deno and Node.js have one, and only if the command starts
 * them directly.
 */
export function inspected(server: Server): Inspected {
  const { attached, start } = server;
  if (attached !== null) return { server: null, reason: { kind: "not-started-here" } };
  const [program = "", ...others] = start;
  const name = basename(program).replace(/\.exe$/i, "");
  const [subcommand] = others;
  const isDeno = name === "deno" && (subcommand === "run" || subcommand === "serve");
  if (!isDeno && name !== "node") {
    const command = (name === "deno" ? `${name} ${subcommand ?? ""}` : name).trim();
    const reason = { kind: "no-inspector", command: command.slice(0, COMMAND_LENGTH) } as const;
    return { server: null, reason };
  }
  const at = isDeno ? 2 : 1;
  const rest = isDeno ? withoutQuiet(start.slice(at)) : start.slice(at);
  return { server: { ...server, start: [...start.slice(0, at), INSPECT, ...rest] }, reason: null };
}

/**
 * Removes the flags that hide the inspector's address from Deno's arguments; the script's arguments
 * stay.
 */
function withoutQuiet(args: readonly string[]): string[] {
  const script = args.findIndex((argument) => !argument.startsWith("-"));
  return args.filter((argument, i) => i > script || !QUIET.includes(argument));
}
