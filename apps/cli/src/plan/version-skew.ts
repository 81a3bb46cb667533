import { versionFailures, controlPlaneVersions, type ControlPlaneVersions, type Workers } from "@capstan/core";
import { Annotation, Label } from "@capstan/contract";
import {
  cluster as clusterFields,
  ClusterResource,
  controlPlane as controlPlaneFields,
  isControlPlane,
  machine as machineFields,
  MachineDeploymentResource,
  MachineResource,
  MachineSetResource,
  readReference,
  valueAt,
} from "@capstan/contract/wire";
import { isBeingDeleted } from "@capstan/kube-values";
import type { KubeObject } from "@capstan/schema";
import type { CertainFailure } from "./certain-failures.ts";
import type { World } from "./world.ts";

/** A MachineDeployment or MachineSet that creates no Machines, and the checks that hold it. */
export interface HeldWorkers extends CertainFailure {
  readonly checks: readonly string[];
}

/** The labels by which Machines name what creates them. */
const memberLabels: Readonly<Record<string, string>> = {
  [MachineDeploymentResource.kind]: Label.deploymentName,
  [MachineSetResource.kind]: Label.setName,
};

type Versioned = KubeObject & { readonly spec: { readonly version?: string } };

/** Returns the versions of the control plane as it would be: those of its object, else those of its Machines. */
const versionsOf = async (owner: KubeObject, world: World): Promise<ControlPlaneVersions | undefined> => {
  const { namespace = "" } = owner.metadata;
  const cluster = machineFields.clusterName.get(owner) ?? "";
  const { group: apiGroup, kind } = ClusterResource;
  const { after } = await world.find({ apiGroup, kind, name: cluster }, namespace);
  if (after === undefined) return undefined;
  const reference = readReference(after, clusterFields.controlPlaneRefPath);
  if (reference !== undefined) {
    const object = (await world.find(reference, namespace)).after;
    const version = object === undefined ? undefined : controlPlaneFields.for("v1beta2").version.get(object);
    return version === undefined ? undefined : { oldest: { version }, newest: { version } };
  }
  const machines = (await world.list(MachineResource)).map((pair) => pair.after as Versioned);
  return controlPlaneVersions(
    machines.filter(
      (machine) =>
        machine.metadata.namespace === namespace &&
        machine.metadata.labels?.[Label.clusterName] === cluster &&
        isControlPlane(machine),
    ),
  );
};

/** The template of the bootstrap configs, whose annotation counts too. */
const bootstrapTemplate = async ({ metadata, ...owner }: KubeObject, world: World): Promise<KubeObject | undefined> => {
  const reference = readReference({ ...owner, metadata }, "spec.template.spec.bootstrap.configRef");
  return reference === undefined ? undefined : (await world.find(reference, metadata.namespace ?? "")).after;
};

/** True while not all Machines that are wanted have the version of the template. */
const createsMachines = async (owner: KubeObject, world: World): Promise<boolean> => {
  const { name, namespace } = owner.metadata;
  const version = valueAt(owner, "spec.template.spec.version");
  const done = (await world.list(MachineResource)).filter(
    ({ after }) =>
      after.metadata.namespace === namespace &&
      after.metadata.labels?.[memberLabels[owner.kind] ?? ""] === name &&
      !isBeingDeleted(after) &&
      machineFields.version.get(after) === version,
  );
  return done.length < Number(valueAt(owner, "spec.replicas") ?? 1);
};

const heldBy = async (owner: KubeObject, world: World): Promise<HeldWorkers | undefined> => {
  if (memberLabels[owner.kind] === undefined || isBeingDeleted(owner)) return undefined;
  if (!(await createsMachines(owner, world))) return undefined;
  const skippedBy = [owner, await bootstrapTemplate(owner, world)];
  const failures = versionFailures(owner as KubeObject & Workers, await versionsOf(owner, world), skippedBy);
  if (failures.length === 0) return undefined;
  const checks = failures.map(({ check }) => check);
  const why = failures.map(({ message }) => message).join("; ");
  const allow = `set the annotation ${Annotation.skipPreflightChecks} to ${checks.join(",")}, as capstan up --force does`;
  const message = `spec.template.spec.version: no Machine is created: ${why}; upgrade the control plane first, or ${allow}`;
  return { object: owner, message, checks };
};

/** Returns those of the objects to be applied that the rules of version skew hold: MachineDeployments and MachineSets. */
export const heldWorkers = async (objects: readonly KubeObject[], world: World): Promise<readonly HeldWorkers[]> =>
  (await Promise.all(objects.map((object) => heldBy(object, world)))).filter((held) => held !== undefined);
