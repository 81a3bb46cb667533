import type { MergePatch } from "@capstan/contract/wire";
import type { Kind, KubeObject, Resource } from "@capstan/schema";
import type { ManagedWorld } from "./managers.ts";

/** What the suite asks a control plane object for. */
export interface WantedControlPlane {
  readonly replicas: number;
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
  /** Whether the Machine of a bootstrap config is told to begin the cluster or to join it. */
  readonly roleOf: (config: KubeObject) => "init" | "join";
  /** A Machine has its Node: what runs on it is there from now on. */
  readonly joined?: (machine: KubeObject) => Promise<void> | void;
  /** A Machine is gone, and what ran on it. */
  readonly gone?: (machine: KubeObject) => Promise<void> | void;
  readonly skip?: Readonly<Record<string, string>>;
}
