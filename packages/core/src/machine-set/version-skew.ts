import { Group } from "@capstan/contract";
import type { KubeObject } from "@capstan/schema";
import type { Machine } from "@capstan/kit/machines";

/** Minor versions that a kubelet may be older than its API server. */
const supportedSkew = 3;

/** The version of an API server. */
export interface ServerVersion {
  readonly version: string;
  /** The control-plane Machine that has it; absent when a control plane object states it. */
  readonly machine?: string;
}

/** The range of versions in a control plane: they differ during an upgrade of single Machines. */
export interface ControlPlaneVersions {
  readonly oldest: ServerVersion;
  readonly newest: ServerVersion;
}

/** The fields of a MachineSet or MachineDeployment that these rules read. */
export interface Workers {
  readonly spec: {
    readonly template: {
      readonly spec: { readonly version?: string; readonly bootstrap: Machine["spec"]["bootstrap"] };
    };
  };
}

interface Parsed {
  readonly text: string;
  readonly major: number;
  readonly minor: number;
}

const parse = (version: string): Parsed => {
  const [, text = version, major, minor] = /^v?((\d+)\.(\d+).*)$/.exec(version) ?? [];
  return { text, major: Number(major), minor: Number(minor) };
};

const isReadable = ({ minor }: Parsed): boolean => !Number.isNaN(minor);

const saidOf = ({ version, machine }: ServerVersion): string =>
  `ControlPlane version (${parse(version).text}${machine === undefined ? "" : `, of Machine ${machine}`})`;

/**
 * Returns the range of versions of control-plane Machines, those that are being deleted included: they serve until they are gone.
 * `undefined` when none has a version that can be read.
 */
export const controlPlaneVersions = (
  machines: readonly (Pick<KubeObject, "metadata"> & { readonly spec: { readonly version?: string } })[],
): ControlPlaneVersions | undefined => {
  const known = machines
    .flatMap(({ metadata, spec: { version } }) =>
      version === undefined ? [] : [{ version, machine: metadata.name ?? "", parsed: parse(version) }],
    )
    .filter(({ parsed }) => isReadable(parsed))
    .toSorted(({ parsed: left }, { parsed: right }) => left.major - right.major || left.minor - right.minor);
  const [oldest, newest] = [known.at(0), known.at(-1)];
  return oldest === undefined || newest === undefined ? undefined : { oldest, newest };
};

/** Returns why kubelets of the set's version may not work with these API servers; `undefined` when they may. */
export const kubernetesSkew = (workers: Workers, { oldest, newest }: ControlPlaneVersions): string | undefined => {
  const mine = parse(workers.spec.template.spec.version ?? oldest.version);
  const [lowest, highest] = [parse(oldest.version), parse(newest.version)];
  if (!isReadable(lowest)) return `${saidOf(oldest)} cannot be read`;
  if (!isReadable(mine)) {
    return `MachineSet version (${mine.text}) cannot be read: spec.template.spec.version must be such as v1.33.4`;
  }
  const [server, because] =
    mine.minor > lowest.minor
      ? [oldest, "is higher than ControlPlane version"]
      : mine.minor < highest.minor - supportedSkew
        ? [newest, `is more than ${supportedSkew} minor versions older than the ControlPlane version`]
        : [oldest, undefined];
  return because === undefined
    ? undefined
    : `MachineSet version (${mine.text}) and ${saidOf(server)} do not conform to the kubernetes version skew policy as MachineSet version ${because}`;
};

/** Returns why kubeadm of the set's version does not join this control plane; `undefined` when it does, or another program joins. */
export const kubeadmSkew = (workers: Workers, { oldest }: ControlPlaneVersions): string | undefined => {
  const { bootstrap, version = oldest.version } = workers.spec.template.spec;
  const [mine, theirs] = [parse(version), parse(oldest.version)];
  const isKubeadm =
    bootstrap.configRef?.kind === "KubeadmConfigTemplate" && bootstrap.configRef.apiGroup === Group.bootstrap;
  return isKubeadm && (mine.major !== theirs.major || mine.minor !== theirs.minor)
    ? `MachineSet version (${mine.text}) and ${saidOf(oldest)} do not conform to kubeadm version skew policy as kubeadm only supports joining with the same major+minor version as the control plane`
    : undefined;
};
