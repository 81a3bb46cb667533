import type { Condition, ContractReference } from "@capstan/contract/wire";
import { MachineResource } from "@capstan/contract/wire";
import type { KubeObject, LegacyCondition, Resource } from "@capstan/schema";

/** The mutable part of a Machine. */
export interface MachineSettings {
  readonly minReadySeconds?: number;
  readonly readinessGates?: readonly {
    readonly conditionType: string;
    readonly polarity?: "Positive" | "Negative";
  }[];
  readonly taints?: readonly {
    readonly key: string;
    readonly value?: string;
    readonly effect: "NoSchedule" | "PreferNoSchedule" | "NoExecute";
    readonly propagation: "Always" | "OnInitialization";
  }[];
  readonly deletion?: {
    readonly nodeDrainTimeoutSeconds?: number;
    readonly nodeVolumeDetachTimeoutSeconds?: number;
    readonly nodeDeletionTimeoutSeconds?: number;
  };
}

/** The parts of a Machine that those who make Machines read and write. The kind itself, with its schema, is core's. */
export interface Machine extends KubeObject {
  readonly spec: MachineSettings & {
    readonly clusterName: string;
    readonly bootstrap: { readonly configRef?: ContractReference; readonly dataSecretName?: string };
    readonly infrastructureRef: ContractReference;
    readonly version?: string;
    readonly failureDomain?: string;
  };
  readonly status?: {
    readonly conditions?: readonly Condition[];
    readonly initialization?: { readonly infrastructureProvisioned?: boolean };
    readonly nodeRef?: { readonly name: string };
    readonly certificatesExpiryDate?: string;
    readonly deletion?: { readonly nodeDrainStartTime?: string };
    readonly deprecated?: { readonly v1beta1?: { readonly conditions?: readonly LegacyCondition[] } };
  };
}

/** Machines as they are stored. */
export const Machines: Resource<Machine> = MachineResource as Resource<Machine>;
