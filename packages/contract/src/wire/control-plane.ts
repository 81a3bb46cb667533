import type { ContractVersion } from "./contract-version.ts";
import type { Endpoint } from "./endpoint.ts";
import type { Field } from "./field.ts";
import { field, flag, integer, listOf, parts, record, text } from "./field.ts";
import { endpointField } from "./infra-cluster.ts";

/** Number of replicas that run a version. */
export interface VersionCount {
  readonly version: string;
  readonly replicas?: number;
}

export interface ControlPlaneFields {
  readonly endpoint: Field<Endpoint>;
  /** The API server answered once. */
  readonly initialized: Field<boolean>;
  readonly replicas: Field<number>;
  /** The version that is wanted. */
  readonly version: Field<string>;
  readonly statusReplicas: Field<number>;
  readonly readyReplicas: Field<number>;
  readonly upToDateReplicas: Field<number>;
  /** v1beta2 only. */
  readonly availableReplicas: Field<number> | undefined;
  /** v1beta1 only. */
  readonly unavailableReplicas: Field<number> | undefined;
  /** The lowest version of all replicas; `statusVersions` is preferred where it is present. */
  readonly statusVersion: Field<string>;
  /** Ordered from old to new. */
  readonly statusVersions: Field<readonly VersionCount[]>;
  /** Label selector as text, for the scale subresource. */
  readonly selector: Field<string>;
  /** Nodes may be deleted although no control-plane Machine is left. */
  readonly externalManagedControlPlane: Field<boolean>;
  readonly machineTemplateMetadata: Field<Readonly<Record<string, unknown>>>;
  /** The path of the machine template's infrastructure reference, for `readReference` and `referencePatch`. */
  readonly infrastructureRefPath: string;
  /** RFC 3339. */
  readonly rolloutAfter: Field<string>;
}

const shared = {
  endpoint: endpointField("spec.controlPlaneEndpoint"),
  replicas: field("spec.replicas", integer),
  version: field("spec.version", text),
  statusReplicas: field("status.replicas", integer),
  readyReplicas: field("status.readyReplicas", integer),
  statusVersion: field("status.version", text),
  statusVersions: field(
    "status.versions",
    listOf(parts<VersionCount>({ version: text, replicas: integer }, ["version"])),
  ),
  selector: field("status.selector", text),
  externalManagedControlPlane: field("status.externalManagedControlPlane", flag),
  machineTemplateMetadata: field("spec.machineTemplate.metadata", record),
};

const v1beta2: ControlPlaneFields = {
  ...shared,
  initialized: field("status.initialization.controlPlaneInitialized", flag),
  upToDateReplicas: field("status.upToDateReplicas", integer),
  availableReplicas: field("status.availableReplicas", integer),
  unavailableReplicas: undefined,
  infrastructureRefPath: "spec.machineTemplate.spec.infrastructureRef",
  rolloutAfter: field("spec.rollout.after", text),
};

const v1beta1: ControlPlaneFields = {
  ...shared,
  initialized: field("status.initialized", flag),
  upToDateReplicas: field("status.updatedReplicas", integer),
  availableReplicas: undefined,
  unavailableReplicas: field("status.unavailableReplicas", integer),
  infrastructureRefPath: "spec.machineTemplate.infrastructureRef",
  rolloutAfter: field("spec.rolloutAfter", text),
};

/** Reads the contract's fields of a control plane of any provider. */
export const controlPlane = {
  for: (contract: ContractVersion): ControlPlaneFields => ({ v1beta1, v1beta2 })[contract],
};
