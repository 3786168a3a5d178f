/** The programs of a cluster: those that Debian has, and those that are built from their sources. */
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { Failure } from "../../src/model/errors.ts";
import { exists, listFolder, readText, which } from "../../src/process/files.ts";
import type { ProcessScope } from "../../src/process/scope.ts";
import { build, cacheFolder } from "../../src/target/build.ts";
import { Toolchain } from "../../src/target/toolchain.ts";
import type { Say } from "../suites/run_suites.ts";

/** 1.34 is the last minor version that accepts cgroup v1 without a setting. */
const KUBERNETES = "1.34.4";
/** Tag of k6-operator, and its commit, because a tag can move. */
const OPERATOR = { tag: "v1.6.0", commit: "cf0ae21f4e26b0dd0f99d763ae72e063b4384f2a" };
const OPERATOR_SOURCES = "https://github.com/grafana/k6-operator";
/** Minutes until a build is given up: it takes 13 on two cores. */
const LONGEST_MIN = 90;

/** Folder of Debian's network plugins. */
export const NETWORK_PLUGINS = "/usr/lib/cni";

/** Required programs, and the Debian packages that contain them. */
const INSTALLED: readonly (readonly [program: string, debian: string])[] = [
  ["busybox", "busybox-static"],
  ["conntrack", "conntrack"],
  ["containerd", "containerd"],
  ["curl", "curl"],
  ["etcd", "etcd-server"],
  ["ip", "iproute2"],
  ["iptables", "iptables"],
  ["ldd", "libc-bin"],
  ["nsenter", "util-linux"],
  ["runc", "runc"],
  ["tar", "tar"],
  ["taskset", "util-linux"],
  ["unshare", "util-linux"],
];

/** Paths of the built programs, and of the operator's manifest. */
export interface Programs {
  /** Folder with kubectl, kubelet, k6, manager and the others. */
  readonly bin: string;
  readonly operatorManifest: string;
}

/** Returns everything that this machine lacks for a cluster, each with a remedy; none if it can run one. */
export async function missingHere(): Promise<string[]> {
  if (Deno.build.os !== "linux") return [`Linux: this is ${Deno.build.os}`];
  const missing: string[] = [];
  if (Deno.uid() !== 0) missing.push("root, to make namespaces: run it as root");
  if (readText("/sys/fs/cgroup/cgroup.controllers") !== null) {
    missing.push("cgroup v1: this machine has v2, with which the cluster has never run");
  } else if (!await exists("/sys/fs/cgroup/cpuset/cgroup.procs")) {
    missing.push("cgroup v1 with the controller cpuset");
  }
  if (availableParallelism() < 2) missing.push("two processors");
  const packages = INSTALLED.filter(([program]) => which(program) === null)
    .map(([, debian]) => debian);
  if (
    !["host-local", "loopback", "ptp"].every((name) => listFolder(NETWORK_PLUGINS)?.includes(name))
  ) packages.push("containernetworking-plugins");
  if (packages.length > 0) {
    missing.push(`programs: apt-get install ${[...new Set(packages)].sort().join(" ")}`);
  }
  const tool = await new Toolchain().missing(SOURCES);
  if (tool !== null) missing.push(tool);
  return missing;
}

/**
 * Builds the programs, or finds them in the cache.
 *
 * @throws {Failure} that names the failed command and the file with its output.
 */
export async function providePrograms(
  scope: ProcessScope,
  abort: AbortSignal,
  say: Say,
): Promise<Programs> {
  const { folder } = await build(SOURCES, {
    scope,
    toolchain: new Toolchain(),
    cache: cacheFolder(null, (name) => Deno.env.get(name)),
    timeoutS: 60 * LONGEST_MIN,
    onCommand: (command) => say(`  ${command}`),
    onOutput: () => {},
    onWait: () => say("  waiting for another process that builds them"),
    abort,
  });
  return { bin: `${folder}/bin`, operatorManifest: `${folder}/operator/bundle.yaml` };
}

/** Builds for an image, which has no libraries. */
const STATIC = ["env", "CGO_ENABLED=0", "go"];
const OPTIONS = ["-mod=mod", "-buildvcs=false", "-trimpath"];
const VERSION = "k8s.io/component-base/version";

const SOURCES: Parameters<typeof build>[0] = {
  id: "kubernetes",
  name: "Kubernetes, k6 and k6-operator",
  folder: fileURLToPath(new URL("./kubernetes_programs", import.meta.url)),
  sources: ".",
  requires: [
    { command: ["go", "version"], minimum: "1.26.6", install: "install Go, https://go.dev/dl/" },
    { command: ["git", "--version"], minimum: "2.0", install: "install git" },
  ],
  prepare: [
    [
      "git",
      "clone",
      "--quiet",
      "--depth=1",
      `--branch=${OPERATOR.tag}`,
      OPERATOR_SOURCES,
      "operator",
    ],
    ["git", "-C", "operator", "checkout", "--quiet", OPERATOR.commit],
    ["deno", "run", "--no-config", "-A", "kubernetes_module.ts", KUBERNETES],
    [
      ...["go", "-C", "kubernetes", "build", ...OPTIONS, "-o", "../bin/"],
      ...[
        "-ldflags",
        `-s -w -X ${VERSION}.gitVersion=v${KUBERNETES} -X ${VERSION}.gitTreeState=clean`,
      ],
      ...["apiserver", "controller-manager", "scheduler", "proxy"].map((name) =>
        `k8s.io/kubernetes/cmd/kube-${name}`
      ),
      "k8s.io/kubernetes/cmd/kubelet",
      "k8s.io/kubernetes/cmd/kubectl",
    ],
    [...STATIC, "-C", "k6", "build", ...OPTIONS, "-o", "../bin/k6", "go.k6.io/k6"],
    [...STATIC, "-C", "operator", "build", ...OPTIONS, "-o", "../bin/manager", "./cmd"],
  ],
};

/** Returns the first match of a pattern in the operator's sources, such as the name of an image. */
export function findInOperator({ bin }: Programs, file: string, pattern: RegExp): string {
  const [, found] = pattern.exec(readText(`${bin}/../operator/${file}`) ?? "") ?? [];
  if (found === undefined) throw new Failure(`k6-operator's ${file} does not match ${pattern}`);
  return found;
}
