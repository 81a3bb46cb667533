import { KubeadmControlPlane } from "@capstan/controlplane-kubeadm/api";
import { KThreesControlPlane, RKE2ControlPlane } from "@capstan/controlplane-rke2-k3s/api";
import { LinodeCluster, LinodeMachineTemplate } from "@capstan/infra-linode/api";
import { apiVersionOf, type KubeObject, type Resource } from "@capstan/schema";

const { group, kind } = LinodeMachineTemplate;
const infrastructureRef = { apiGroup: group, kind, name: "plain" };

/** A Cluster each whose control plane cannot make its Machine; workers wait for another version of the first. */
export const controlPlanes: readonly { readonly cluster: string; readonly kind: Resource; readonly spec: object }[] = [
  {
    cluster: "lily",
    kind: KubeadmControlPlane,
    spec: {
      version: "v1.34.0",
      machineTemplate: { spec: { infrastructureRef } },
      kubeadmConfigSpec: { verbosity: 1 },
    },
  },
  {
    cluster: "rose",
    kind: RKE2ControlPlane,
    spec: { version: "v1.34.0+rke2r1", machineTemplate: { spec: { infrastructureRef } } },
  },
  {
    cluster: "sage",
    kind: KThreesControlPlane,
    spec: {
      version: "v1.34.0+k3s1",
      machineTemplate: { infrastructureRef: { apiVersion: apiVersionOf(LinodeMachineTemplate), kind, name: "plain" } },
      kthreesConfigSpec: {},
    },
  },
];

/** The control plane of a Cluster is called so: the webhook of its servers does not answer. */
export const serversOf = (cluster: string): string => `silent-server-${cluster}`;

const objectOf = (of: Resource, name: string, spec: object): KubeObject => ({
  apiVersion: apiVersionOf(of),
  kind: of.kind,
  metadata: { name },
  spec,
});

const core = { group: "cluster.x-k8s.io", version: "v1beta2", kind: "Cluster", plural: "clusters", namespaced: true };

export const clusterManifests: readonly string[] = controlPlanes
  .flatMap(({ cluster, kind: servers, spec }) => [
    objectOf(core, cluster, {
      infrastructureRef: { apiGroup: LinodeCluster.group, kind: LinodeCluster.kind, name: cluster },
      controlPlaneRef: { apiGroup: servers.group, kind: servers.kind, name: serversOf(cluster) },
    }),
    objectOf(LinodeCluster, cluster, { region: "us-ord", credentialsRef: { name: "orchid-credentials" } }),
    objectOf(servers, serversOf(cluster), { replicas: 1, ...spec }),
  ])
  .map((object) => JSON.stringify(object));
