import type { KubeObject, Resource } from "@capstan/schema";

/** An object that requests machines, and their Kubernetes version. */
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
  /** Number of objects; more than 1 only if they will be created from a template. */
  readonly count: number;
  /** For a machine or machine pool: the infrastructure object of its Cluster, if any. */
  readonly infraCluster: KubeObject | undefined;
  /** For an infrastructure cluster: it is additional to the one that its Cluster references, and creates no endpoint. */
  readonly additional?: boolean;
  /** For a machine pool: its MachinePool after the change. */
  readonly machinePool?: KubeObject;
  /** For a bootstrap config: the object that requests machines with it. */
  readonly askedBy?: PlanAskerV1;
}

/** Input of a plan. */
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

/** Facts about a machine that are certain before it is created; unknown ones are absent. */
export interface PlannedMachineV1 {
  /** True if its image has kubeadm and a kubelet. */
  readonly hasKubernetes?: boolean;
  /** True if it boots with swap switched on. */
  readonly hasSwap?: boolean;
  readonly cpus?: number;
  readonly memoryMiB?: number;
}

/** A planned change of a resource at the cloud. */
export interface PlannedResourceV1 {
  readonly action: "create" | "change" | "replace" | "delete" | "keep";
  /** The object that it is for. */
  readonly object: KubeObject;
  /** Name of the resource type at the vendor: `instance`. */
  readonly type: string;
  /** Its name or id there; of one that is not there yet, what it will be called. */
  readonly name: string;
  /** Number of identical resources. */
  readonly count: number;
  /** Short description. */
  readonly description?: string;
  /** The changes, for an update. */
  readonly changes?: readonly { readonly field: string; readonly from: unknown; readonly to: unknown }[];
  /** Difference from its object that no controller corrects. */
  readonly drift?: string;
  /** Price of each, if the cloud publishes prices. */
  readonly price?: { readonly monthly: number; readonly currency: string };
  /** Set for a machine that will be created. Plans use it to predict failures. */
  readonly machine?: PlannedMachineV1;
}

/** Why an object cannot become what it says. */
export interface PlanProblemV1 {
  readonly object: KubeObject;
  /** The problem, with the field and the fix. */
  readonly message: string;
}

/** The answer of a provider. */
export interface CloudPlanV1 {
  readonly resources: readonly PlannedResourceV1[];
  readonly problems: readonly PlanProblemV1[];
}

/**
 * Called before manifests are applied; returns what objects of the provider's kinds will create at the cloud, and their problems. It
 * only reads, and throws only when the cloud does not answer.
 */
export type PlanV1 = (request: PlanRequestV1) => Promise<CloudPlanV1>;
