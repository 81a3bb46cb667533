import { Group, Label } from "@capstan/contract";
import { type KubeObject, type Resource, resource } from "@capstan/schema";

const clusterApi = (group: string, kind: string, plural: string): Resource =>
  resource({ group, version: "v1beta2", kind, plural });

export const Cluster = clusterApi(Group.core, "Cluster", "clusters");
export const Machine = clusterApi(Group.core, "Machine", "machines");
export const MachineDeployment = clusterApi(Group.core, "MachineDeployment", "machinedeployments");
export const KubeadmConfig = clusterApi(Group.bootstrap, "KubeadmConfig", "kubeadmconfigs");
export const KubeadmControlPlane = clusterApi(Group.controlPlane, "KubeadmControlPlane", "kubeadmcontrolplanes");
export const SecretResource = resource({ group: "", version: "v1", kind: "Secret", plural: "secrets" });
export const Lease = resource({ group: "coordination.k8s.io", version: "v1", kind: "Lease", plural: "leases" });

export const namespace = "default";

/** What is asked of a cluster. */
export interface ClusterOptions {
  /** Default 1. */
  readonly controlPlanes?: number;
  /** Default 1. */
  readonly workers?: number;
  /** The user has an etcd. Default: its members are on the control planes. */
  readonly hasExternalEtcd?: boolean;
  /** Of Kubernetes, with the `v`. Default v1.34.0. */
  readonly version?: string;
  /** Name of the Secret with the credentials of its infrastructure. Default: it needs none. */
  readonly credentials?: string;
}

const metadata = (name: string) => ({ name, namespace });
const object = (group: string, apiVersion: string, kind: string, name: string, spec: object): KubeObject => ({
  apiVersion: `${group}/${apiVersion}`,
  kind,
  metadata: metadata(name),
  spec,
});
const memory = (kind: string, name: string, spec: object): KubeObject =>
  object(Group.infrastructure, "v1beta1", kind, name, spec);

/** The cloud's controller manager tells Nodes who they are. */
const nodeRegistration = { kubeletExtraArgs: [{ name: "cloud-provider", value: "external" }] };

const infrastructureRef = (kind: string, name: string) => ({ apiGroup: Group.infrastructure, kind, name });

const externalEtcd = {
  endpoints: ["https://127.0.0.1:2379"],
  caFile: "/etc/kubernetes/pki/etcd/ca.crt",
  certFile: "/etc/kubernetes/pki/apiserver-etcd-client.crt",
  keyFile: "/etc/kubernetes/pki/apiserver-etcd-client.key",
};

const networks = { pods: { cidrBlocks: ["10.244.0.0/16"] }, services: { cidrBlocks: ["10.96.0.0/16"] } };

const workers = (name: string, { workers: replicas = 1, version = "v1.34.0" }: ClusterOptions) => [
  object(Group.bootstrap, "v1beta2", "KubeadmConfigTemplate", name, {
    template: { spec: { joinConfiguration: { nodeRegistration } } },
  }),
  object(Group.core, "v1beta2", "MachineDeployment", name, {
    clusterName: name,
    replicas,
    template: {
      spec: {
        clusterName: name,
        version,
        bootstrap: { configRef: { apiGroup: Group.bootstrap, kind: "KubeadmConfigTemplate", name } },
        infrastructureRef: infrastructureRef("MemoryMachineTemplate", name),
      },
    },
  }),
];

/** A cluster whose control plane is a KubeadmControlPlane, with one MachineDeployment, as a user writes it. */
export const clusterManifests = (name: string, options: ClusterOptions = {}): readonly KubeObject[] => [
  memory("MemoryCluster", name, {}),
  memory("MemoryMachineTemplate", name, { template: { spec: { size: "small" } } }),
  object(Group.core, "v1beta2", "Cluster", name, {
    clusterNetwork: networks,
    infrastructureRef: infrastructureRef("MemoryCluster", name),
    controlPlaneRef: { apiGroup: Group.controlPlane, kind: "KubeadmControlPlane", name },
  }),
  object(Group.controlPlane, "v1beta2", "KubeadmControlPlane", name, {
    replicas: options.controlPlanes ?? 1,
    version: options.version ?? "v1.34.0",
    machineTemplate: { spec: { infrastructureRef: infrastructureRef("MemoryMachineTemplate", name) } },
    kubeadmConfigSpec: {
      ...(options.hasExternalEtcd === true && { clusterConfiguration: { etcd: { external: externalEtcd } } }),
      initConfiguration: { nodeRegistration },
      joinConfiguration: { nodeRegistration },
    },
  }),
  ...workers(name, options),
];

/** A cluster whose control plane is one Machine of its own, with one MachineDeployment. */
export const standaloneManifests = (name: string, options: ClusterOptions = {}): readonly KubeObject[] => {
  const controlPlane = `${name}-control-plane`;
  const machine = object(Group.core, "v1beta2", "Machine", controlPlane, {
    clusterName: name,
    version: options.version ?? "v1.34.0",
    bootstrap: { configRef: { apiGroup: Group.bootstrap, kind: "KubeadmConfig", name: controlPlane } },
    infrastructureRef: infrastructureRef("MemoryMachine", controlPlane),
  });
  const { credentials } = options;
  return [
    memory("MemoryCluster", name, { ...(credentials !== undefined && { credentialsRef: { name: credentials } }) }),
    memory("MemoryMachineTemplate", name, { template: { spec: { size: "small" } } }),
    object(Group.core, "v1beta2", "Cluster", name, {
      clusterNetwork: networks,
      infrastructureRef: infrastructureRef("MemoryCluster", name),
    }),
    memory("MemoryMachine", controlPlane, { size: "small" }),
    object(Group.bootstrap, "v1beta2", "KubeadmConfig", controlPlane, {
      initConfiguration: { nodeRegistration },
    }),
    { ...machine, metadata: { ...machine.metadata, labels: { [Label.controlPlane]: "" } } },
    ...workers(name, options),
  ];
};

/** A Secret with credentials, which `clusterctl move` takes along. */
export const credentialsSecret = (name: string): KubeObject => ({
  apiVersion: "v1",
  kind: "Secret",
  metadata: { ...metadata(name), labels: { [Label.move]: "" } },
  stringData: { token: "token" },
});

const etcdPurposes = ["etcd", "apiserver-etcd-client"];

export const etcdSecretNames = (name: string): readonly string[] => etcdPurposes.map((purpose) => `${name}-${purpose}`);

/** The certificates of the external etcd, which the user brings. */
export const etcdSecrets = (name: string, certificate: string, key: string): readonly KubeObject[] =>
  etcdPurposes.map((purpose) => ({
    apiVersion: "v1",
    kind: "Secret",
    metadata: { ...metadata(`${name}-${purpose}`), labels: { [`${Group.core}/cluster-name`]: name } },
    type: `${Group.core}/secret`,
    // The key of the authority stays with the etcd.
    stringData: { "tls.crt": certificate, ...(purpose === "etcd" ? {} : { "tls.key": key }) },
  }));
