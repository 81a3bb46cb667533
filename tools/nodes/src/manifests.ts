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

/** Returns the merge patch that an upgrade makes to the spec of a KubeadmControlPlane. */
export const controlPlaneOf = (name: string, version: string) => ({
  version,
  machineTemplate: { spec: { infrastructureRef: { ...templateRef, name: templateName(name, version) } } },
});

/** Returns the merge patch that an upgrade makes to the spec of a MachineDeployment. */
export const workersOf = (name: string, version: string) => ({
  template: { spec: { version, infrastructureRef: { ...templateRef, name: templateName(name, version) } } },
});

/** A cluster as a user writes it. Default: one control plane and no workers. */
export const clusterManifests = (
  name: string,
  version: string,
  { controlPlanes = 1, workers = 0 }: { readonly controlPlanes?: number; readonly workers?: number },
): readonly KubeObject[] => {
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
      replicas: controlPlanes,
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

/** Labels of the Machines of a cluster's workers, and of its control plane. */
export const workerLabels = (name: string) => ({ [`${Group.core}/deployment-name`]: name });
export const controlPlaneLabels = (name: string) => ({
  [`${Group.core}/cluster-name`]: name,
  [`${Group.core}/control-plane`]: "",
});

/** Replaces Machines whose Node is not ready for so long. */
export const healthCheck = (
  name: string,
  timeoutSeconds: number,
  matchLabels: Readonly<Record<string, string>>,
): KubeObject =>
  object(Group.core, "v1beta2", "MachineHealthCheck", name, {
    clusterName: name,
    selector: { matchLabels },
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
