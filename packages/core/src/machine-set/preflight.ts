import { Annotation, Group } from "@capstan/contract";
import type { ContractVersion } from "@capstan/contract/wire";
import { controlPlane as wire, isUpgrading } from "@capstan/contract/wire";
import type { KubeObject } from "@capstan/schema";
import type { Cluster, MachineSet } from "../api.ts";

/** Names of the checks, as the annotation that skips them spells them. */
export const PreflightCheck = {
  all: "All",
  controlPlaneIsStable: "ControlPlaneIsStable",
  kubernetesVersionSkew: "KubernetesVersionSkew",
  kubeadmVersionSkew: "KubeadmVersionSkew",
  controlPlaneVersionSkew: "ControlPlaneVersionSkew",
} as const;

/** Minor versions that a kubelet may be older than its API server. */
const supportedSkew = 3;

/** What the checks look at. */
export interface PreflightFacts {
  readonly cluster: Cluster;
  readonly set: MachineSet;
  /** The control plane object and the contract it is read through; `undefined` when it does not exist. */
  readonly controlPlane: { readonly object: KubeObject; readonly contract: ContractVersion } | undefined;
  /** The template of the bootstrap configs, which may skip checks too. */
  readonly bootstrapTemplate: KubeObject | undefined;
}

const skippedChecks = (...objects: readonly (KubeObject | undefined)[]): ReadonlySet<string> =>
  new Set(
    objects.flatMap((object) =>
      (object?.metadata.annotations?.[Annotation.skipPreflightChecks] ?? "").split(",").map((name) => name.trim()),
    ),
  );

const parse = (version: string): { readonly text: string; readonly minor: string; readonly number: number } => {
  const [, text = version, major, minor] = /^v?((\d+)\.(\d+).*)$/.exec(version) ?? [];
  return { text, minor: `${major}.${minor}`, number: Number(minor) };
};

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

const kubernetesVersionSkew: Check = ({ set, controlPlane }) => {
  const [mine, theirs] = [parse(set.spec.template.spec.version ?? controlPlane.version), parse(controlPlane.version)];
  if (Number.isNaN(theirs.number)) return `ControlPlane version (${theirs.text}) cannot be read`;
  if (Number.isNaN(mine.number)) {
    return `MachineSet version (${mine.text}) cannot be read: spec.template.spec.version must be such as v1.33.4`;
  }
  const because =
    mine.number > theirs.number
      ? "is higher than ControlPlane version"
      : mine.number < theirs.number - supportedSkew
        ? `is more than ${supportedSkew} minor versions older than the ControlPlane version`
        : undefined;
  return because === undefined
    ? undefined
    : `MachineSet version (${mine.text}) and ControlPlane version (${theirs.text}) do not conform to the kubernetes version skew policy as MachineSet version ${because}`;
};

const kubeadmVersionSkew: Check = ({ set, controlPlane }) => {
  const { bootstrap, version = controlPlane.version } = set.spec.template.spec;
  const [mine, theirs] = [parse(version), parse(controlPlane.version)];
  const isKubeadm =
    bootstrap.configRef?.kind === "KubeadmConfigTemplate" && bootstrap.configRef.apiGroup === Group.bootstrap;
  return isKubeadm && mine.minor !== theirs.minor
    ? `MachineSet version (${mine.text}) and ControlPlane version (${theirs.text}) do not conform to kubeadm version skew policy as kubeadm only supports joining with the same major+minor version as the control plane`
    : undefined;
};

const controlPlaneVersionSkew: Check = ({ cluster, set, controlPlane }) => {
  const { version = controlPlane.version } = set.spec.template.spec;
  return cluster.spec.topology !== undefined && version !== controlPlane.version
    ? `MachineSet version (${version}) is not yet the same as the ControlPlane version (${controlPlane.version}), waiting for version to be propagated to the MachineSet`
    : undefined;
};

const checks: Readonly<Record<string, Check>> = {
  [PreflightCheck.controlPlaneIsStable]: controlPlaneIsStable,
  [PreflightCheck.kubernetesVersionSkew]: kubernetesVersionSkew,
  [PreflightCheck.kubeadmVersionSkew]: kubeadmVersionSkew,
  [PreflightCheck.controlPlaneVersionSkew]: controlPlaneVersionSkew,
};

/**
 * Why no Machine should be made now; empty when nothing speaks against it. Without a control plane object, or with one
 * that has no version, there is nothing to check. Throws `wire.field_invalid` for versions that cannot be read.
 */
export const preflightFailures = (facts: PreflightFacts): readonly string[] => {
  const { cluster, set, controlPlane } = facts;
  const reference = cluster.spec.controlPlaneRef;
  const skipped = skippedChecks(set, facts.bootstrapTemplate);
  if (reference === undefined || skipped.has(PreflightCheck.all)) return [];
  if (controlPlane === undefined) {
    const isNeeded = Object.keys(checks).some((name) => !skipped.has(name));
    return isNeeded ? [`${reference.kind} ${cluster.metadata.namespace}/${reference.name} does not exist`] : [];
  }
  const version = wire.for(controlPlane.contract).version.get(controlPlane.object);
  if (version === undefined) return [];
  return Object.entries(checks).flatMap(([name, check]) => {
    if (skipped.has(name)) return [];
    const failure = check({ ...facts, controlPlane: { ...controlPlane, version } });
    return failure === undefined ? [] : [`${failure} ("${name}" preflight check failed)`];
  });
};
