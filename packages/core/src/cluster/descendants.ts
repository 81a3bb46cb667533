import { Label } from "@capstan/contract";
import { controllerOf } from "@capstan/contract/wire";
import { isOwnedBy } from "@capstan/kube";
import { isBeingDeleted, byText } from "@capstan/kube-values";
import type { KubeObject } from "@capstan/schema";
import { type Cluster, type Machine, type MachinePool, type MachineSet, ClusterReason } from "../api.ts";
import { MachineDeployment } from "../api.ts";
import type { ClusterDeletion, Descendants } from "./scope.ts";

const isControlPlaneMachine = ({ metadata }: Machine): boolean => metadata.labels?.[Label.controlPlane] !== undefined;

/** Machines of the control plane, and the others. */
export const splitMachines = (
  machines: readonly Machine[],
): { readonly controlPlane: readonly Machine[]; readonly workers: readonly Machine[] } => ({
  controlPlane: machines.filter(isControlPlaneMachine),
  workers: machines.filter((machine) => !isControlPlaneMachine(machine)),
});

/** A MachineSet that no deployment manages. */
export const isStandAloneSet = (set: MachineSet): boolean => controllerOf(set)?.kind !== MachineDeployment.kind;

const shownNames = 5;

const line = (objects: readonly KubeObject[], sort = ""): readonly string[] => {
  const [first] = objects;
  if (first === undefined) return [];
  const names = objects.map(({ metadata }) => metadata.name ?? "").sort(byText);
  const more = names.length > shownNames ? `, ... (${names.length - shownNames} more)` : "";
  return [`* ${sort}${first.kind}s: ${names.slice(0, shownNames).join(", ")}${more}`];
};

const orphanLine = (cluster: Cluster, objects: readonly KubeObject[]): readonly string[] => {
  const stuck = objects.filter(
    (object) => !isBeingDeleted(object) && (object.metadata.ownerReferences ?? []).length === 0,
  );
  const names = stuck.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
  return stuck.length === 0
    ? []
    : [`* not owned by Cluster ${cluster.metadata.name}, so to be deleted by hand: ${names.join(", ")}`];
};

export interface ChildrenPlan {
  /** To delete now: children with an owner reference to the Cluster. */
  readonly remove: readonly (Machine | MachineSet | MachineDeployment | MachinePool)[];
  /** Present while any descendant is left. */
  readonly waiting: ClusterDeletion | undefined;
}

const plan = (cluster: Cluster, { machines, sets, deployments, pools }: Descendants, reason: string): ChildrenPlan => {
  const all = [...pools, ...deployments, ...sets, ...machines];
  const remove = all.filter((object) => isOwnedBy(object, cluster) && !isBeingDeleted(object));
  if (all.length === 0) return { remove, waiting: undefined };
  const { controlPlane, workers } = splitMachines(machines);
  const message = [
    ...line(pools),
    ...line(deployments),
    ...line(sets),
    ...line(controlPlane, "Control plane "),
    ...line(workers, "Worker "),
    ...orphanLine(cluster, all),
  ].join("\n");
  return { remove, waiting: { reason, message } };
};

/**
 * The first stage of a Cluster's deletion: its children go, and everything that names it is waited for. Machines of a
 * control plane object are that object's business; without one they are children like the others.
 */
export const planChildren = (cluster: Cluster, descendants: Descendants): ChildrenPlan => {
  const { controlPlane, workers } = splitMachines(descendants.machines);
  const machines = cluster.spec.controlPlaneRef === undefined ? [...workers, ...controlPlane] : workers;
  return plan(cluster, { ...descendants, machines }, ClusterReason.deleting.waitingForWorkersDeletion);
};

/**
 * Plans the deletion of Machines that a control plane object left behind: they need the infrastructure until they are
 * gone.
 */
export const planLeftMachines = (cluster: Cluster, { machines }: Descendants): ChildrenPlan =>
  plan(
    cluster,
    { machines: splitMachines(machines).controlPlane, sets: [], deployments: [], pools: [] },
    ClusterReason.deleting.waitingForControlPlaneDeletion,
  );
