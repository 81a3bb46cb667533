import { formatSeconds } from "@capstan/kube-values";
import type { JsonObject } from "@capstan/schema";
import type { ClusterConfiguration, InitConfiguration, JoinConfiguration } from "../api/kubeadm-config.v1beta2.ts";
import type { KubeadmApi } from "./kubeadm-version.ts";

/** Facts that the documents need in addition to the KubeadmConfig. */
export interface ClusterFacts {
  readonly clusterName: string;
  readonly kubernetesVersion: string;
  readonly controlPlaneEndpoint?: string | undefined;
  readonly dnsDomain?: string | undefined;
  readonly serviceSubnet?: string | undefined;
  readonly podSubnet?: string | undefined;
}

type Component = NonNullable<ClusterConfiguration["scheduler"]>;
type Args = NonNullable<Component["extraArgs"]>;
type NodeRegistration = NonNullable<JoinConfiguration["nodeRegistration"]>;
type Timeouts = NonNullable<JoinConfiguration["timeouts"]>;

const optionalDuration = (seconds: number | undefined): string | undefined =>
  seconds === undefined ? undefined : formatSeconds(seconds);

const days = (count: number | undefined): string | undefined =>
  optionalDuration(count === undefined ? undefined : count * 24 * 3600);

const args = (entries: Args = [], api: KubeadmApi): unknown => {
  if (entries.length === 0) return undefined;
  return api === "v1beta4" ? entries : Object.fromEntries(entries.map(({ name, value }) => [name, value]));
};

const component = ({ extraArgs, extraEnvs, ...rest }: Component = {}, api: KubeadmApi): JsonObject => ({
  ...rest,
  ...(api === "v1beta4" && { extraEnvs }),
  extraArgs: args(extraArgs, api),
});

const etcd = ({ external, local }: NonNullable<ClusterConfiguration["etcd"]> = {}, api: KubeadmApi): JsonObject => {
  if (external !== undefined) return { external };
  return local === undefined ? {} : { local: { dataDir: "", ...component(local, api) } };
};

/** kubeadm's ClusterConfiguration. `controlPlaneTimeoutSeconds` comes from the InitConfiguration and only v1beta3 has room for it. */
export const clusterConfiguration = (
  configuration: ClusterConfiguration,
  facts: ClusterFacts,
  {
    api,
    controlPlaneTimeoutSeconds,
  }: { readonly api: KubeadmApi; readonly controlPlaneTimeoutSeconds?: number | undefined },
): JsonObject => {
  const { certificateValidityPeriodDays, caCertificateValidityPeriodDays, encryptionAlgorithm, ...rest } =
    configuration;
  const { clusterName, controlPlaneEndpoint, kubernetesVersion, ...networking } = facts;
  return {
    controlPlaneEndpoint,
    ...rest,
    apiVersion: `kubeadm.k8s.io/${api}`,
    kind: "ClusterConfiguration",
    clusterName,
    kubernetesVersion,
    networking,
    apiServer: {
      ...component(rest.apiServer, api),
      ...(api === "v1beta3" && { timeoutForControlPlane: optionalDuration(controlPlaneTimeoutSeconds) }),
    },
    controllerManager: component(rest.controllerManager, api),
    scheduler: component(rest.scheduler, api),
    dns: rest.dns ?? {},
    etcd: etcd(rest.etcd, api),
    ...(api === "v1beta4" && {
      proxy: {},
      certificateValidityPeriod: days(certificateValidityPeriodDays),
      caCertificateValidityPeriod: days(caCertificateValidityPeriodDays),
      encryptionAlgorithm,
    }),
  };
};

const nodeRegistration = (registration: NodeRegistration = {}, api: KubeadmApi): JsonObject => {
  const { imagePullSerial, kubeletExtraArgs, taints, ...rest } = registration;
  return {
    ...rest,
    ...(api === "v1beta4" && { imagePullSerial }),
    kubeletExtraArgs: args(kubeletExtraArgs, api),
    // Absent means kubeadm's default taint, an empty list means no taint: kubeadm tells them apart by null.
    taints: taints ?? null,
  };
};

/** kubeadm's names are those of the KubeadmConfig without the unit; v1beta3 has none of them. */
const timeouts = (source: Timeouts | undefined, api: KubeadmApi): JsonObject =>
  source === undefined || api === "v1beta3"
    ? {}
    : {
        timeouts: Object.fromEntries(
          Object.entries(source).map(([name, seconds]) => [name.replace(/Seconds$/, ""), formatSeconds(seconds)]),
        ),
      };

/** kubeadm's InitConfiguration. */
export const initConfiguration = (configuration: InitConfiguration, api: KubeadmApi): JsonObject => ({
  apiVersion: `kubeadm.k8s.io/${api}`,
  kind: "InitConfiguration",
  skipPhases: configuration.skipPhases,
  patches: configuration.patches,
  bootstrapTokens: configuration.bootstrapTokens?.map(({ ttlSeconds, ...token }) => ({
    ...token,
    ttl: optionalDuration(ttlSeconds),
  })),
  localAPIEndpoint: configuration.localAPIEndpoint ?? {},
  nodeRegistration: nodeRegistration(configuration.nodeRegistration, api),
  ...timeouts(configuration.timeouts, api),
});

const discovery = (configuration: JoinConfiguration, api: KubeadmApi): JsonObject => {
  const { bootstrapToken, file, tlsBootstrapToken } = configuration.discovery ?? {};
  return {
    tlsBootstrapToken,
    bootstrapToken: bootstrapToken === undefined ? undefined : { token: "", ...bootstrapToken },
    // The kubeconfig inside `file` is ours: it travels as a file of its own.
    file: file === undefined ? undefined : { kubeConfigPath: file.kubeConfigPath },
    ...(api === "v1beta3" && { timeout: optionalDuration(configuration.timeouts?.tlsBootstrapSeconds) }),
  };
};

/** kubeadm's JoinConfiguration. */
export const joinConfiguration = (configuration: JoinConfiguration, api: KubeadmApi): JsonObject => ({
  apiVersion: `kubeadm.k8s.io/${api}`,
  kind: "JoinConfiguration",
  caCertPath: configuration.caCertPath,
  skipPhases: configuration.skipPhases,
  patches: configuration.patches,
  controlPlane: configuration.controlPlane && { localAPIEndpoint: {}, ...configuration.controlPlane },
  discovery: discovery(configuration, api),
  nodeRegistration: nodeRegistration(configuration.nodeRegistration, api),
  ...timeouts(configuration.timeouts, api),
});
