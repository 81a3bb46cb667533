import {
  ClusterResource,
  ConfigMapResource,
  isControlPlane,
  MachineResource,
  machine as machineFields,
} from "@capstan/contract/wire";
import { keyOf, keyText, type ObjectKey } from "@capstan/kube-values";
import type { Environment, Request, Source } from "@capstan/runtime";
import { watchMapped } from "@capstan/runtime";
import type { KubeObject } from "@capstan/schema";
import { clusterOfLock } from "./init-lock.ts";
import { isControlPlaneInitialized } from "../control-plane-initialized.ts";

/**
 * The configs of one controller that wait for the locks of their Clusters. Each is noted before it looks at the lock: whatever happens to
 * that while it looks, or before its status says that it waits, wakes it. One that failed with the lock is not among them: it retries at its
 * own pace, and giving back the lock must not make it, or another that fails, hurry. A process that starts looks at every config.
 */
export class LockWaiters {
  /** By uid. */
  readonly #waiters = new Map<string, { readonly config: Request; readonly cluster: string }>();

  /** The config looks at the lock of the Cluster now, or waits for it. */
  note({ metadata }: KubeObject, cluster: ObjectKey): void {
    this.#waiters.set(metadata.uid ?? "", { config: keyOf({ metadata }), cluster: keyText(cluster) });
  }

  /** It has the lock, needs none, or is gone. */
  forget(uid: string): void {
    this.#waiters.delete(uid);
  }

  of(cluster: ObjectKey): readonly Request[] {
    const text = keyText(cluster);
    return [...this.#waiters.values()].flatMap((each) => (each.cluster === text ? [each.config] : []));
  }
}

const waiting = ({ cache }: Environment, waiters: LockWaiters, key: ObjectKey): readonly Request[] => {
  const cluster = cache.get(ClusterResource, key);
  return cluster === undefined || isControlPlaneInitialized(cluster) ? [] : waiters.of(key);
};

/** Requests for the configs of control planes that wait for a Cluster's first: the lock is gone, or a Machine that may have held it. */
export const byInitLock = (waiters: LockWaiters): readonly Source[] => [
  watchMapped(
    ConfigMapResource,
    (lock, environment) => {
      const name = clusterOfLock(lock.metadata.name ?? "");
      return name === undefined ? [] : waiting(environment, waiters, { ...keyOf(lock), name });
    },
    { when: ({ type }) => type === "deleted" },
  ),
  watchMapped(
    MachineResource,
    (machine, environment) => {
      const name = machineFields.clusterName.get(machine);
      return name === undefined || !isControlPlane(machine)
        ? []
        : waiting(environment, waiters, { ...keyOf(machine), name });
    },
    { when: ({ type }) => type === "deleted" },
  ),
];
