import { stringify } from "yaml";
import { UsageError } from "../model/errors.ts";
import { type ExportedLoad, testIdOf, variablesOf } from "./exported.ts";
import { k6Script } from "./k6_script.ts";

/** Name of the script in the ConfigMap. */
const FILE = "load.ts";
/** Name of the Secret with the values that the script does not contain. */
const SECRET = "stampede-secrets";
/** Largest ConfigMap in bytes: https://kubernetes.io/docs/concepts/configuration/configmap/ */
const MOST_BYTES = 2 ** 20;
/** Resources of one runner. k6 uses one thread per processor, and 1 to 5 MB per virtual user. */
const RESOURCES = { cpu: "2", memory: "2Gi" };

/** YAML options that keep each line of the script on one line, so that it is readable. */
const KEEP_LINES = { blockQuote: "literal", lineWidth: 0 } as const;

/**
 * Returns a ConfigMap with the script and a TestRun for k6-operator, as YAML. The runners print their
 * results, because their files are deleted with them. Definition of a TestRun:
 * https://github.com/grafana/k6-operator/blob/v1.6.0/config/crd/bases/k6.io_testruns.yaml
 */
export function kubernetesManifest(load: ExportedLoad, parallelism: number): string {
  const script = k6Script(load);
  if (new TextEncoder().encode(script).length > MOST_BYTES) {
    throw new UsageError("Cannot put the script into a ConfigMap: it has more than 1 MiB");
  }
  const name = `stampede-${testIdOf(load)}`;
  const metadata = { name };
  const configMap = { apiVersion: "v1", kind: "ConfigMap", metadata, data: { [FILE]: script } };
  const testRun = {
    apiVersion: "k6.io/v1alpha1",
    kind: "TestRun",
    metadata,
    spec: {
      parallelism,
      separate: true,
      script: { configMap: { name, file: FILE } },
      runner: {
        env: [
          { name: "TARGET", value: load.target },
          { name: "OUT", value: "-" },
          { name: "K6_NO_USAGE_REPORT", value: "true" },
          ...variablesOf(load.scenarios).map((key) => ({
            name: key,
            valueFrom: { secretKeyRef: { name: SECRET, key } },
          })),
        ],
        resources: { requests: RESOURCES, limits: { ...RESOURCES } }, // no YAML alias
      },
    },
  };
  const usage = `# Made by Stampede for https://github.com/grafana/k6-operator
#   kubectl apply -f load.yaml
#   kubectl get testrun ${name}           # until its stage is finished
#   kubectl logs -l k6_cr=${name},runner=true --prefix=false --tail=-1 > runners.log
#   ${load.program.join(" ")} import k6 runners.log
`;
  return [usage + stringify(configMap, KEEP_LINES), stringify(testRun, KEEP_LINES)].join("---\n");
}
