import { basename } from "node:path";
import type { Reason } from "../model/reason.ts";
import type { Server } from "../model/server.ts";

/** On loopback alone, and on any port: who reaches an inspector can run what they like. */
const INSPECT = "--inspect=127.0.0.1:0";
const QUIET = ["--quiet", "-q"];
const COMMAND_LENGTH = 60;

/** A server that listens to V8's inspector too, or why there is no such. */
export type Inspected =
  | { readonly server: Server; readonly reason: null }
  | { readonly server: null; readonly reason: Reason };

/** The server with its inspector: Deno and Node.js have one, where they are what is started. */
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
  const rest = isDeno ? loud(start.slice(at)) : start.slice(at);
  return { server: { ...server, start: [...start.slice(0, at), INSPECT, ...rest] }, reason: null };
}

/** Deno's arguments without those that keep it from saying where the inspector listens; the script's stay. */
function loud(args: readonly string[]): string[] {
  const script = args.findIndex((argument) => !argument.startsWith("-"));
  return args.filter((argument, i) => i > script || !QUIET.includes(argument));
}
