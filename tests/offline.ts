/** Runs commands without a network. */

/** Returns a command that runs a shell command in a network with loopback only. It needs root. */
export function offline(command: string): [string, ...string[]] {
  return ["unshare", "--net", "sh", "-c", `ip link set lo up && exec ${command}`];
}

/** Returns whether this system lets {@linkcode offline} leave the network. */
export async function canLeaveNetwork(): Promise<boolean> {
  const [program, ...args] = offline("true");
  // A missing program throws at once
  return await Promise.try(() => new Deno.Command(program, { args }).output())
    .then(({ success }) => success, () => false);
}
