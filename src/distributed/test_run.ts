/**
 * Schema of the fields of k6-operator's TestRun that Stampede uses (spec.script.configMap, and some of
 * spec.runner):
 *
 * https://github.com/grafana/k6-operator/blob/main/config/crd/bases/k6.io_testruns.yaml
 */
import {
  document,
  flag,
  list,
  matching,
  object,
  oneOf,
  optional,
  ordinal,
  record,
  type Schema,
  type Static,
  text,
  unnamed,
  upTo,
} from "../model/json_schema.ts";

/**
 * A DNS label: https://kubernetes.io/docs/concepts/overview/working-with-objects/names/#dns-label-names
 */
const label: Schema<string> = {
  ...matching(/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/),
  maxLength: 63,
};
/**
 * An amount of a resource:
 * https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/quantity/
 */
const quantity: Schema<string> = matching(
  /^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$/,
);
/** Largest number of runners: more than a cluster has nodes. */
const MOST_RUNNERS = 1000;

const metadata = unnamed("Its name.", { name: [label, "A DNS label."] });
const resources = unnamed("Resources of each runner.", {
  requests: [record(quantity), "Reserved on the node."],
  limits: [record(quantity), "Upper limits."],
});
const secretKeyRef = unnamed("A key of a Secret.", {
  name: [label, "The Secret's name."],
  key: [matching(/^[-._a-zA-Z0-9]+$/), "The key."],
});
const variable = unnamed("A variable.", {
  name: [matching(/^[A-Z_][A-Z0-9_]*$/), "Its name."],
  value: [optional(text), "Its value."],
  valueFrom: [
    optional(
      unnamed("Source of the value.", { secretKeyRef: [secretKeyRef, "A key of a Secret."] }),
    ),
    "Source of a secret value.",
  ],
});

/** The ConfigMap with the script. */
export const ConfigMap = object("ConfigMap", "The script in a cluster.", {
  apiVersion: [oneOf("v1"), "Version of the API of Kubernetes."],
  kind: [oneOf("ConfigMap"), "Kind of the object."],
  metadata: [metadata, "Its name."],
  data: [record(text), "Contents of files by name."],
});
export interface ConfigMap extends Static<typeof ConfigMap> {}

/** The TestRun of k6-operator with the fields that Stampede uses. */
export const TestRun = object("TestRun", "A load of several runners for k6-operator.", {
  apiVersion: [oneOf("k6.io/v1alpha1"), "Version of the API of k6-operator."],
  kind: [oneOf("TestRun"), "Kind of the object."],
  metadata: [metadata, "Its name."],
  spec: [
    unnamed("Specification of the run.", {
      parallelism: [upTo(MOST_RUNNERS, ordinal), "Number of runners that share the load."],
      separate: [flag, "Whether each runs on a separate node."],
      script: [
        unnamed("The script.", {
          configMap: [
            unnamed("Its ConfigMap.", {
              name: [label, "Name of the ConfigMap."],
              file: [text, "Name of the file in it."],
            }),
            "Its ConfigMap.",
          ],
        }),
        "The script.",
      ],
      runner: [
        unnamed("The runners.", {
          env: [list(variable), "Variables of the script."],
          resources: [resources, "Resources of each."],
        }),
        "The runners.",
      ],
    }),
    "Specification of the run.",
  ],
});
export interface TestRun extends Static<typeof TestRun> {}

/** JSON Schema of {@linkcode TestRun}. */
export const TEST_RUN_SCHEMA: Schema = document(
  TestRun,
  "TestRun",
  "The used part of k6.io/v1alpha1.",
);
/** JSON Schema of {@linkcode ConfigMap}. */
export const CONFIG_MAP_SCHEMA: Schema = document(ConfigMap, "ConfigMap", "The used part of v1.");
