import type { KubeadmApi } from "./kubeadm-version.ts";

/** Plain JSON in the shape of KubeadmConfig v1beta2, or of kubeadm's own configuration. */
export type Json = Readonly<Record<string, unknown>>;

/** What the documents need beside the KubeadmConfig. */
export interface ClusterFacts {
  readonly clusterName: string;
  readonly kubernetesVersion: string;
  readonly controlPlaneEndpoint?: string;
  readonly dnsDomain?: string;
  readonly serviceSubnet?: string;
  readonly podSubnet?: string;
}

const goDuration = (totalSeconds: number): string => {
  const hours = Math.floor(totalSeconds / 3600);
  const minutes = Math.floor((totalSeconds % 3600) / 60);
  const seconds = totalSeconds % 60;
  if (hours > 0) return `${hours}h${minutes}m${seconds}s`;
  return minutes > 0 ? `${minutes}m${seconds}s` : `${seconds}s`;
};

const object = (value: unknown): Json => (typeof value === "object" && value !== null ? (value as Json) : {});

const list = (value: unknown): readonly Json[] => (Array.isArray(value) ? (value as readonly Json[]) : []);

/** Leaves out what is undefined. */
const present = (fields: Json): Json =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

const pick = (source: Json, names: readonly string[]): Json =>
  present(Object.fromEntries(names.map((name) => [name, source[name]])));

const args = (value: unknown, api: KubeadmApi): unknown => {
  const entries = list(value);
  if (entries.length === 0) return undefined;
  return api === "v1beta4" ? entries : Object.fromEntries(entries.map((entry) => [entry["name"], entry["value"]]));
};

const component = (value: unknown, api: KubeadmApi, extra: readonly string[] = []): Json => {
  const source = object(value);
  return present({
    ...pick(source, ["extraVolumes", ...extra]),
    ...(api === "v1beta4" ? pick(source, ["extraEnvs"]) : {}),
    extraArgs: args(source["extraArgs"], api),
  });
};

const etcd = (value: unknown, api: KubeadmApi): Json => {
  const { local, external } = object(value);
  if (external !== undefined) {
    return { external: pick(object(external), ["endpoints", "caFile", "certFile", "keyFile"]) };
  }
  if (local === undefined) return {};
  const names = ["imageRepository", "imageTag", "serverCertSANs", "peerCertSANs"];
  return { local: { ...component(local, api, names), dataDir: object(local)["dataDir"] ?? "" } };
};

const hours = (days: unknown): string | undefined =>
  typeof days === "number" ? goDuration(days * 24 * 3600) : undefined;

/** kubeadm's ClusterConfiguration. `controlPlaneTimeoutSeconds` comes from the InitConfiguration and only v1beta3 has room for it. */
export const clusterConfiguration = (
  configuration: Json,
  facts: ClusterFacts,
  options: { readonly api: KubeadmApi; readonly controlPlaneTimeoutSeconds?: number },
): Json => {
  const { api } = options;
  const timeout = api === "v1beta3" ? options.controlPlaneTimeoutSeconds : undefined;
  return present({
    apiVersion: `kubeadm.k8s.io/${api}`,
    kind: "ClusterConfiguration",
    ...pick(configuration, ["certificatesDir", "imageRepository", "featureGates"]),
    controlPlaneEndpoint: configuration["controlPlaneEndpoint"] ?? facts.controlPlaneEndpoint,
    clusterName: facts.clusterName,
    kubernetesVersion: facts.kubernetesVersion,
    networking: present({ dnsDomain: facts.dnsDomain, serviceSubnet: facts.serviceSubnet, podSubnet: facts.podSubnet }),
    apiServer: present({
      ...component(configuration["apiServer"], api, ["certSANs"]),
      timeoutForControlPlane: timeout === undefined ? undefined : goDuration(timeout),
    }),
    controllerManager: component(configuration["controllerManager"], api),
    scheduler: component(configuration["scheduler"], api),
    dns: pick(object(configuration["dns"]), ["imageRepository", "imageTag"]),
    etcd: etcd(configuration["etcd"], api),
    ...(api === "v1beta4"
      ? present({
          proxy: {},
          certificateValidityPeriod: hours(configuration["certificateValidityPeriodDays"]),
          caCertificateValidityPeriod: hours(configuration["caCertificateValidityPeriodDays"]),
          encryptionAlgorithm: configuration["encryptionAlgorithm"],
        })
      : {}),
  });
};

const nodeRegistration = (value: unknown, api: KubeadmApi): Json => {
  const source = object(value);
  return present({
    ...pick(source, ["name", "criSocket", "ignorePreflightErrors", "imagePullPolicy"]),
    ...(api === "v1beta4" ? pick(source, ["imagePullSerial"]) : {}),
    kubeletExtraArgs: args(source["kubeletExtraArgs"], api),
    // Absent means kubeadm's default taint, an empty list means no taint: kubeadm tells them apart by null.
    taints: source["taints"] ?? null,
  });
};

const timeoutNames = {
  controlPlaneComponentHealthCheckSeconds: "controlPlaneComponentHealthCheck",
  kubeletHealthCheckSeconds: "kubeletHealthCheck",
  kubernetesAPICallSeconds: "kubernetesAPICall",
  etcdAPICallSeconds: "etcdAPICall",
  tlsBootstrapSeconds: "tlsBootstrap",
  discoverySeconds: "discovery",
} as const;

const timeouts = (value: unknown, api: KubeadmApi): Json | undefined => {
  if (value === undefined || api === "v1beta3") return undefined;
  const source = object(value);
  return present(
    Object.fromEntries(
      Object.entries(timeoutNames).map(([from, to]) => [
        to,
        typeof source[from] === "number" ? goDuration(source[from]) : undefined,
      ]),
    ),
  );
};

const bootstrapToken = (value: Json): Json => {
  const { ttlSeconds, ...rest } = value;
  return present({ ...rest, ttl: typeof ttlSeconds === "number" ? goDuration(ttlSeconds) : undefined });
};

/** kubeadm's InitConfiguration. */
export const initConfiguration = (configuration: Json, api: KubeadmApi): Json => {
  const tokens = list(configuration["bootstrapTokens"]);
  return present({
    apiVersion: `kubeadm.k8s.io/${api}`,
    kind: "InitConfiguration",
    ...pick(configuration, ["skipPhases", "patches"]),
    bootstrapTokens: tokens.length === 0 ? undefined : tokens.map(bootstrapToken),
    localAPIEndpoint: object(configuration["localAPIEndpoint"]),
    nodeRegistration: nodeRegistration(configuration["nodeRegistration"], api),
    timeouts: timeouts(configuration["timeouts"], api),
  });
};

const discovery = (configuration: Json, api: KubeadmApi): Json => {
  const source = object(configuration["discovery"]);
  const token = source["bootstrapToken"];
  const file = source["file"];
  const tlsBootstrap = object(configuration["timeouts"])["tlsBootstrapSeconds"];
  return present({
    ...pick(source, ["tlsBootstrapToken"]),
    bootstrapToken: token === undefined ? undefined : { token: "", ...object(token) },
    // The kubeconfig inside `file` is ours: it travels as a file of its own.
    file: file === undefined ? undefined : pick(object(file), ["kubeConfigPath"]),
    timeout: api === "v1beta3" && typeof tlsBootstrap === "number" ? goDuration(tlsBootstrap) : undefined,
  });
};

/** kubeadm's JoinConfiguration. */
export const joinConfiguration = (configuration: Json, api: KubeadmApi): Json => {
  const controlPlane = configuration["controlPlane"];
  return present({
    apiVersion: `kubeadm.k8s.io/${api}`,
    kind: "JoinConfiguration",
    ...pick(configuration, ["caCertPath", "skipPhases", "patches"]),
    controlPlane: controlPlane === undefined ? undefined : { localAPIEndpoint: {}, ...object(controlPlane) },
    discovery: discovery(configuration, api),
    nodeRegistration: nodeRegistration(configuration["nodeRegistration"], api),
    timeouts: timeouts(configuration["timeouts"], api),
  });
};
