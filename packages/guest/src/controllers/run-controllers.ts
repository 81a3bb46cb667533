import type { ControllerV1 } from "@capstan/contract/v1";
import type { Clock, Logger, Random } from "@capstan/contract";
import type { Connection } from "@capstan/kube";
import { createManager } from "@capstan/runtime";
import { cleanPods } from "./clean-pods.ts";
import { cloudNodes } from "./cloud-nodes.ts";
import { cloudServices } from "./cloud-services.ts";
import type { Clouds } from "./clouds.ts";
import { daemonSets } from "./daemon-set.ts";
import type { EtcdCluster } from "../etcd/etcd-cluster.ts";
import { managedEtcd } from "./managed-etcd.ts";
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

interface ManagerOptions {
  /** With the rights of an administrator. */
  readonly connection: Connection;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

export interface ControllersOptions extends ManagerOptions {
  readonly kubelets: Kubelets;
  readonly clouds: Clouds;
  readonly etcd: EtcdCluster;
}

export interface RunningControllers {
  /** Resolves when they have stopped. */
  readonly ended: Promise<void>;
  /** Resolves once they know what there is. */
  ready(): Promise<void>;
}

/** Runs controllers that not every cluster has. */
export const runFurther = (
  { signal, ...options }: ManagerOptions,
  controllers: readonly ControllerV1[],
): RunningControllers => {
  const manager = createManager(options);
  for (const each of controllers) manager.add(each);
  return { ended: manager.run({ signal }), ready: () => manager.ready() };
};

/** Runs the kubelets of a cluster, its scheduler and the controllers of its workloads. */
export const runControllers = (options: ControllersOptions): RunningControllers => {
  const { clock, clouds, connection, etcd, kubelets, log, random, signal } = options;
  const manager = createManager({ connection, clock, random, log });
  indexPods(manager.cache);
  const all = [
    nodeLifecycle(kubelets),
    runPods(kubelets, clouds),
    cleanPods(),
    scheduler(),
    replicaSets(),
    deployments(),
    statefulSets(),
    daemonSets(),
    jobs(),
    managedEtcd(etcd),
    // Without a cloud no one could do anything for its controllers.
    ...(clouds.isEmpty ? [] : [cloudNodes(clouds), cloudServices(clouds, kubelets)]),
  ];
  for (const each of all) manager.add(each);
  manager.addRunnable(heartbeats(manager, kubelets));
  return { ended: manager.run({ signal }), ready: () => manager.ready() };
};
