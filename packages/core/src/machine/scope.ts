import type { ConditionInput } from "@capstan/contract/wire";
import type { ObjectSaver } from "@capstan/kit/engine";
import type { WorkloadClusters } from "@capstan/kit/workload";
import { isBeingDeleted } from "@capstan/kube-values";
import type { ReconcileContext } from "@capstan/runtime";
import type { Cluster, Machine } from "../api.ts";
import type { ExternalObjects } from "@capstan/kit/machines";
import type { ExternalObservation } from "../external/observation.ts";
import type { CoreOptions } from "../options.ts";
import type { Node } from "../object/workload-kinds.ts";

/** Result of looking for the Machine's Node. */
export type NodeObservation =
  /** Not looked for yet: no provider id, or no infrastructure of the Cluster. */
  | { readonly state: "not-inspected" }
  | { readonly state: "found"; readonly node: Node }
  /** `anonymous`: how many Nodes have no provider id, so that it could be one of them. */
  | { readonly state: "missing"; readonly anonymous: number }
  /** The workload cluster does not answer at present. */
  | { readonly state: "unreachable" }
  | { readonly state: "unreadable" };

/** The reason and message of the Deleting condition. */
export interface DeletionProgress {
  readonly reason: string;
  readonly message: string;
}

/** Services of the Machine controller. */
export interface MachineServices {
  /** When this process began, in milliseconds since the epoch. */
  readonly since: number;
  readonly options: CoreOptions;
  readonly externals: ExternalObjects;
  readonly workload: WorkloadClusters;
  readonly saver: ObjectSaver<Machine>;
  /** When this process first failed to delete a Node, in milliseconds since the epoch, by the UID of the Machine being deleted. */
  readonly nodeFailures: Map<string, number>;
}

/** One reconcile of one Machine: what it read, what it learned and what the Machine shall become. */
export interface MachineScope extends MachineServices {
  readonly context: ReconcileContext;
  readonly cluster: Cluster;
  machine: Machine;
  bootstrap: ExternalObservation;
  infrastructure: ExternalObservation;
  node: NodeObservation;
  deletion: DeletionProgress | undefined;
  /** Conditions of `v1beta1` for the steps of a deletion, by type. */
  readonly deletionSteps: Map<string, ConditionInput>;
  /** Failure fields of the older API generation. */
  failure: { readonly failureReason: string; readonly failureMessage: string } | undefined;
}

/** Delay before the next look for a referenced object that does not exist yet, in milliseconds. */
export const missingObjectRetryMs = 30_000;

export const isDeleting = ({ machine }: MachineScope): boolean => isBeingDeleted(machine);

export const found = (observation: ExternalObservation) =>
  observation.state === "found" ? observation.external : undefined;
