import { Annotation, CapstanError, type Clock } from "@capstan/contract";
import { controllerOf, MachineResource, patchAt, valueAt } from "@capstan/contract/wire";
import { KubeadmControlPlane } from "@capstan/controlplane-kubeadm/api";
import { KThreesControlPlane, RKE2ControlPlane } from "@capstan/controlplane-rke2-k3s/api";
import { MachineDeployment, MachineSet } from "@capstan/core/api";
import { controlPlaneStatus, rolloutStatus, type RolloutStatus } from "@capstan/inspect";
import type { Client } from "@capstan/kube";
import type { KubeObject, Resource } from "@capstan/schema";
import { absenceOf } from "../cluster/absence.ts";
import type { RolloutKind } from "./rollout-target.ts";

export interface RolloutEnvironment {
  readonly client: Client;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly write: (line: string) => void;
}

/** An object that rolls out Machines, in a known namespace. */
export interface Placed {
  readonly kind: RolloutKind;
  readonly name: string;
  readonly namespace: string;
}

/** Common shape of the kinds that roll out Machines. */
export type RolloutObject = KubeObject;

/** The field of a kind that has all replaced that is older than its time. */
export interface RolloutTime {
  readonly path: string;
  readonly read: (object: RolloutObject) => string | undefined;
  /** The change that sets it, as a merge patch. */
  readonly patch: (time: string) => { readonly spec: object };
}

/** A kind's pause, the objects that a restart replaces, and its progress. */
export interface RolloutSubject {
  readonly resource: Resource;
  readonly isPaused: (object: RolloutObject) => boolean;
  /** The change, as a merge patch, that pauses or resumes. */
  readonly pausing: (paused: boolean) => object;
  /** Field that requests a restart; absent: the kind has none. */
  readonly after?: RolloutTime;
  /** Objects that a restart replaces if they are older than it. */
  readonly made: (environment: RolloutEnvironment, object: RolloutObject) => Promise<readonly KubeObject[]>;
  readonly status: (environment: RolloutEnvironment, object: RolloutObject) => Promise<RolloutStatus>;
}

/** The MachineSets beside a deployment, of which some are its own. */
export const setsBeside = async (
  { client, signal }: RolloutEnvironment,
  { metadata }: KubeObject,
): Promise<readonly MachineSet[]> =>
  (await client.list(MachineSet, { namespace: metadata.namespace ?? "", signal })).items;

const timeAt = (path: string): RolloutTime => ({
  path,
  read: (object) => valueAt(object, path) as string | undefined,
  patch: (time) => patchAt(path, time) as { readonly spec: object },
});

const machineDeployment: RolloutSubject = {
  resource: MachineDeployment,
  after: timeAt("spec.rollout.after"),
  isPaused: (object) => (object as MachineDeployment).spec.paused === true,
  pausing: (paused) => ({ spec: { paused: paused ? true : null } }),
  made: setsBeside,
  status: async (environment, object) =>
    rolloutStatus(object as MachineDeployment, await setsBeside(environment, object), environment.clock.now()),
};

/** A control plane has no field for it: all of it is paused, by the annotation. */
const controlPlaneOf = (resource: Resource, after?: string): RolloutSubject => ({
  resource,
  ...(after !== undefined && { after: timeAt(after) }),
  isPaused: ({ metadata }) => metadata.annotations?.[Annotation.paused] !== undefined,
  pausing: (paused) => ({ metadata: { annotations: { [Annotation.paused]: paused ? "true" : null } } }),
  made: async ({ client, signal }, { metadata: { namespace = "", uid } }) =>
    (await client.list(MachineResource, { namespace, signal })).items.filter(
      (machine) => controllerOf(machine)?.uid === uid,
    ),
  status: async (_, object) => controlPlaneStatus(object),
});

export const rolloutSubjects: Readonly<Record<RolloutKind, RolloutSubject>> = {
  machinedeployment: machineDeployment,
  kubeadmcontrolplane: controlPlaneOf(KubeadmControlPlane, "spec.rollout.after"),
  kthreescontrolplane: controlPlaneOf(KThreesControlPlane, "spec.rolloutAfter"),
  rke2controlplane: controlPlaneOf(RKE2ControlPlane),
};

/** An object as commands name it. */
export const labelOf = ({ kind, name }: Pick<Placed, "kind" | "name">): string => `${kind}/${name}`;

export const failure = (code: string, reason: string, message: string): CapstanError =>
  new CapstanError({ code, reason, message, retry: { kind: "never" } });

/** Throws `rollouts.not_found`. */
export const findSubject = async (
  { client, signal }: RolloutEnvironment,
  { kind, name, namespace }: Placed,
): Promise<RolloutObject> => {
  const { resource } = rolloutSubjects[kind];
  const found = await client.find(resource, { name, namespace }, { signal });
  if (found !== undefined) return found;
  throw failure("rollouts.not_found", "NotFound", await absenceOf(client, resource, { name, namespace }, { signal }));
};
