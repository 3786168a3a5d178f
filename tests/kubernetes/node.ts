/** A machine of the cluster: namespaces of Linux with their own network, mounts and process ids. */
import { basename, join } from "node:path";
import { Failure } from "../../src/model/errors.ts";
import type { Child } from "../../src/process/child.ts";
import { readText } from "../../src/process/files.ts";
import { pause } from "../../src/process/pause.ts";
import type { ProcessScope } from "../../src/process/scope.ts";
import { outputOf } from "../suites/program.ts";

/** Seconds until a short command in a node counts as hung. */
const TIMEOUT_S = 30;
const POLL_MS = 20;
/** Longest time in which namespaces are made, in milliseconds. */
const LONGEST_MS = 10_000;
/** The first process of a node. A shell reaps processes that lost their parent. */
const FIRST = ["bash", "-c", "while :; do sleep 3600 & wait; done"];
/** The namespaces of a node, as options of unshare and nsenter. */
const NAMESPACES = ["--net", "--mount", "--uts", "--pid"];

/** Name, address and folder of a node. */
export interface Place {
  readonly name: string;
  readonly address: string;
  /** Folder for its files. */
  readonly folder: string;
  /** Processors for its programs; null: all. */
  readonly cpus: readonly number[] | null;
}

/** A node. When its first process ends, Linux ends all others, and removes its mounts and interfaces. */
export class Node implements AsyncDisposable {
  readonly name: string;
  readonly address: string;
  readonly folder: string;
  readonly cpus: readonly number[] | null;
  /** Process id of its first process. */
  readonly pid: number;
  readonly #scope: ProcessScope;
  readonly #outside: Child;
  readonly #started: Map<string, Child> = new Map();

  private constructor(place: Place, scope: ProcessScope, outside: Child, pid: number) {
    this.name = place.name;
    this.address = place.address;
    this.folder = place.folder;
    this.cpus = place.cpus;
    this.pid = pid;
    this.#scope = scope;
    this.#outside = outside;
  }

  /** Makes the namespaces. They end with the node or the scope. */
  static async create(scope: ProcessScope, place: Place): Promise<Node> {
    const { name, folder, cpus } = place;
    const outside = scope.spawn({
      argv: ["unshare", ...NAMESPACES, "--fork", "--kill-child", "--mount-proc", "--", ...FIRST],
      cpus,
      stopSignal: "SIGKILL",
    });
    const node = new Node(place, scope, outside, await firstProcess(outside));
    for (const kind of ["lib", "log"]) {
      await Deno.mkdir(join(folder, kind), { recursive: true });
      await node.run(["mount", "--bind", join(folder, kind), `/var/${kind}`]);
    }
    await node.run(["mount", "-t", "tmpfs", "tmpfs", "/run"]);
    await node.run(["mkdir", "/run/lock"]);
    await node.run(["hostname", name]);
    await node.run(["ip", "link", "set", "lo", "up"]);
    return node;
  }

  /** Returns the command that runs another command in the node, or only in its network. */
  within(argv: readonly string[], isOnlyNetwork = false): string[] {
    const namespaces = isOnlyNetwork ? ["--net"] : NAMESPACES;
    return ["nsenter", "--target", String(this.pid), ...namespaces, "--", ...argv];
  }

  /** Runs a short command in the node and returns its output; throws a Failure if it fails. */
  run(argv: readonly string[]): Promise<string> {
    return outputOf(this.within(argv), { timeoutS: TIMEOUT_S });
  }

  /** Starts a program. It ends with the node. Its log is PROGRAM.log in the node's folder. */
  start(argv: readonly string[]): void {
    const program = basename(argv[0] ?? "");
    const log = join(this.folder, `${program}.log`);
    const child = this.#scope.spawn({
      argv: this.within(argv),
      cpus: this.cpus,
      stopSignal: "SIGKILL",
      onLog: (text) => Deno.writeTextFileSync(log, text, { append: true }),
    });
    this.#started.set(program, child);
  }

  /** Throws a Failure if a program of the node has ended. */
  checkPrograms(): void {
    for (const [program, child] of this.#started) {
      if (!child.hasEnded) continue;
      throw new Failure(`${program} of ${this.name} ${child.howItEnded}${child.lastWords}`);
    }
  }

  /** Ends all processes of the node. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#outside.stop();
  }
}

/** Waits for the first process in the namespaces of `unshare`, and returns its id. */
async function firstProcess(unshare: Child): Promise<number> {
  const deadlineMs = performance.now() + LONGEST_MS;
  while (performance.now() < deadlineMs && !unshare.hasEnded) {
    const pid = readText(`/proc/${unshare.pid}/task/${unshare.pid}/children`)?.trim() ?? "";
    // Before, it still mounts /proc
    if (readText(`/proc/${pid}/cmdline`)?.startsWith("bash")) return Number(pid);
    await pause(POLL_MS);
  }
  throw new Failure(`Cannot make namespaces: unshare ${unshare.howItEnded}${unshare.lastWords}`);
}

/** Connects nodes by a bridge in the first one. Other networks are unreachable. */
export async function connect(switchNode: Node, others: readonly Node[]): Promise<void> {
  await switchNode.run(["ip", "link", "add", "br0", "type", "bridge"]);
  await switchNode.run(["ip", "address", "add", `${switchNode.address}/24`, "dev", "br0"]);
  await switchNode.run(["ip", "link", "set", "br0", "up"]);
  for (const node of others) {
    const port = `to-${node.name}`;
    const ends = ["name", port, "netns", String(switchNode.pid), "type", "veth"];
    const peer = ["peer", "name", "eth0", "netns", String(node.pid)];
    // Outside, because process ids have another meaning in a node
    await outputOf(["ip", "link", "add", ...ends, ...peer], { timeoutS: TIMEOUT_S });
    await switchNode.run(["ip", "link", "set", port, "master", "br0", "up"]);
    await node.run(["ip", "address", "add", `${node.address}/24`, "dev", "eth0"]);
    await node.run(["ip", "link", "set", "eth0", "up"]);
  }
}
