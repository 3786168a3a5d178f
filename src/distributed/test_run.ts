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
} from "../model/schema.ts";

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
const resources = unnamed("What each runner may use.", {
  requests: [record(quantity), "What the node keeps for it."],
  limits: [record(quantity), "What it may use at most."],
});
const secretKeyRef = unnamed("A key of a Secret.", {
  name: [label, "The Secret's name."],
  key: [matching(/^[-._a-zA-Z0-9]+$/), "The key."],
});
const variable = unnamed("A variable.", {
  name: [matching(/^[A-Z_][A-Z0-9_]*$/), "Its name."],
  value: [optional(text), "Its value."],
  valueFrom: [
    optional(unnamed("Where its value is.", { secretKeyRef: [secretKeyRef, "In a Secret."] })),
    "Where its value is, if that is a secret.",
  ],
});

/** The ConfigMap with the script. */
export const ConfigMap = object("ConfigMap", "The script, in a cluster.", {
  apiVersion: [oneOf("v1"), "Of Kubernetes."],
  kind: [oneOf("ConfigMap"), "What it is."],
  metadata: [metadata, "Its name."],
  data: [record(text), "Files by their names."],
});
export interface ConfigMap extends Static<typeof ConfigMap> {}

/** The TestRun of k6-operator with the fields that Stampede uses. */
export const TestRun = object("TestRun", "A load of several runners, as k6-operator takes it.", {
  apiVersion: [oneOf("k6.io/v1alpha1"), "Of k6-operator."],
  kind: [oneOf("TestRun"), "What it is."],
  metadata: [metadata, "Its name."],
  spec: [
    unnamed("What is run.", {
      parallelism: [upTo(MOST_RUNNERS, ordinal), "How many runners share the load."],
      separate: [flag, "Whether each has a node of its own."],
      script: [
        unnamed("The script.", {
          configMap: [
            unnamed("Where it is.", { name: [label, "Of the ConfigMap."], file: [text, "In it."] }),
            "Where it is.",
          ],
        }),
        "The script.",
      ],
      runner: [
        unnamed("The runners.", {
          env: [list(variable), "What the script is told."],
          resources: [resources, "What each may use."],
        }),
        "The runners.",
      ],
    }),
    "What is run.",
  ],
});
export interface TestRun extends Static<typeof TestRun> {}

/** JSON Schema of {@linkcode TestRun}. */
export const TEST_RUN_SCHEMA: Schema = document(
  TestRun,
  "TestRun",
  "k6.io/v1alpha1, as it is used.",
);
/** JSON Schema of {@linkcode ConfigMap}. */
export const CONFIG_MAP_SCHEMA: Schema = document(ConfigMap, "ConfigMap", "v1, as it is used.");
