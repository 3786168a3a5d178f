/** Writes a load as a file for k6-operator on Kubernetes. */
import { UsageError } from "../model/errors.ts";
import { type ExportedLoad, hashOf, variablesOf } from "./exported.ts";
import { k6Script } from "./k6_script.ts";

/** Version of k6 in the runners: the one that `.ci/run` installs for the tests. */
export const K6_VERSION = "1.8.1";
/** Name of the Secret with the values that the script does not contain. */
const SECRETS = "stampede-secrets";
/** Largest ConfigMap in bytes: https://kubernetes.io/docs/concepts/configuration/configmap/ */
const MOST_BYTES = 2 ** 20;
/**
 * Largest object in bytes of JSON that `kubectl apply` accepts without `--server-side`. It copies the
 * object into an annotation, and Kubernetes limits annotations to 256 KiB.
 */
const MOST_ANNOTATED_BYTES = 2 ** 18;
/**
 * Resources of the starter, a few calls of curl. The operator requests 50m by default, which a node full
 * of runners does not have. The other figures are the operator's defaults.
 */
const STARTER = {
  requests: { cpu: "10m", memory: "2Mi" },
  limits: { cpu: "100m", memory: "200Mi" },
};

/** Runners of a TestRun: their number, and the resources of each as Kubernetes quantities. */
export interface RunnerPods {
  readonly parallelism: number;
  /** Processors, such as `2` or `500m`. */
  readonly cpu: string;
  /** Memory, such as `512Mi`. */
  readonly memory: string;
}

/**
 * Returns a ConfigMap with the script and a TestRun for k6-operator, as YAML. The runners print their
 * results, because their files are deleted with them. Throws UsageError if the script is too long for a
 * ConfigMap. Definition of a TestRun:
 * https://github.com/grafana/k6-operator/blob/v1.6.0/config/crd/bases/k6.io_testruns.yaml
 */
export async function kubernetesManifest(load: ExportedLoad, pods: RunnerPods): Promise<string> {
  const script = k6Script(load);
  if (bytesOf(script) > MOST_BYTES) {
    throw new UsageError(
      "Cannot put the script into a ConfigMap: it has more than 1 MiB; export fewer scenarios, or smaller bodies",
    );
  }
  // The operator runs nothing if a TestRun is applied again, so a changed one needs another name
  const name = `stampede-${hashOf(script + JSON.stringify(specOf("", load, pods)))}`;
  const metadata = { name };
  const data = { "load.ts": script };
  const configMap = { apiVersion: "v1", kind: "ConfigMap", metadata, data };
  const spec = specOf(name, load, pods);
  const testRun = { apiVersion: "k6.io/v1alpha1", kind: "TestRun", metadata, spec };
  const { stringify } = await import("yaml"); // only this function needs it
  const isLarge = bytesOf(JSON.stringify(configMap)) > MOST_ANNOTATED_BYTES;
  const usage = `# Made by Stampede for https://github.com/grafana/k6-operator
#   kubectl apply --server-side -f load.yaml
#   kubectl get testrun ${name}           # until its stage is finished
#   kubectl logs -l k6_cr=${name},runner=true --prefix=false --tail=-1 > runners.log
#   ${load.program.join(" ")} import k6 runners.log
#   kubectl delete --cascade=foreground -f load.yaml  # before the same load can run again
${
    isLarge
      ? "# Without --server-side, kubectl rejects this file, because it has more than 256 KiB.\n"
      : ""
  }`;
  // Each line of the script stays on one line, so that it is readable
  const documents = [configMap, testRun].map((document) =>
    stringify(document, { blockQuote: "literal", lineWidth: 0, aliasDuplicateObjects: false })
  );
  return usage + documents.join("---\n");
}

function specOf(
  name: string,
  { target, scenarios }: ExportedLoad,
  { parallelism, cpu, memory }: RunnerPods,
): object {
  const resources = { cpu, memory };
  return {
    parallelism,
    separate: true,
    script: { configMap: { name, file: "load.ts" } },
    starter: { resources: STARTER },
    // The operator's initializer is a copy of a runner
    runner: {
      image: `grafana/k6:${K6_VERSION}`,
      env: [
        { name: "TARGET", value: target },
        { name: "OUT", value: "-" },
        { name: "K6_NO_USAGE_REPORT", value: "true" },
        ...variablesOf(scenarios).map((key) => ({
          name: key,
          valueFrom: { secretKeyRef: { name: SECRETS, key } },
        })),
      ],
      resources: { requests: resources, limits: resources },
    },
  };
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}
