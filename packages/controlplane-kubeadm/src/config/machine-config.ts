import type { KubeadmConfigSpec } from "@capstan/bootstrap-kubeadm/spec";
import type { MemberRole } from "@capstan/kit/control-plane";
import type { KubeadmControlPlane } from "../api.ts";

/** The feature gate that lets kubelets talk to the API server of their own machine. */
export const localMode = "ControlPlaneKubeletLocalMode";
/** Minor versions of Kubernetes 1 whose kubelets have to be told to talk to the API server of their own machine. */
const localModeFrom = 31;
const localModeUntil = 36;

const minorOf = (version: string): number => Number(/^v?1\.(\d+)\./.exec(version)?.[1] ?? Number.NaN);

/** Returns whether some release sets the gate for this version of Kubernetes by itself: from when kubeadm knows it on, also after it is of no use. */
export const isLocalModeDefaulted = (version: string): boolean => minorOf(version) >= localModeFrom;

/** A kubelet talks to the API server beside it, which is as new as itself while others are replaced. */
const withLocalMode = (spec: KubeadmConfigSpec, version: string): KubeadmConfigSpec => {
  const minor = minorOf(version);
  const { featureGates } = spec.clusterConfiguration ?? {};
  const isDue = minor >= localModeFrom && minor < localModeUntil && featureGates?.[localMode] === undefined;
  return isDue
    ? {
        ...spec,
        clusterConfiguration: { ...spec.clusterConfiguration, featureGates: { ...featureGates, [localMode]: true } },
      }
    : spec;
};

type JoinConfiguration = NonNullable<KubeadmConfigSpec["joinConfiguration"]>;

/**
 * Without a token that the user gave to all servers: the bootstrap provider makes one for each, so that it can be revoked for a single
 * server that must not join any more.
 */
const withOwnToken = (joining: JoinConfiguration): JoinConfiguration => {
  if (joining.discovery?.bootstrapToken?.token === undefined) return joining;
  const { token: _, ...bootstrapToken } = joining.discovery.bootstrapToken;
  return { ...joining, discovery: { ...joining.discovery, bootstrapToken } };
};

/** The configuration of a Machine that begins the cluster, or joins it. */
export const machineConfig = ({ spec }: Pick<KubeadmControlPlane, "spec">, role: MemberRole): KubeadmConfigSpec => {
  const { initConfiguration, joinConfiguration, ...common } = withLocalMode(spec.kubeadmConfigSpec ?? {}, spec.version);
  const shared = { ...common, format: common.format ?? ("cloud-config" as const) };
  return role === "init"
    ? { ...shared, ...(initConfiguration === undefined ? {} : { initConfiguration }) }
    : { ...shared, joinConfiguration: { controlPlane: {}, ...withOwnToken(joinConfiguration ?? {}) } };
};
