import { Finalizer, Label } from "@capstan/contract";
import type { ContractReference } from "@capstan/contract/wire";
import { ownerReference } from "@capstan/contract/wire";
import { nameAsLabel } from "@capstan/kube-values";
import type { KubeObject } from "@capstan/schema";
import { apiVersionOf } from "@capstan/schema";
import { Machine, MachineSet } from "../api.ts";
import { defaultNodeDeletionTimeoutSeconds } from "../defaults/defaults.ts";

type Labels = Readonly<Record<string, string>>;

/** Labels that a set gives to its Machines and their objects. */
export const machineLabels = (set: MachineSet): Labels => {
  const deployment = set.metadata.labels?.[Label.deploymentName];
  return {
    ...set.spec.template.metadata?.labels,
    [Label.setName]: nameAsLabel(set.metadata.name ?? ""),
    [Label.clusterName]: set.spec.clusterName,
    ...(deployment === undefined ? {} : { [Label.deploymentName]: deployment }),
  };
};

/** Annotations that a set gives to its Machines and their objects. */
export const machineAnnotations = (set: MachineSet): Labels => set.spec.template.metadata?.annotations ?? {};

/** What stays as it was made, for a Machine that exists, or is made now. */
export interface MachineIdentity {
  readonly name: string;
  readonly uid?: string;
  readonly infrastructureRef: ContractReference;
  readonly configRef: ContractReference | undefined;
  readonly version: string | undefined;
  readonly failureDomain: string | undefined;
}

/** The identity of a Machine that exists. */
export const machineIdentity = ({ metadata, spec }: Machine): MachineIdentity => ({
  name: metadata.name ?? "",
  uid: metadata.uid ?? "",
  infrastructureRef: spec.infrastructureRef,
  configRef: spec.bootstrap.configRef,
  version: spec.version,
  failureDomain: spec.failureDomain,
});

const optional = <K extends string, T>(key: K, value: T | undefined): { readonly [P in K]?: T } =>
  (value === undefined ? {} : { [key]: value }) as { readonly [P in K]?: T };

/**
 * A Machine as its set wants it, for server-side apply: what can be changed in place follows the set's template, the rest
 * is the Machine's identity.
 */
export const machineBody = (set: MachineSet, identity: MachineIdentity): KubeObject => {
  const { spec } = set.spec.template;
  return {
    apiVersion: apiVersionOf(Machine),
    kind: Machine.kind,
    metadata: {
      name: identity.name,
      ...optional("namespace", set.metadata.namespace),
      ...optional("uid", identity.uid),
      labels: machineLabels(set),
      annotations: machineAnnotations(set),
      // Its own controller's, from the start: no Machine of a set can vanish before that controller has seen it.
      finalizers: [Finalizer.machine],
      ownerReferences: [ownerReference(MachineSet, set, { controller: true, blockOwnerDeletion: true })],
    },
    spec: {
      clusterName: set.spec.clusterName,
      infrastructureRef: identity.infrastructureRef,
      bootstrap: {
        ...optional("configRef", identity.configRef),
        ...optional("dataSecretName", spec.bootstrap.dataSecretName),
      },
      ...optional("version", identity.version),
      ...optional("failureDomain", identity.failureDomain),
      ...optional("minReadySeconds", spec.minReadySeconds),
      ...optional("readinessGates", spec.readinessGates),
      ...optional("taints", spec.taints),
      deletion: {
        ...spec.deletion,
        nodeDeletionTimeoutSeconds: spec.deletion?.nodeDeletionTimeoutSeconds ?? defaultNodeDeletionTimeoutSeconds,
      },
    },
  };
};

/** The labels and annotations of a clone as the set wants them, for server-side apply. */
export const metadataBody = (set: MachineSet, object: KubeObject): KubeObject => ({
  apiVersion: object.apiVersion,
  kind: object.kind,
  metadata: {
    name: object.metadata.name ?? "",
    ...optional("namespace", object.metadata.namespace),
    ...optional("uid", object.metadata.uid),
    labels: machineLabels(set),
    annotations: machineAnnotations(set),
  },
});
