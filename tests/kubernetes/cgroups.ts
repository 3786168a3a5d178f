/** Cgroups (version 1) of the cluster: https://docs.kernel.org/admin-guide/cgroup-v1/cgroups.html */
import { join } from "node:path";
import { Failure } from "../../src/model/errors.ts";
import { exists, listFolder, readText } from "../../src/process/files.ts";
import { pause } from "../../src/process/pause.ts";

const ROOT = "/sys/fs/cgroup";
/** The cgroup of all nodes, in each hierarchy. Its name is fixed, so one cluster can run on a machine. */
export const CLUSTER_CGROUP = "stampede-cluster";

/** kubelet's cgroup of all pods of a node. */
const PODS = "kubepods";

/** Removes what a killed cluster has left; throws a Failure if a cluster is running. */
export async function claimCgroups(): Promise<void> {
  // A running cluster also has empty cgroups, so nothing of it may be removed
  if (clusterCgroups().some(hasProcess)) {
    throw new Failure("Another test:cluster is running on this machine: wait until it ends");
  }
  await removeCgroups();
}

function hasProcess(folder: string): boolean {
  if ((readText(join(folder, "cgroup.procs")) ?? "") !== "") return true;
  return (listFolder(folder) ?? []).some((name) => {
    const path = join(folder, name);
    return listFolder(path) !== null && hasProcess(path);
  });
}

/** Makes the cgroups of a node. Its pods can use only these processors; null: all. */
export async function makeCgroups(node: string, cpus: readonly number[] | null): Promise<void> {
  // kubelet does not change the processors of its cgroup if it exists
  const path = cpus === null ? [node] : [node, PODS];
  for (const hierarchy of hierarchies()) {
    await Deno.mkdir(join(hierarchy, CLUSTER_CGROUP, ...path), { recursive: true });
  }
  if (cpus === null) return;
  const cpusets = join(ROOT, "cpuset");
  for (const file of ["cpuset.cpus", "cpuset.mems"]) {
    const all = await Deno.readTextFile(join(cpusets, file));
    const own = file === "cpuset.cpus" ? cpus.join() : all;
    // A new cpuset is empty, and a cpuset allows only what its parent has
    await Deno.writeTextFile(join(cpusets, CLUSTER_CGROUP, file), all);
    await Deno.writeTextFile(join(cpusets, CLUSTER_CGROUP, node, file), own);
    await Deno.writeTextFile(join(cpusets, CLUSTER_CGROUP, node, PODS, file), own);
  }
}

/** Returns the command that runs another command in the cgroups of a process. */
export function inCgroupsOf(pid: number, argv: readonly string[]): string[] {
  const lines = (readText(`/proc/${pid}/cgroup`) ?? "").trim().split("\n");
  const files = lines.flatMap((line) => {
    const [, names = "", path = ""] = line.split(":");
    return names.split(",").map((name) => join(ROOT, name, path, "cgroup.procs"));
  });
  const script = 'for file in $0; do [ ! -e "$file" ] || echo $$ >"$file"; done; exec "$@"';
  return ["sh", "-c", script, files.join(" "), ...argv];
}

/** Returns the CPU time of a node's pods since its start, in seconds. Ended pods count. */
export async function cpuOfPods(node: string): Promise<number> {
  const path = join(ROOT, "cpuacct", CLUSTER_CGROUP, node, "cpuacct.usage");
  return Number(await Deno.readTextFile(path)) / 1e9;
}

/** Time in which the kernel takes killed processes out of cgroups, in milliseconds. */
const REMOVAL_MS = 3000;
const POLL_MS = 100;

/** Removes the cgroups. Those with a process are left after a few seconds. */
export async function removeCgroups(): Promise<void> {
  const deadlineMs = performance.now() + REMOVAL_MS;
  while (clusterCgroups().length > 0 && performance.now() < deadlineMs) {
    for (const folder of clusterCgroups()) await removeTree(folder);
    await pause(POLL_MS);
  }
}

function hierarchies(): string[] {
  const folders = (listFolder(ROOT) ?? []).map((name) => join(ROOT, name));
  return folders.filter((folder) => listFolder(folder)?.includes("cgroup.procs"));
}

function clusterCgroups(): string[] {
  return hierarchies().filter((folder) => listFolder(folder)?.includes(CLUSTER_CGROUP))
    .map((folder) => join(folder, CLUSTER_CGROUP));
}

/** Removes folders from the leaves up: their files cannot be removed, and need not be. */
async function removeTree(folder: string): Promise<void> {
  for (const { name, isDirectory } of await Array.fromAsync(Deno.readDir(folder))) {
    if (isDirectory) await removeTree(join(folder, name));
  }
  // A cgroup with a process refuses
  if (await exists(folder)) await Deno.remove(folder).catch(() => {});
}
