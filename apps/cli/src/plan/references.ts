import type { ManifestObject } from "@capstan/apiserver";
import { Group } from "@capstan/contract";
import { cluster as clusterFields, machine as machineFields, readReference, valueAt } from "@capstan/contract/wire";
import { groupOf } from "@capstan/kube-values";
import { type KubeObject, own } from "@capstan/schema";
import type { Trial } from "../up/apply.ts";
import type { PlanProblem } from "./plan.ts";
import type { Reference, World } from "./world.ts";

const machineParts = [machineFields.bootstrapConfigRefPath, machineFields.infrastructureRefPath] as const;
const ofTemplate = machineParts.map((path) => `spec.template.${path}`);

/** Where objects of the core kinds refer to others. */
const paths: Readonly<Record<string, readonly string[]>> = {
  Cluster: [clusterFields.infrastructureRefPath, clusterFields.controlPlaneRefPath],
  Machine: machineParts,
  MachineSet: ofTemplate,
  MachineDeployment: ofTemplate,
  MachinePool: ofTemplate,
};

interface FoundReference extends Reference {
  readonly field: string;
}

const referencesOf = (object: KubeObject): readonly FoundReference[] => {
  if (groupOf(object.apiVersion) !== Group.core) return [];
  const cluster = valueAt(object, "spec.clusterName");
  const named: readonly FoundReference[] =
    typeof cluster === "string" && cluster !== ""
      ? [{ field: "spec.clusterName", apiGroup: Group.core, kind: "Cluster", name: cluster }]
      : [];
  return [
    ...named,
    ...(own(paths, object.kind) ?? []).flatMap((field) => {
      const reference = readReference(object, field);
      return reference === undefined ? [] : [{ ...reference, field }];
    }),
  ];
};

/** Returns references to objects that are neither in the files nor in the API; those `refused` are in the files. */
export const missingReferences = async (
  trials: readonly Trial[],
  world: World,
  refused: readonly ManifestObject[],
): Promise<readonly PlanProblem[]> => {
  const problems: PlanProblem[] = [];
  const isRefused = ({ apiGroup, kind, name }: Reference, namespace: string): boolean =>
    refused.some(({ object: { apiVersion, kind: ofKind, metadata } }) => {
      const isNamed = metadata.name === name && (metadata.namespace ?? namespace) === namespace;
      return isNamed && ofKind === kind && groupOf(apiVersion) === apiGroup;
    });
  for (const { item, after } of trials) {
    const namespace = after.metadata.namespace ?? "";
    for (const { field, ...reference } of referencesOf(after)) {
      if (isRefused(reference, namespace) || (await world.find(reference, namespace)).after !== undefined) continue;
      const message = `${after.kind} ${after.metadata.name ?? ""}: ${field}: ${reference.kind} ${reference.name} not found in namespace ${namespace}; add it to the files, or correct the name`;
      problems.push({ where: (await item.placeOf?.(`.${field}`)) ?? item.source, message });
    }
  }
  return problems;
};
