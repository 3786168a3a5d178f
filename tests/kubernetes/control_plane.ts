/** etcd and the programs of Kubernetes that run once in a cluster. */
import { join } from "node:path";
import type { Node } from "./node.ts";

/** Addresses of services. The first one is the API server's. */
const SERVICES = "10.96.0.0/16";
const ETCD = "http://127.0.0.1:2379";
const ETCD_PEERS = "http://127.0.0.1:2380";

/**
 * Starts etcd and the API server on a node.
 *
 * @param bin folder of Kubernetes' programs
 * @param keys folder that `writeKeys` has filled
 * @param port port of the API server
 */
export function startApiServer(node: Node, bin: string, keys: string, port: number): void {
  const { address, folder } = node;
  const key = (name: string): string => join(keys, name);
  node.start([
    "etcd",
    "--unsafe-no-fsync", // the data are temporary
    ...options({
      "data-dir": join(folder, "etcd"),
      "listen-client-urls": ETCD,
      "advertise-client-urls": ETCD,
      "listen-peer-urls": ETCD_PEERS,
    }),
  ]);
  node.start([
    join(bin, "kube-apiserver"),
    ...options({
      "etcd-servers": ETCD,
      "bind-address": address,
      "advertise-address": address,
      "secure-port": String(port),
      "service-cluster-ip-range": SERVICES,
      "authorization-mode": "Node,RBAC",
      "enable-admission-plugins": "NodeRestriction",
      "kubelet-preferred-address-types": "InternalIP",
      "tls-cert-file": key("apiserver.crt"),
      "tls-private-key-file": key("apiserver.key"),
      "client-ca-file": key("ca.crt"),
      "kubelet-client-certificate": key("admin.crt"),
      "kubelet-client-key": key("admin.key"),
      "service-account-key-file": key("service-accounts.pub"),
      "service-account-signing-key-file": key("service-accounts.key"),
      "service-account-issuer": "https://kubernetes.default.svc",
    }),
  ]);
}

/** Starts the scheduler and the controllers. They end if the API server is not ready. */
export function startControllers(node: Node, bin: string, keys: string): void {
  const key = (name: string): string => join(keys, name);
  const start = (name: string, more: Readonly<Record<string, string>> = {}): void => {
    const file = key(`${name}.conf`);
    node.start([
      join(bin, name),
      "--leader-elect=false",
      ...options({
        "kubeconfig": file,
        "authentication-kubeconfig": file,
        "authorization-kubeconfig": file,
        ...more,
      }),
    ]);
  };
  start("kube-scheduler");
  start("kube-controller-manager", {
    "service-account-private-key-file": key("service-accounts.key"),
    "root-ca-file": key("ca.crt"),
    "use-service-account-credentials": "true",
    // It makes this folder, by default outside the node
    "flex-volume-plugin-dir": "/var/lib/kubelet/plugins-exec",
  });
}

function options(values: Readonly<Record<string, string>>): string[] {
  return Object.entries(values).map(([name, value]) => `--${name}=${value}`);
}
