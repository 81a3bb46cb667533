import {
  ClusterResource,
  ConfigMapResource,
  deprecatedConditionOf,
  isControlPlane,
  MachineResource,
  machine as machineFields,
} from "@capstan/contract/wire";
import { keyOf, keyText, type ObjectKey } from "@capstan/kube-values";
import type { Environment, Request, Source } from "@capstan/runtime";
import { watchMapped } from "@capstan/runtime";
import type { KubeObject, Resource } from "@capstan/schema";
import { clusterOfLock } from "./init-lock.ts";
import { bootstrapOwnerOf } from "./owner.ts";
import { dataSecretAvailable } from "./status.ts";
import { isControlPlaneInitialized } from "../control-plane-initialized.ts";
import { RoleReason } from "../reasons.ts";
import { clusterIndex } from "../relations.ts";

const waits: readonly (string | undefined)[] = [
  undefined,
  RoleReason.waitingForControlPlane,
  RoleReason.waitingForClusterInfrastructure,
];

/** One that fails retries at its own pace: giving back the lock must not make it, or another that fails, hurry. */
const mayBegin = ({ cache }: Environment, config: KubeObject): boolean => {
  const machine = bootstrapOwnerOf(cache, config).owner?.machine;
  if (machine === undefined || !isControlPlane(machine)) return false;
  // The newer generation of conditions has one reason for waiting and for failing.
  return waits.includes(deprecatedConditionOf(config, dataSecretAvailable)?.reason);
};

const waiting = (environment: Environment, kind: Resource, key: ObjectKey): readonly Request[] => {
  const cluster = environment.cache.get(ClusterResource, key);
  if (cluster === undefined || isControlPlaneInitialized(cluster)) return [];
  const configs = environment.cache.byIndex(kind, clusterIndex, keyText(key));
  return configs.filter((config) => mayBegin(environment, config)).map((config) => keyOf(config));
};

/** Requests for the configs of control planes that wait for a Cluster's first: the lock is gone, or a Machine that may have held it. */
export const byInitLock = (kind: Resource): readonly Source[] => [
  watchMapped(
    ConfigMapResource,
    (lock, environment) => {
      const name = clusterOfLock(lock.metadata.name ?? "");
      return name === undefined ? [] : waiting(environment, kind, { ...keyOf(lock), name });
    },
    { when: ({ type }) => type === "deleted" },
  ),
  watchMapped(
    MachineResource,
    (machine, environment) => {
      const name = machineFields.clusterName.get(machine);
      return name === undefined || !isControlPlane(machine)
        ? []
        : waiting(environment, kind, { ...keyOf(machine), name });
    },
    { when: ({ type }) => type === "deleted" },
  ),
];
