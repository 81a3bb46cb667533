import { Group } from "@capstan/contract";
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
export const version = "v1.34.0";

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

/** A cluster with one control-plane machine and one worker, as a user writes it. `port`: of its API server. */
export const clusterManifests = (name: string, port: number): readonly KubeObject[] => [
  memory("MemoryCluster", name, {}),
  memory("MemoryMachineTemplate", name, { template: { spec: { size: "small" } } }),
  object(Group.core, "v1beta2", "Cluster", name, {
    clusterNetwork: { pods: { cidrBlocks: ["10.244.0.0/16"] }, services: { cidrBlocks: ["10.96.0.0/16"] } },
    infrastructureRef: { apiGroup: Group.infrastructure, kind: "MemoryCluster", name },
    controlPlaneRef: { apiGroup: Group.controlPlane, kind: "KubeadmControlPlane", name },
  }),
  object(Group.controlPlane, "v1beta2", "KubeadmControlPlane", name, {
    replicas: 1,
    version,
    machineTemplate: {
      spec: { infrastructureRef: { apiGroup: Group.infrastructure, kind: "MemoryMachineTemplate", name } },
    },
    kubeadmConfigSpec: {
      clusterConfiguration: {
        etcd: {
          external: {
            endpoints: ["https://127.0.0.1:2379"],
            caFile: "/etc/kubernetes/pki/etcd/ca.crt",
            certFile: "/etc/kubernetes/pki/apiserver-etcd-client.crt",
            keyFile: "/etc/kubernetes/pki/apiserver-etcd-client.key",
          },
        },
      },
      initConfiguration: { localAPIEndpoint: { bindPort: port }, nodeRegistration },
    },
  }),
  object(Group.bootstrap, "v1beta2", "KubeadmConfigTemplate", name, {
    template: { spec: { joinConfiguration: { nodeRegistration } } },
  }),
  object(Group.core, "v1beta2", "MachineDeployment", name, {
    clusterName: name,
    replicas: 1,
    template: {
      spec: {
        clusterName: name,
        version,
        bootstrap: { configRef: { apiGroup: Group.bootstrap, kind: "KubeadmConfigTemplate", name } },
        infrastructureRef: { apiGroup: Group.infrastructure, kind: "MemoryMachineTemplate", name },
      },
    },
  }),
];

/** The certificates of the external etcd, which the user brings. */
export const etcdSecrets = (name: string, certificate: string, key: string): readonly KubeObject[] =>
  ["etcd", "apiserver-etcd-client"].map((purpose) => ({
    apiVersion: "v1",
    kind: "Secret",
    metadata: { ...metadata(`${name}-${purpose}`), labels: { [`${Group.core}/cluster-name`]: name } },
    type: `${Group.core}/secret`,
    // The key of the authority stays with the etcd.
    stringData: { "tls.crt": certificate, ...(purpose === "etcd" ? {} : { "tls.key": key }) },
  }));
