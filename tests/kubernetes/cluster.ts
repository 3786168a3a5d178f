/** A Kubernetes cluster with k6-operator on this machine, with a node for each set of namespaces. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Failure } from "../../src/model/errors.ts";
import { removeFolder } from "../../src/process/files.ts";
import { pause } from "../../src/process/pause.ts";
import type { ProcessScope } from "../../src/process/scope.ts";
import { type Printed, runProgram } from "../suites/program.ts";
import { claimCgroups, makeCgroups, removeCgroups } from "./cgroups.ts";
import { startApiServer, startControllers } from "./control_plane.ts";
import { writeKeys } from "./keys.ts";
import { connect, Node } from "./node.ts";
import { type NodeFiles, podsOf, writeNodeFiles } from "./node_files.ts";
import type { Programs } from "./programs.ts";

/** Address of the node with the server under load. */
const SERVER_ADDRESS = "10.89.0.100";
/** The first address of services, which is the API server's. */
const SERVICE_ADDRESS = "10.96.0.1";
const REGISTRY_PORT = 5000;
const API_PORT = 6443;
/** Seconds until a call of kubectl counts as hung. */
const KUBECTL_TIMEOUT_S = 60;
/** Longest time until a cluster is ready, in milliseconds. It takes 27 s on two cores. */
const LONGEST_MS = 240_000;
const POLL_MS = 500;

/** Size of a cluster, and its processors. */
export interface Layout {
  /** Nodes for runners. One more has the control plane and the operator. */
  readonly workers: number;
  /** Processors for runners, and for all other programs; null: all programs share all. */
  readonly cpus: { readonly runners: readonly number[]; readonly others: readonly number[] } | null;
}

/** A running cluster. */
export class Cluster implements AsyncDisposable {
  /** The control plane, then the workers. */
  readonly nodes: readonly Node[];
  /** The node of the server under load, which is outside the cluster. */
  readonly server: Node;
  readonly layout: Layout;
  readonly #programs: Programs;
  readonly #folder: string;

  private constructor(
    nodes: readonly Node[],
    server: Node,
    layout: Layout,
    programs: Programs,
    folder: string,
  ) {
    this.nodes = nodes;
    this.server = server;
    this.layout = layout;
    this.#programs = programs;
    this.#folder = folder;
  }

  /**
   * Starts a cluster and waits until its nodes and the operator are ready.
   *
   * @param store folder of images
   */
  static async start(
    scope: ProcessScope,
    programs: Programs,
    store: string,
    layout: Layout,
    abort: AbortSignal,
  ): Promise<Cluster> {
    await claimCgroups();
    const folder = await scope.makeFolder();
    const others = layout.cpus?.others ?? null;
    const create = async (name: string, address: string): Promise<Node> => {
      await Deno.mkdir(join(folder, name));
      return await Node.create(scope, { name, address, folder: join(folder, name), cpus: others });
    };
    const nodes: Node[] = [];
    for (let i = 0; i <= layout.workers; i++) nodes.push(await create(`n${i}`, addressOf(i)));
    const server = await create("server", SERVER_ADDRESS);
    const cluster = new Cluster(nodes, server, layout, programs, folder);
    try {
      await cluster.#start(store, abort);
    } catch (error) {
      await cluster[Symbol.asyncDispose]();
      throw error;
    }
    return cluster;
  }

  /** The node of the control plane and the operator. */
  get main(): Node {
    return this.nodes[0] as Node;
  }

  /** The nodes of runners. */
  get workers(): readonly Node[] {
    return this.nodes.slice(1);
  }

  /** The built k6, for a process without Kubernetes. */
  get k6(): string {
    return join(this.#programs.bin, "k6");
  }

  /** Returns the command of kubectl with these arguments. */
  kubectlArgv(args: readonly string[]): string[] {
    const options = ["--kubeconfig", join(this.#folder, "keys/admin.conf")];
    // By default it writes to the user's home folder
    const cache = ["--cache-dir", join(this.#folder, "kubectl")];
    return this.main.within(
      [join(this.#programs.bin, "kubectl"), ...options, ...cache, ...args],
      true,
    );
  }

  /** Runs kubectl. */
  kubectl(args: readonly string[]): Promise<Printed> {
    return runProgram(this.kubectlArgv(args), { timeoutS: KUBECTL_TIMEOUT_S });
  }

  /** Runs kubectl and returns its output; throws a Failure if it fails. */
  async ask(args: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await this.kubectl(args);
    if (code === 0) return stdout;
    throw new Failure(`kubectl ${args.join(" ")} ended with ${code}: ${stderr.trim()}`);
  }

  /** Ends every process, and removes files and cgroups. The kernel removes networks and mounts. */
  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.nodes, this.server].map((node) => node[Symbol.asyncDispose]()));
    await removeCgroups();
    await removeFolder(this.#folder);
  }

  async #start(store: string, abort: AbortSignal): Promise<void> {
    const keys = join(this.#folder, "keys");
    const { bin, operatorManifest } = this.#programs;
    const { main, workers, nodes, layout } = this;
    await connect(main, [...workers, this.server]);
    await this.#route();
    await Deno.mkdir(keys);
    const api = `https://${main.address}:${API_PORT}`;
    await writeKeys(keys, nodes.map(({ name }) => name), api, [main.address, SERVICE_ADDRESS]);
    startApiServer(main, bin, keys, API_PORT);
    main.start(denoRun("registry_process.ts", store, main.address, `${REGISTRY_PORT}`));
    await this.#until("the API server is ready", ["get", "--raw", "/readyz"], /^ok$/, abort);
    startControllers(main, bin, keys);
    for (const [i, node] of nodes.entries()) {
      const cpus = layout.cpus && (i === 0 ? layout.cpus.others : layout.cpus.runners);
      await makeCgroups(node.name, cpus);
      const registry = `http://${main.address}:${REGISTRY_PORT}`;
      startNode(node, bin, keys, await writeNodeFiles(i, node, { registry, keys }));
    }
    const ready = new RegExp(`^(True ?){${nodes.length}}$`);
    const conditions = '{.items[*].status.conditions[?(@.type=="Ready")].status}';
    const states = ["get", "nodes", "-o", `jsonpath=${conditions}`];
    await this.#until("all nodes are ready", states, ready, abort);
    await this.#startOperator(operatorManifest, abort);
  }

  /** Starts the operator on the main node, so that only runners load the workers. */
  async #startOperator(manifest: string, abort: AbortSignal): Promise<void> {
    await this.ask(["apply", "--server-side", "--filename", manifest]);
    const template = { spec: { nodeSelector: { "kubernetes.io/hostname": this.main.name } } };
    const patch = JSON.stringify({ spec: { template } });
    const deployment = ["deployment", "k6-operator-controller-manager"];
    const namespace = ["--namespace", "k6-operator-system"];
    await this.ask(["patch", ...deployment, ...namespace, "--type", "merge", "--patch", patch]);
    const state = "{.status.updatedReplicas} {.status.replicas} {.status.availableReplicas}";
    const states = ["get", ...deployment, ...namespace, "-o", `jsonpath=${state}`];
    await this.#until("k6-operator is ready", states, /^1 1 1$/, abort);
  }

  /** Sets the routes between the pods of all nodes. */
  async #route(): Promise<void> {
    for (const from of [...this.nodes, this.server]) {
      await from.run(["sh", "-c", "echo 1 > /proc/sys/net/ipv4/ip_forward"]);
      for (const [i, to] of this.nodes.entries()) {
        if (to !== from) await from.run(["ip", "route", "add", podsOf(i), "via", to.address]);
      }
      // A packet to a service needs a route before kube-proxy's rules redirect it
      if (from !== this.server) {
        await from.run(["ip", "route", "add", "default", "via", this.server.address]);
      }
    }
  }

  /** Waits until the output of kubectl matches. */
  async #until(
    what: string,
    args: readonly string[],
    expected: RegExp,
    abort: AbortSignal,
  ): Promise<void> {
    const deadlineMs = performance.now() + LONGEST_MS;
    let last = "";
    while (!expected.test(last)) {
      for (const node of this.nodes) node.checkPrograms();
      if (performance.now() > deadlineMs) {
        throw new Failure(`Waited ${LONGEST_MS / 1000} s until ${what}; kubectl printed: ${last}`);
      }
      await pause(POLL_MS, abort);
      const { code, stdout, stderr } = await this.kubectl(args);
      last = (code === 0 ? stdout : stderr).trim();
    }
  }
}

/** Returns the command of a program in this folder. */
function denoRun(file: string, ...args: readonly string[]): string[] {
  const path = fileURLToPath(new URL(`./${file}`, import.meta.url));
  return [Deno.execPath(), "run", "--quiet", "--no-config", "-A", path, ...args];
}

/** Starts containerd, kubelet and kube-proxy. */
function startNode(node: Node, bin: string, keys: string, files: NodeFiles): void {
  node.start(["containerd", "--config", files.containerd]);
  node.start([
    ...[join(bin, "kubelet"), "--config", files.kubelet],
    ...["--kubeconfig", join(keys, `${node.name}.conf`)],
    ...["--hostname-override", node.name, "--node-ip", node.address],
  ]);
  node.start([join(bin, "kube-proxy"), "--config", files.proxy]);
}

/** Returns the address of node number `i`. */
function addressOf(i: number): string {
  return `10.89.0.${10 + i}`;
}
