/** Configuration files of a node's programs. */
import { join } from "node:path";
import { CLUSTER_CGROUP } from "./cgroups.ts";
import { PAUSE_IMAGE } from "./images.ts";
import { NETWORK_PLUGINS } from "./programs.ts";

export const PODS_NETWORK = "10.244.0.0/16";
const CONTAINERD_SOCKET = "/run/containerd/containerd.sock"; // containerd's default, in the node's /run

/** Returns the addresses of the pods of node number `i`. */
export function podsOf(i: number): string {
  return `10.244.${i}.0/24`;
}

/** Paths of the configuration files of a node. */
export interface NodeFiles {
  readonly containerd: string;
  readonly kubelet: string;
  readonly proxy: string;
}

/** What the programs of a node have to know. */
interface NodeSettings {
  /** URL of the registry of all images. */
  readonly registry: string;
  /** Folder with keys. */
  readonly keys: string;
}

/** Writes the configuration of containerd, kubelet and kube-proxy of node number `i`. 0 is the main node. */
export async function writeNodeFiles(
  i: number,
  { name, folder }: { readonly name: string; readonly folder: string },
  { registry, keys }: NodeSettings,
): Promise<NodeFiles> {
  const write = async (path: string, content: string | object): Promise<string> => {
    const text = typeof content === "string" ? content : JSON.stringify(content, null, 2);
    await Deno.writeTextFile(join(folder, path), text);
    return join(folder, path);
  };
  await Deno.mkdir(join(folder, "network"));
  await write("network/pods.conflist", {
    cniVersion: "0.4.0",
    name: "pods",
    plugins: [{
      type: "ptp",
      mtu: 1500,
      ipam: {
        type: "host-local",
        dataDir: "/run/cni",
        ranges: [[{ subnet: podsOf(i) }]],
        routes: [{ dst: "0.0.0.0/0" }],
      },
    }],
  });
  await Deno.mkdir(join(folder, "hosts/_default"), { recursive: true });
  await write(
    "hosts/_default/hosts.toml",
    `[host."${registry}"]\ncapabilities = ["pull", "resolve"]\n`,
  );
  return {
    containerd: await write("containerd.toml", containerdFile(folder)),
    kubelet: await write("kubelet.json", {
      ...kubeletFile(name, keys),
      ...taint(i),
    }),
    proxy: await write("kube-proxy.json", {
      apiVersion: "kubeproxy.config.k8s.io/v1alpha1",
      kind: "KubeProxyConfiguration",
      mode: "iptables",
      hostnameOverride: name,
      clientConnection: { kubeconfig: join(keys, "kube-proxy.conf") },
      clusterCIDR: PODS_NETWORK,
      // Only the machine's own network can set these limits
      conntrack: { maxPerCore: 0, min: 0, tcpEstablishedTimeout: "0s", tcpCloseWaitTimeout: "0s" },
    }),
  };
}

function containerdFile(folder: string): string {
  return `version = 2
[plugins."io.containerd.internal.v1.opt"]
  path = "/var/lib/containerd/opt"
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "${PAUSE_IMAGE}"
  restrict_oom_score_adj = true # for sandboxes in which root lacks CAP_SYS_RESOURCE
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "${NETWORK_PLUGINS}"
    conf_dir = "${folder}/network"
  [plugins."io.containerd.grpc.v1.cri".registry]
    config_path = "${folder}/hosts"
`;
}

function kubeletFile(name: string, keys: string): object {
  return {
    apiVersion: "kubelet.config.k8s.io/v1beta1",
    kind: "KubeletConfiguration",
    authentication: {
      anonymous: { enabled: false },
      webhook: { enabled: true },
      x509: { clientCAFile: join(keys, "ca.crt") },
    },
    authorization: { mode: "Webhook" },
    cgroupDriver: "cgroupfs",
    cgroupRoot: `/${CLUSTER_CGROUP}/${name}`,
    containerRuntimeEndpoint: `unix://${CONTAINERD_SOCKET}`,
    // The rest of the machine may use its memory and disk as it likes
    evictionHard: { "memory.available": "100Mi" },
    failSwapOn: false,
    imageGCHighThresholdPercent: 100,
    resolvConf: "",
    volumePluginDir: "/var/lib/kubelet/plugins-exec",
  };
}

/** Keeps runners away from the main node, but lets a starter use it if all workers are full. */
function taint(i: number): object {
  const taints = [{ key: "node-role.kubernetes.io/control-plane", effect: "PreferNoSchedule" }];
  return i === 0 ? { registerWithTaints: taints } : {};
}
