import type { KubeObject, Resource } from "@capstan/schema";

/** What asks for machines, and for which version of Kubernetes on them. */
export interface PlanAskerV1 {
  /** A Machine, MachineSet, MachineDeployment or MachinePool as it will be. */
  readonly object: KubeObject;
  readonly version: string | undefined;
  /** Where the version stands in it. */
  readonly versionField: string;
}

/** An infrastructure object or a bootstrap config as it is and as it will be. */
export interface PlanItemV1 {
  /** `undefined`: it does not exist yet. */
  readonly before: KubeObject | undefined;
  /** `undefined`: it goes. Of one that will be made from a template, only what the template says, and a name that stands for it. */
  readonly after: KubeObject | undefined;
  /** It goes, and one like `after` takes its place. */
  readonly replaced: boolean;
  /** How many of this kind there will be: more than 1 only of those that will be made from a template. */
  readonly count: number;
  /** Of a machine or a machine pool: the infrastructure object of its Cluster, if it has one. */
  readonly infraCluster: KubeObject | undefined;
  /** Of an infrastructure cluster: it stands beside the one that its Cluster refers to, and makes no endpoint. */
  readonly additional?: boolean;
  /** Of a machine pool: its MachinePool as it will be. */
  readonly machinePool?: KubeObject;
  /** Of a bootstrap config: what asks for machines with it. */
  readonly askedBy?: PlanAskerV1;
}

/** What a provider is asked. */
export interface PlanRequestV1 {
  /** Objects of its kinds. */
  readonly items: readonly PlanItemV1[];
  /** Any other object as it will be. */
  readonly find: (
    kind: Pick<Resource, "group" | "kind">,
    key: { readonly namespace?: string; readonly name: string },
  ) => Promise<KubeObject | undefined>;
  /** A Secret as it will be. */
  readonly secret: (key: { readonly namespace: string; readonly name: string }) => Promise<KubeObject | undefined>;
  readonly signal: AbortSignal;
}

/** What becomes of something at the cloud. */
export interface PlannedResourceV1 {
  readonly action: "create" | "change" | "replace" | "delete" | "keep";
  /** The object that it is for. */
  readonly object: KubeObject;
  /** What the vendor calls it: `instance`. */
  readonly type: string;
  /** Its name or id there; of one that is not there yet, what it will be called. */
  readonly name: string;
  /** How many alike. */
  readonly count: number;
  /** What it is, in a few words. */
  readonly description?: string;
  /** What is changed about it. */
  readonly changes?: readonly { readonly field: string; readonly from: unknown; readonly to: unknown }[];
  /** How it differs from its object, where no controller mends it. */
  readonly drift?: string;
  /** Of each, where the cloud lists prices. */
  readonly price?: { readonly monthly: number; readonly currency: string };
}

/** Why an object cannot become what it says. */
export interface PlanProblemV1 {
  readonly object: KubeObject;
  /** What is wrong, with the field, and the mend. */
  readonly message: string;
}

/** The answer of a provider. */
export interface CloudPlanV1 {
  readonly resources: readonly PlannedResourceV1[];
  readonly problems: readonly PlanProblemV1[];
}

/**
 * What objects of a provider's kinds mean at the cloud. It reads there, and writes nothing. What is wrong with an object is a problem; it
 * throws only when the cloud does not answer.
 */
export type PlanV1 = (request: PlanRequestV1) => Promise<CloudPlanV1>;
