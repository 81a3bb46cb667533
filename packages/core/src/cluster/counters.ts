import { isCapstanError } from "@capstan/contract";
import type { VersionCount } from "@capstan/contract/wire";
import { controlPlane, controllerOf } from "@capstan/contract/wire";
import { presentFields } from "@capstan/kube-values";
import type { Cluster, Machine } from "../api.ts";
import type { ExternalObject } from "@capstan/kit/external";
import type { KubeObject } from "@capstan/schema";
import { isStandAloneSet, splitMachines } from "./descendants.ts";
import type { Descendants } from "./scope.ts";
import { countMachines, machineVersions, sumVersions } from "@capstan/kit/machines";

type ControlPlaneStatus = NonNullable<NonNullable<Cluster["status"]>["controlPlane"]>;
type WorkersStatus = NonNullable<NonNullable<Cluster["status"]>["workers"]>;

interface Readable<T> {
  get(object: KubeObject): T | undefined;
}

const ofMachines = (machines: readonly Machine[]): WorkersStatus =>
  presentFields({
    desiredReplicas: machines.length,
    ...countMachines(machines),
    versions: machineVersions(machines),
  });

/** A counter, or nothing where the object has it in another shape: the contract requires none of them. */
const counter = <T>(field: Readable<T> | undefined, object: KubeObject): T | undefined => {
  try {
    return field?.get(object);
  } catch (error) {
    if (isCapstanError(error, "wire.field_invalid")) return undefined;
    throw error;
  }
};

/** What is not unavailable is available, where the older contract says only the former. */
const availableOf = ({ object, contract }: ExternalObject, desired: number | undefined): number | undefined => {
  const { availableReplicas, unavailableReplicas } = controlPlane.for(contract);
  if (availableReplicas !== undefined) return counter(availableReplicas, object);
  const unavailable = counter(unavailableReplicas, object);
  return desired === undefined || unavailable === undefined ? undefined : Math.max(desired - unavailable, 0);
};

/** Counters of the control plane: its object's, or those of its Machines. `undefined` when there is neither. */
export const controlPlaneCounters = (
  machines: readonly Machine[],
  external: ExternalObject | undefined,
): ControlPlaneStatus | undefined => {
  if (external === undefined) return machines.length === 0 ? undefined : ofMachines(machines);
  const { object, contract } = external;
  const fields = controlPlane.for(contract);
  const desiredReplicas = counter(fields.replicas, object);
  const counters = presentFields({
    desiredReplicas,
    replicas: counter(fields.statusReplicas, object),
    readyReplicas: counter(fields.readyReplicas, object),
    availableReplicas: availableOf(external, desiredReplicas),
    upToDateReplicas: counter(fields.upToDateReplicas, object),
    versions: counter(fields.statusVersions, object),
  });
  return Object.keys(counters).length === 0 ? undefined : counters;
};

const sum = (values: readonly (number | undefined)[]): number =>
  values.reduce<number>((total, value) => total + (value ?? 0), 0);

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

/** Counters of all workers: deployments, pools, stand-alone sets and stand-alone Machines. */
export const workerCounters = ({ machines, sets, deployments, pools }: Descendants): WorkersStatus => {
  const groups: readonly Group[] = [...deployments, ...pools, ...sets.filter(isStandAloneSet)];
  const standAlone = splitMachines(machines).workers.filter((machine) => controllerOf(machine) === undefined);
  const single = countMachines(standAlone);
  const of = (pick: (status: NonNullable<Group["status"]>) => number | undefined): number =>
    sum(groups.map(({ status }) => (status === undefined ? 0 : pick(status))));
  return presentFields({
    desiredReplicas: sum(groups.map(({ spec }) => spec.replicas)) + standAlone.length,
    replicas: of(({ replicas }) => replicas) + single.replicas,
    readyReplicas: of(({ readyReplicas }) => readyReplicas) + single.readyReplicas,
    availableReplicas: of(({ availableReplicas }) => availableReplicas) + single.availableReplicas,
    upToDateReplicas: of(({ upToDateReplicas }) => upToDateReplicas) + single.upToDateReplicas,
    versions: sumVersions([
      ...groups.flatMap(({ status }) => status?.versions ?? []),
      ...(machineVersions(standAlone) ?? []),
    ]),
  });
};
