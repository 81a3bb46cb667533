import { Group } from "@capstan/contract";
import type { KubeObject } from "@capstan/schema";

/** The namespace of every object. */
const namespace = "default";

const object = (group: string, version: string, kind: string, name: string, spec: object): KubeObject => ({
  apiVersion: `${group}/${version}`,
  kind,
  metadata: { name, namespace },
  spec,
});

const nodeRegistration = {
  name: "{{ ds.meta_data.local_hostname }}",
  kubeletExtraArgs: [{ name: "provider-id", value: "host://{{ ds.meta_data.instance_id }}" }],
};

const controlPlaneRef = { apiGroup: Group.controlPlane, kind: "KubeadmControlPlane" };
const configRef = { apiGroup: Group.bootstrap, kind: "KubeadmConfigTemplate" };
const templateRef = { apiGroup: Group.infrastructure, kind: "HostMachineTemplate" };

/** The template of machines of a version; templates are not changed, an upgrade names another one. */
const templateName = (name: string, version: string): string => `${name}-${version.replaceAll(".", "-")}`;

export const machineTemplate = (name: string, version: string): KubeObject =>
  object(Group.infrastructure, "v1beta1", "HostMachineTemplate", templateName(name, version), {
    template: { spec: { image: version } },
  });

/** What an upgrade of a KubeadmControlPlane merges into its spec. */
export const controlPlaneOf = (name: string, version: string) => ({
  version,
  machineTemplate: { spec: { infrastructureRef: { ...templateRef, name: templateName(name, version) } } },
});

/** What an upgrade of a MachineDeployment merges into its spec. */
export const workersOf = (name: string, version: string) => ({
  template: { spec: { version, infrastructureRef: { ...templateRef, name: templateName(name, version) } } },
});

/** One control plane and some workers, as a user writes them. */
export const clusterManifests = (name: string, version: string, workers: number): readonly KubeObject[] => {
  const { template } = workersOf(name, version);
  return [
    object(Group.core, "v1beta2", "Cluster", name, {
      clusterNetwork: { pods: { cidrBlocks: ["10.244.0.0/16"] }, services: { cidrBlocks: ["10.96.0.0/16"] } },
      infrastructureRef: { apiGroup: Group.infrastructure, kind: "HostCluster", name },
      controlPlaneRef: { ...controlPlaneRef, name },
    }),
    object(Group.infrastructure, "v1beta1", "HostCluster", name, {}),
    machineTemplate(name, version),
    object(Group.bootstrap, "v1beta2", "KubeadmConfigTemplate", name, {
      template: { spec: { joinConfiguration: { nodeRegistration } } },
    }),
    object(Group.controlPlane, "v1beta2", "KubeadmControlPlane", name, {
      replicas: 1,
      ...controlPlaneOf(name, version),
      kubeadmConfigSpec: { initConfiguration: { nodeRegistration }, joinConfiguration: { nodeRegistration } },
    }),
    object(Group.core, "v1beta2", "MachineDeployment", name, {
      clusterName: name,
      replicas: workers,
      template: { spec: { clusterName: name, ...template.spec, bootstrap: { configRef: { ...configRef, name } } } },
    }),
  ];
};

/** Replaces workers whose Node is not ready for so long. */
export const healthCheck = (name: string, timeoutSeconds: number): KubeObject =>
  object(Group.core, "v1beta2", "MachineHealthCheck", name, {
    clusterName: name,
    selector: { matchLabels: { [`${Group.core}/deployment-name`]: name } },
    checks: {
      unhealthyNodeConditions: ["Unknown", "False"].map((status) => ({ type: "Ready", status, timeoutSeconds })),
    },
  });

/** Pods on the workers, of which one has to stay available, with an image that every machine has. */
export const guardedPods = (image: string, replicas: number): readonly KubeObject[] => {
  const labels = { app: "guarded" };
  const metadata = { name: "guarded", namespace };
  return [
    {
      apiVersion: "policy/v1",
      kind: "PodDisruptionBudget",
      metadata,
      spec: { minAvailable: 1, selector: { matchLabels: labels } },
    },
    {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata,
      spec: {
        replicas,
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: { terminationGracePeriodSeconds: 1, containers: [{ name: "pause", image }] },
        },
      },
    },
  ];
};
