const random = (): string => "abcdefghijklmnopqrstuvwxyz0123456789".repeat(10);

const yaml = (objects: readonly object[]): string =>
  objects.map((object) => `${JSON.stringify(object)}\n`).join("---\n");

const core = "cluster.x-k8s.io/v1beta2";
const infrastructure = "infrastructure.cluster.x-k8s.io";
const bootstrap = "bootstrap.cluster.x-k8s.io";

const reference = (apiGroup: string, kind: string, name: string) => ({ apiGroup, kind, name });

/** One cluster: a control-plane Machine and a MachineDeployment of `replicas` workers with small bootstrap data. */
export const manifest = (replicas: number): string => {
  const version = "v1.34.0";
  const machine = { region: "us-ord", type: "g6-standard-2", image: "linode/ubuntu22.04" };
  const registration = {
    name: "{{ ds.meta_data.label }}",
    kubeletExtraArgs: [{ name: "cloud-provider", value: "external" }],
  };
  return yaml([
    {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: "credentials" },
      stringData: { apiToken: "${LINODE_TOKEN}", LINODE_URL: "${LINODE_URL}" },
    },
    {
      apiVersion: core,
      kind: "Cluster",
      metadata: { name: "bench" },
      spec: {
        clusterNetwork: { pods: { cidrBlocks: ["10.40.0.0/16"] } },
        infrastructureRef: reference(infrastructure, "LinodeCluster", "bench"),
      },
    },
    {
      apiVersion: `${infrastructure}/v1alpha2`,
      kind: "LinodeCluster",
      metadata: { name: "bench" },
      spec: { region: "us-ord", credentialsRef: { name: "credentials" } },
    },
    {
      apiVersion: core,
      kind: "Machine",
      metadata: {
        name: "bench-control-plane",
        labels: { "cluster.x-k8s.io/cluster-name": "bench", "cluster.x-k8s.io/control-plane": "" },
      },
      spec: {
        clusterName: "bench",
        version,
        bootstrap: { configRef: reference(bootstrap, "KubeadmConfig", "bench-control-plane") },
        infrastructureRef: reference(infrastructure, "LinodeMachine", "bench-control-plane"),
      },
    },
    {
      apiVersion: `${bootstrap}/v1beta2`,
      kind: "KubeadmConfig",
      metadata: { name: "bench-control-plane" },
      spec: { initConfiguration: { nodeRegistration: registration } },
    },
    {
      apiVersion: `${infrastructure}/v1alpha2`,
      kind: "LinodeMachine",
      metadata: { name: "bench-control-plane" },
      spec: machine,
    },
    {
      apiVersion: `${bootstrap}/v1beta2`,
      kind: "KubeadmConfigTemplate",
      metadata: { name: "bench" },
      spec: {
        template: {
          spec: {
            joinConfiguration: { nodeRegistration: registration },
            files: [{ path: "/etc/bench", content: random() }],
          },
        },
      },
    },
    {
      apiVersion: `${infrastructure}/v1alpha2`,
      kind: "LinodeMachineTemplate",
      metadata: { name: "bench" },
      spec: { template: { spec: machine } },
    },
    {
      apiVersion: core,
      kind: "MachineDeployment",
      metadata: { name: "bench" },
      spec: {
        clusterName: "bench",
        replicas,
        selector: { matchLabels: {} },
        template: {
          spec: {
            clusterName: "bench",
            version,
            bootstrap: { configRef: reference(bootstrap, "KubeadmConfigTemplate", "bench") },
            infrastructureRef: reference(infrastructure, "LinodeMachineTemplate", "bench"),
          },
        },
      },
    },
  ]);
};
