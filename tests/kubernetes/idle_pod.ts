/**
 * A pod with the network and the resources of a runner, but without a program. So a k6 process in it
 * differs from a runner only in that the operator does not know it.
 */
import { Failure } from "../../src/model/errors.ts";
import { readText } from "../../src/process/files.ts";
import { pause } from "../../src/process/pause.ts";
import { familyOf, readProcesses } from "../../src/process/tree.ts";
import type { Cluster } from "./cluster.ts";
import { PAUSE_IMAGE } from "./images.ts";

const NAME = "idle";
/** Resources of a runner, by default. */
const RUNNER = { cpu: "1", memory: "1Gi" };
const POLL_MS = 200;
/** Longest time until it runs, in milliseconds. */
const LONGEST_MS = 60_000;

/** The pod, on the first worker. */
export interface IdlePod extends AsyncDisposable {
  /** Id of its process, which sleeps. */
  readonly pid: number;
}

/** Starts the pod, and waits until it runs. */
export async function startIdlePod(cluster: Cluster, abort: AbortSignal): Promise<IdlePod> {
  const [worker] = cluster.workers;
  if (worker === undefined) throw new Failure("The cluster has no worker");
  const container = {
    name: NAME,
    image: PAUSE_IMAGE,
    resources: { requests: RUNNER, limits: RUNNER },
  };
  const overrides = { spec: { nodeName: worker.name, containers: [container] } };
  await cluster.ask(
    ["run", NAME, "--image", PAUSE_IMAGE, "--overrides", JSON.stringify(overrides)],
  );
  const phase = ["get", "pod", NAME, "-o", "jsonpath={.status.phase}"];
  const deadlineMs = performance.now() + LONGEST_MS;
  while (await cluster.ask(phase) !== "Running") {
    if (performance.now() > deadlineMs) {
      throw new Failure(`Waited ${LONGEST_MS / 1000} s until the pod "${NAME}" runs`);
    }
    await pause(POLL_MS, abort);
  }
  // The first one of the two processes keeps the namespaces, and has no limits
  const pid = familyOf(readProcesses() ?? new Map(), [worker.pid]).findLast((one) =>
    readText(`/proc/${one}/cmdline`) === "sleep\0inf\0"
  );
  if (pid === undefined) throw new Failure(`The pod "${NAME}" has no process`);
  return {
    pid,
    [Symbol.asyncDispose]: async () => void await cluster.ask(["delete", "pod", NAME, "--now"]),
  };
}
