import type { MergePatch } from "@capstan/contract/wire";
import type { Kind, KubeObject, Resource } from "@capstan/schema";
import type { WorkloadFaults } from "../workload-world.ts";
import type { ManagedWorld } from "./managers.ts";

/** Control plane object that the suite asks for. */
export interface WantedControlPlane {
  readonly replicas: number;
  /** As `versionOf` writes it. */
  readonly version: string;
  readonly maxSurge?: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly infrastructureRef: { readonly apiGroup: string; readonly kind: string; readonly name: string };
}

/** A control plane provider to be put through the suite. */
export interface ControlPlaneSubject extends ManagedWorld {
  /** Kinds of the provider. */
  readonly kinds: readonly Kind[];
  readonly controlPlaneKind: Resource;
  readonly configKind: Resource;
  /** The spec of an object that wants this. */
  readonly spec: (wanted: WantedControlPlane) => MergePatch;
  /** Returns the provider's form of a Kubernetes version, for example with a suffix. Default: unchanged. */
  readonly versionOf?: (kubernetes: string) => string;
  /** Returns whether the Machine of a bootstrap config is told to begin the cluster or to join it. Default: others decide that, and it is not asked. */
  readonly roleOf?: (config: KubeObject) => "init" | "join";
  /** A Machine has its Node: what runs on it is there from now on. */
  readonly joined?: (machine: KubeObject) => Promise<void> | void;
  /** A Machine is gone, and what ran on it. */
  readonly gone?: (machine: KubeObject) => Promise<void> | void;
  /** Makes the clusters that run fail. Default: they never do. */
  readonly faults?: WorkloadFaults;
  readonly skip?: Readonly<Record<string, string>>;
}
