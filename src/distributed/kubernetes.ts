import { stringify } from "yaml";
import { UsageError } from "../model/errors.ts";
import { describeProblems, validatorOf } from "../model/validator.ts";
import { type ExportedLoad, testIdOf, variablesOf } from "./exported.ts";
import { k6Script } from "./k6_script.ts";
import { CONFIG_MAP_SCHEMA, type ConfigMap, TEST_RUN_SCHEMA, type TestRun } from "./test_run.ts";

/** How the script is called in a cluster. */
const FILE = "load.ts";
/** The Secret that holds what the script does not. */
const SECRET = "stampede-secrets";
/** What Kubernetes takes of a ConfigMap: https://kubernetes.io/docs/concepts/configuration/configmap/ */
const MOST_BYTES = 2 ** 20;
/** One runner: k6 uses as many threads as it is given processors, and about 1 to 5 MB for a virtual user. */
const RESOURCES = {
  requests: { cpu: "2", memory: "2Gi" },
  limits: { cpu: "2", memory: "2Gi" },
} as const;

/** Lines stay lines, however long, so that people can read the script. */
const AS_IT_IS = { blockQuote: "literal", lineWidth: 0 } as const;

const problemsOfRun = validatorOf(TEST_RUN_SCHEMA, { strict: true });
const problemsOfMap = validatorOf(CONFIG_MAP_SCHEMA, { strict: true });

/**
 * A ConfigMap with the script and a TestRun for k6-operator, as YAML. The runners print what they counted, since
 * their files go with them.
 *
 * @param parallelism how many runners share the load, each on a node of its own
 * @throws {UsageError} for a script that is too long for a ConfigMap, and what the operator would not take.
 */
export function kubernetesManifest(load: ExportedLoad, parallelism: number): string {
  const script = k6Script(load);
  if (new TextEncoder().encode(script).length > MOST_BYTES) {
    throw new UsageError("Cannot put the script into a ConfigMap: it has more than 1 MiB");
  }
  const name = `stampede-${testIdOf(load)}`;
  const configMap: ConfigMap = {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name },
    data: { [FILE]: script },
  };
  const testRun: TestRun = {
    apiVersion: "k6.io/v1alpha1",
    kind: "TestRun",
    metadata: { name },
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
        resources: RESOURCES,
      },
    },
  };
  const problems = [...problemsOfMap(configMap), ...problemsOfRun(testRun)];
  if (problems.length > 0) {
    throw new UsageError(`Cannot make a TestRun of this: ${describeProblems(problems)}`);
  }
  const usage = `# Made by Stampede for https://github.com/grafana/k6-operator
#   kubectl apply -f load.yaml
#   kubectl get testrun ${name}           # until its stage is finished
#   kubectl logs -l k6_cr=${name},runner=true --prefix=false --tail=-1 > runners.log
#   bench import k6 runners.log
`;
  return [usage + stringify(configMap, AS_IT_IS), stringify(testRun, AS_IT_IS)].join("---\n");
}
