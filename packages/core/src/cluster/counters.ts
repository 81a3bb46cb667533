import { isCapstanError } from "@capstan/contract";
import type { VersionCount } from "@capstan/contract/wire";
import { controlPlane, controllerOf } from "@capstan/contract/wire";
import { presentFields } from "@capstan/kube-values";
import type { Cluster, Machine } from "../api.ts";
import type { ExternalObject } from "@capstan/kit/machines";
import type { KubeObject } from "@capstan/schema";
import { isStandAloneSet, splitMachines } from "./descendants.ts";
import { hasControlPlaneObject } from "./control-plane.ts";
import type { ClusterScope, Descendants } from "./scope.ts";
import { countMachines, machineVersions, sumVersions } from "@capstan/kit/machines";

type ControlPlaneStatus = NonNullable<NonNullable<Cluster["status"]>["controlPlane"]>;
type WorkersStatus = NonNullable<NonNullable<Cluster["status"]>["workers"]>;

interface Readable<T> {
  get(object: KubeObject): T | undefined;
}

/** Replica counters; for stand-alone Machines, counters of none are left out. */
interface Counters {
  readonly desiredReplicas?: number | undefined;
  readonly replicas?: number | undefined;
  readonly readyReplicas?: number | undefined;
  readonly availableReplicas?: number | undefined;
  readonly upToDateReplicas?: number | undefined;
}

const countersOf = (machines: readonly Machine[]): Counters => {
  const counted = { desiredReplicas: machines.length, ...countMachines(machines) };
  return Object.fromEntries(Object.entries(counted).filter(([, count]) => count > 0));
};

const ofMachines = (machines: readonly Machine[]): WorkersStatus =>
  presentFields({ ...countersOf(machines), versions: machineVersions(machines) });

/** A counter, or nothing where the object has it in another shape: the contract requires none of them. */
const counter = <T>(field: Readable<T> | undefined, object: KubeObject): T | undefined => {
  try {
    return field?.get(object);
  } catch (error) {
    if (isCapstanError(error, "wire.field_invalid")) return undefined;
    throw error;
  }
};

/** Returns the available replicas; under `v1beta1`, which may count only unavailable ones, the desired minus those. */
const availableOf = ({ object, contract }: ExternalObject, desired: number | undefined): number | undefined => {
  const { availableReplicas, unavailableReplicas } = controlPlane.for(contract);
  if (availableReplicas !== undefined) return counter(availableReplicas, object);
  const unavailable = counter(unavailableReplicas, object);
  return desired === undefined || unavailable === undefined ? undefined : Math.max(desired - unavailable, 0);
};

/** Counters of the control plane: its object's, or those of its Machines. Where the object says nothing they are empty. */
export const controlPlaneCounters = (
  { cluster, controlPlane: observation }: Pick<ClusterScope, "cluster" | "controlPlane">,
  machines: readonly Machine[],
): ControlPlaneStatus => {
  if (!hasControlPlaneObject(cluster)) return machines.length === 0 ? {} : ofMachines(machines);
  if (observation.state !== "found") return {};
  const { object, contract } = observation.external;
  const fields = controlPlane.for(contract);
  const desiredReplicas = counter(fields.replicas, object);
  return presentFields({
    desiredReplicas,
    replicas: counter(fields.statusReplicas, object),
    readyReplicas: counter(fields.readyReplicas, object),
    availableReplicas: availableOf(observation.external, desiredReplicas),
    upToDateReplicas: counter(fields.upToDateReplicas, object),
    versions: counter(fields.statusVersions, object),
  });
};

interface Group {
  readonly spec: { readonly replicas?: number };
  readonly status?: {
    readonly replicas?: number;
    readonly readyReplicas?: number;
    readonly availableReplicas?: number;
    readonly upToDateReplicas?: number;
    readonly versions?: readonly VersionCount[];
  };
}

/** The counters of several, each of which stays away until someone has counted. */
/** The counters of the status have 32 bits, and so has each of their summands. */
const largestCounter = 2 ** 31 - 1;

const sum = (all: readonly Counters[], of: keyof Counters): number | undefined => {
  const counted = all.map((each) => each[of]).filter((value) => value !== undefined);
  if (counted.length === 0) return undefined;
  return Math.min(
    counted.reduce((total, value) => total + value, 0),
    largestCounter,
  );
};

/** Counters of all workers: deployments, pools, stand-alone sets and stand-alone Machines. */
export const workerCounters = ({ machines, sets, deployments, pools }: Descendants): WorkersStatus => {
  const groups: readonly Group[] = [...deployments, ...pools, ...sets.filter(isStandAloneSet)];
  const standAlone = splitMachines(machines).workers.filter((machine) => controllerOf(machine) === undefined);
  const ofGroups = groups.map(({ spec, status }): Counters => ({ ...status, desiredReplicas: spec.replicas }));
  const counters = standAlone.length === 0 ? ofGroups : [...ofGroups, countersOf(standAlone)];
  return presentFields({
    desiredReplicas: sum(counters, "desiredReplicas"),
    replicas: sum(counters, "replicas"),
    readyReplicas: sum(counters, "readyReplicas"),
    availableReplicas: sum(counters, "availableReplicas"),
    upToDateReplicas: sum(counters, "upToDateReplicas"),
    versions: sumVersions([
      ...groups.flatMap(({ status }) => status?.versions ?? []),
      ...(machineVersions(standAlone) ?? []),
    ]),
  });
};
