import { Finalizer } from "@capstan/contract";
import type { ContractReference } from "@capstan/contract/wire";
import { ownerReference } from "@capstan/contract/wire";
import type { KubeObject } from "@capstan/schema";
import { apiVersionOf } from "@capstan/schema";
import type { Machine } from "./machine.ts";
import { Machines } from "./machine.ts";
import type { MachineMaker, Texts } from "./maker.ts";

/** Default time limit for deleting a Node, in seconds. */
const defaultNodeDeletionTimeoutSeconds = 10;

/** The parts of a Machine that do not change after its creation. */
export interface MachineIdentity {
  readonly name: string;
  readonly uid?: string;
  readonly infrastructureRef: ContractReference;
  readonly configRef: ContractReference | undefined;
  readonly version: string | undefined;
  readonly failureDomain: string | undefined;
  readonly annotations?: Texts;
}

/** The identity of a Machine that exists. */
export const machineIdentity = (
  { metadata, spec }: Machine,
  { keptAnnotations = [] }: Pick<MachineMaker, "keptAnnotations"> = {},
): MachineIdentity => ({
  name: metadata.name ?? "",
  uid: metadata.uid ?? "",
  infrastructureRef: spec.infrastructureRef,
  configRef: spec.bootstrap.configRef,
  version: spec.version,
  failureDomain: spec.failureDomain,
  annotations: Object.fromEntries(
    Object.entries(metadata.annotations ?? {}).filter(([key]) => keptAnnotations.includes(key)),
  ),
});

const optional = <K extends string, T>(key: K, value: T | undefined): { readonly [P in K]?: T } =>
  (value === undefined ? {} : { [key]: value }) as { readonly [P in K]?: T };

/**
 * A Machine as its maker wants it, for server-side apply: what can be changed in place follows the maker, the rest is the Machine's
 * identity.
 */
export const machineBody = (maker: MachineMaker, identity: MachineIdentity): KubeObject => {
  const { settings } = maker;
  return {
    apiVersion: apiVersionOf(Machines),
    kind: Machines.kind,
    metadata: {
      name: identity.name,
      ...optional("namespace", maker.object.metadata.namespace),
      ...optional("uid", identity.uid),
      labels: maker.labels,
      annotations: { ...maker.annotations, ...identity.annotations, ...maker.machineAnnotations },
      // Its own controller's, from the start: no Machine can vanish before that controller has seen it.
      finalizers: [Finalizer.machine],
      ownerReferences: [ownerReference(maker.kind, maker.object, { controller: true, blockOwnerDeletion: true })],
    },
    spec: {
      clusterName: maker.clusterName,
      infrastructureRef: identity.infrastructureRef,
      bootstrap: {
        ...optional("configRef", identity.configRef),
        ...optional("dataSecretName", maker.dataSecretName),
      },
      ...optional("version", identity.version),
      ...optional("failureDomain", identity.failureDomain),
      ...optional("minReadySeconds", settings.minReadySeconds),
      ...optional("readinessGates", settings.readinessGates),
      ...optional("taints", settings.taints),
      deletion: {
        ...settings.deletion,
        nodeDeletionTimeoutSeconds: settings.deletion?.nodeDeletionTimeoutSeconds ?? defaultNodeDeletionTimeoutSeconds,
      },
    },
  };
};

/** The labels and annotations of what a Machine refers to as the maker wants them, for server-side apply. */
export const metadataBody = (maker: MachineMaker, object: KubeObject): KubeObject => ({
  apiVersion: object.apiVersion,
  kind: object.kind,
  metadata: {
    name: object.metadata.name ?? "",
    ...optional("namespace", object.metadata.namespace),
    ...optional("uid", object.metadata.uid),
    labels: maker.labels,
    annotations: maker.annotations,
  },
});
