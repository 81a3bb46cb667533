import { Annotation } from "@capstan/contract";
import type { ContractVersion } from "@capstan/contract/wire";
import { controlPlane as wire, isUpgrading } from "@capstan/contract/wire";
import type { KubeObject } from "@capstan/schema";
import type { Cluster, Machine, MachineSet } from "../api.ts";
import { controlPlaneVersions, kubeadmSkew, kubernetesSkew } from "./version-skew.ts";
import type { ControlPlaneVersions, Workers } from "./version-skew.ts";

/** Names of the checks, as the annotation that skips them spells them. */
export const PreflightCheck = {
  all: "All",
  controlPlaneIsStable: "ControlPlaneIsStable",
  kubernetesVersionSkew: "KubernetesVersionSkew",
  kubeadmVersionSkew: "KubeadmVersionSkew",
  controlPlaneVersionSkew: "ControlPlaneVersionSkew",
} as const;

/** A check that a set does not pass. */
export interface PreflightFailure {
  readonly check: string;
  readonly message: string;
}

/** Input of the preflight checks. */
export interface PreflightFacts {
  readonly cluster: Cluster;
  readonly set: MachineSet;
  /** The control plane object and the contract it is read through; `undefined` when it does not exist. */
  readonly controlPlane: { readonly object: KubeObject; readonly contract: ContractVersion } | undefined;
  /** The Cluster's control-plane Machines: without a control plane object, their versions count. */
  readonly controlPlaneMachines: readonly Machine[];
  /** The template of the bootstrap configs, which may skip checks too. */
  readonly bootstrapTemplate: KubeObject | undefined;
}

const skippedChecks = (...objects: readonly (KubeObject | undefined)[]): ReadonlySet<string> =>
  new Set(
    objects.flatMap((object) =>
      (object?.metadata.annotations?.[Annotation.skipPreflightChecks] ?? "").split(",").map((name) => name.trim()),
    ),
  );

type Check = (facts: PreflightFacts & { readonly controlPlane: { readonly version: string } }) => string | undefined;

const named = ({ kind, metadata }: KubeObject): string => `${kind} ${metadata.namespace}/${metadata.name}`;

const controlPlaneIsStable: Check = ({ cluster, controlPlane: { object, contract, version } }) => {
  const wanted = cluster.spec.topology?.version;
  if (wanted !== undefined && wanted !== version) return `${named(object)} has a pending version upgrade to ${wanted}`;
  const fields = wire.for(contract);
  const isProvisioned =
    (fields.statusVersions.get(object) ?? []).length > 0 || fields.statusVersion.get(object) !== undefined;
  if (!isProvisioned) return `${named(object)} is provisioning`;
  return isUpgrading(object, contract) ? `${named(object)} is upgrading` : undefined;
};

/** Checks of a set's version alone, which need no control plane object. */
const versionChecks = {
  [PreflightCheck.kubernetesVersionSkew]: kubernetesSkew,
  [PreflightCheck.kubeadmVersionSkew]: kubeadmSkew,
} as const;

const controlPlaneVersionSkew: Check = ({ cluster, set, controlPlane }) => {
  const { version = controlPlane.version } = set.spec.template.spec;
  return cluster.spec.topology !== undefined && version !== controlPlane.version
    ? `MachineSet version (${version}) is not yet the same as the ControlPlane version (${controlPlane.version}), waiting for version to be propagated to the MachineSet`
    : undefined;
};

/** True for checks that compare versions: a failure lasts until a version is changed. */
export const isVersionCheck = (check: string): boolean => Object.hasOwn(versionChecks, check);

const checks: Readonly<Record<string, Check>> = {
  [PreflightCheck.controlPlaneIsStable]: controlPlaneIsStable,
  ...Object.fromEntries(
    Object.entries(versionChecks).map(([name, check]): [string, Check] => [
      name,
      ({ set, controlPlane: { version } }) => check(set, { oldest: { version }, newest: { version } }),
    ]),
  ),
  [PreflightCheck.controlPlaneVersionSkew]: controlPlaneVersionSkew,
};

const failureOf = (check: string, why: string | undefined): readonly PreflightFailure[] =>
  why === undefined ? [] : [{ check, message: `${why} ("${check}" preflight check failed)` }];

/**
 * Returns why workers may not join a control plane of these versions; empty when they may. `skippedBy`: the objects whose annotation
 * leaves checks out.
 */
export const versionFailures = (
  workers: Workers,
  versions: ControlPlaneVersions | undefined,
  skippedBy: readonly (KubeObject | undefined)[],
): readonly PreflightFailure[] => {
  const skipped = skippedChecks(...skippedBy);
  if (versions === undefined || skipped.has(PreflightCheck.all)) return [];
  return Object.entries(versionChecks).flatMap(([name, check]) =>
    skipped.has(name) ? [] : failureOf(name, check(workers, versions)),
  );
};

/**
 * Returns why no Machine should be made now; empty when it may. Without a control plane object the set's version is compared with those of
 * the control-plane Machines; where they have none, or the object has none, there is nothing to check. Throws `wire.field_invalid` for
 * versions that cannot be read.
 */
export const preflightFailures = (facts: PreflightFacts): readonly PreflightFailure[] => {
  const { cluster, set, controlPlane } = facts;
  const reference = cluster.spec.controlPlaneRef;
  const skipped = skippedChecks(set, facts.bootstrapTemplate);
  if (reference === undefined) {
    return versionFailures(set, controlPlaneVersions(facts.controlPlaneMachines), [set, facts.bootstrapTemplate]);
  }
  if (skipped.has(PreflightCheck.all)) return [];
  if (controlPlane === undefined) {
    const isNeeded = Object.keys(checks).some((name) => !skipped.has(name));
    const message = `${reference.kind} ${cluster.metadata.namespace}/${reference.name} does not exist`;
    return isNeeded ? [{ check: PreflightCheck.all, message }] : [];
  }
  const version = wire.for(controlPlane.contract).version.get(controlPlane.object);
  if (version === undefined) return [];
  return Object.entries(checks).flatMap(([name, check]) =>
    skipped.has(name) ? [] : failureOf(name, check({ ...facts, controlPlane: { ...controlPlane, version } })),
  );
};
