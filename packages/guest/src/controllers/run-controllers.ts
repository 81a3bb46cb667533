import type { Clock, Logger, Random } from "@capstan/contract";
import type { Connection } from "@capstan/kube";
import { createManager } from "@capstan/runtime";
import { cleanPods } from "./clean-pods.ts";
import { daemonSets } from "./daemon-set.ts";
import { deployments } from "./deployment.ts";
import { heartbeats } from "./heartbeats.ts";
import { indexPods } from "./indexes.ts";
import { jobs } from "./job.ts";
import type { Kubelets } from "./kubelets.ts";
import { nodeLifecycle } from "./node-lifecycle.ts";
import { replicaSets } from "./replica-set.ts";
import { runPods } from "./run-pods.ts";
import { scheduler } from "./scheduler.ts";
import { statefulSets } from "./stateful-set.ts";

export interface ControllersOptions {
  /** With the rights of an administrator. */
  readonly connection: Connection;
  readonly kubelets: Kubelets;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/** Runs the kubelets of a cluster, its scheduler and the controllers of its workloads. Resolves when they have stopped. */
export const runControllers = (
  options: ControllersOptions,
): { readonly ended: Promise<void>; ready(): Promise<void> } => {
  const { clock, connection, kubelets, log, random, signal } = options;
  const manager = createManager({ connection, clock, random, log });
  indexPods(manager.cache);
  const all = [
    nodeLifecycle(kubelets),
    runPods(kubelets),
    cleanPods(),
    scheduler(),
    replicaSets(),
    deployments(),
    statefulSets(),
    daemonSets(),
    jobs(),
  ];
  for (const each of all) manager.add(each);
  manager.addRunnable(heartbeats(manager, kubelets));
  return { ended: manager.run({ signal }), ready: () => manager.ready() };
};
