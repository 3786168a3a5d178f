/** Finds the parts of a cluster that are still on the machine after its end. */
import { listFolder, readText } from "../../src/process/files.ts";
import { pause } from "../../src/process/pause.ts";

/** Namespaces of processes; a node has its own of each kind. */
const NAMESPACES = ["net", "mnt", "pid"];
const HIERARCHIES = "/sys/fs/cgroup";
/** Folders that programs of a node use by default. */
const FOLDERS = ["/etc/cni", "/opt", "/run", "/usr/libexec", "/var/lib", "/var/log"];

/** Returns the namespaces, mounts, interfaces, cgroups, rules and folders of the machine, as lines. */
export async function stateOfMachine(): Promise<Set<string>> {
  const processes = (listFolder("/proc") ?? []).filter((name) => /^\d+$/.test(name));
  const namespaces = processes.flatMap((pid) =>
    NAMESPACES.flatMap((kind) => {
      try {
        return Deno.readLinkSync(`/proc/${pid}/ns/${kind}`);
      } catch {
        return []; // the process has ended
      }
    })
  );
  const mounts = (readText("/proc/self/mounts") ?? "").trim().split("\n");
  const interfaces = (listFolder("/sys/class/net") ?? []).map((name) => `interface ${name}`);
  const cgroups = (listFolder(HIERARCHIES) ?? []).flatMap((name) =>
    (listFolder(`${HIERARCHIES}/${name}`) ?? []).map((group) => `cgroup ${name}/${group}`)
  );
  const { stdout } = await new Deno.Command("iptables-save", { stderr: "null" }).output();
  const rules = new TextDecoder().decode(stdout).split("\n").filter((line) => line.startsWith("-"));
  const folders = FOLDERS.flatMap((folder) =>
    (listFolder(folder) ?? []).map((name) => `${folder}/${name}`)
  );
  return new Set([...namespaces, ...mounts, ...interfaces, ...cgroups, ...rules, ...folders]);
}

/** Time in which the kernel removes namespaces of ended processes, in milliseconds. */
const REMOVAL_MS = 5000;
const POLL_MS = 200;

/**
 * Returns what is still there after a few seconds.
 *
 * @param things what was only there while a cluster ran
 * @param folder the folder for temporary files
 */
export async function leftOf(things: ReadonlySet<string>, folder: string): Promise<string[]> {
  const deadlineMs = performance.now() + REMOVAL_MS;
  while (true) {
    const here = things.intersection(await stateOfMachine());
    const left = [...here, ...(listFolder(folder) ?? []).map((name) => `${folder}/${name}`)];
    if (left.length === 0 || performance.now() > deadlineMs) return left;
    await pause(POLL_MS);
  }
}
