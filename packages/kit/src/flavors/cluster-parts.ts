import { Group, Label } from "@capstan/contract";
import { indented, manifest, templateSpec } from "./yaml-parts.ts";

const core = `${Group.core}/v1beta2`;
const bootstrap = `${Group.bootstrap}/v1beta2`;

const reference = (name: string, group: string, kind: string, object: string): string => `${name}:
  apiGroup: ${group}
  kind: ${kind}
  name: ${object}
`;

/** Who prepares and who makes a Machine. */
const machineRefs = (
  kinds: { readonly bootstrap: string; readonly infrastructure: string },
  name: string,
): string => `bootstrap:
${indented(reference("configRef", Group.bootstrap, kinds.bootstrap, name), 2)}${reference("infrastructureRef", Group.infrastructure, kinds.infrastructure, name)}`;

const clusterName = "${CLUSTER_NAME}";
const version = "${KUBERNETES_VERSION}";
const ofCluster = `clusterName: ${clusterName}\nversion: ${version}\n`;

/** The Cluster of a flavor. Ranges are YAML, variables with their defaults for example. */
export const clusterManifest = ({
  controlPlane,
  infrastructure,
  pods,
  services,
}: {
  /** Kind of its infrastructure. */
  readonly infrastructure: string;
  /** Kind of its control plane, named `${CLUSTER_NAME}-control-plane`; none: Machines that stand alone. */
  readonly controlPlane?: string;
  readonly pods: string;
  readonly services: string;
}): string =>
  manifest(
    { apiVersion: core, kind: "Cluster", name: clusterName },
    `clusterNetwork:
  pods:
    cidrBlocks: ["${pods}"]
  services:
    cidrBlocks: ["${services}"]
${controlPlane === undefined ? "" : reference("controlPlaneRef", Group.controlPlane, controlPlane, `${clusterName}-control-plane`)}${reference("infrastructureRef", Group.infrastructure, infrastructure, clusterName)}`,
  );

/** A Machine of the control plane that stands alone. Its bootstrap config and its infrastructure have its name. */
export const controlPlaneMachineManifest = (
  name: string,
  kinds: { readonly bootstrap: string; readonly infrastructure: string },
): string =>
  manifest(
    {
      apiVersion: core,
      kind: "Machine",
      name,
      labels: { [Label.clusterName]: clusterName, [Label.controlPlane]: '""' },
    },
    ofCluster + machineRefs(kinds, name),
  );

/** The MachineDeployment `${CLUSTER_NAME}-workers`, whose templates have its name. */
export const workersManifest = (kinds: { readonly bootstrap: string; readonly infrastructure: string }): string => {
  const name = `${clusterName}-workers`;
  return manifest(
    { apiVersion: core, kind: "MachineDeployment", name },
    `clusterName: ${clusterName}
replicas: \${WORKER_MACHINE_COUNT:=1}
selector:
  matchLabels: {}
${templateSpec(ofCluster + machineRefs(kinds, name))}`,
  );
};

/** The MachinePool `${CLUSTER_NAME}-pool`, whose bootstrap config and infrastructure have its name. */
export const machinePoolManifest = (kinds: { readonly bootstrap: string; readonly infrastructure: string }): string => {
  const name = `${clusterName}-pool`;
  return manifest(
    { apiVersion: core, kind: "MachinePool", name },
    `clusterName: ${clusterName}
replicas: \${WORKER_MACHINE_COUNT:=1}
${templateSpec(ofCluster + machineRefs(kinds, name))}`,
  );
};

/** A KubeadmConfig. */
export const kubeadmConfigManifest = (name: string, spec: string): string =>
  manifest({ apiVersion: bootstrap, kind: "KubeadmConfig", name }, spec);

/** Bootstrap kind of the workers. */
export const kubeadmConfigTemplateManifest = (name: string, spec: string): string =>
  manifest({ apiVersion: bootstrap, kind: "KubeadmConfigTemplate", name }, templateSpec(spec));

/** `${CLUSTER_NAME}-control-plane` of as many Machines as CONTROL_PLANE_MACHINE_COUNT asks for. */
export const kubeadmControlPlaneManifest = ({
  config,
  infrastructure,
  replicas = 1,
}: {
  /** Kind of the template of its Machines' infrastructure, which has its name. */
  readonly infrastructure: string;
  /** `kubeadmConfigSpec`, from the left. */
  readonly config: string;
  /** Machines where nothing is asked for. Default 1. */
  readonly replicas?: 1 | 3;
}): string => {
  const name = `${clusterName}-control-plane`;
  return manifest(
    { apiVersion: `${Group.controlPlane}/v1beta2`, kind: "KubeadmControlPlane", name },
    `replicas: \${CONTROL_PLANE_MACHINE_COUNT:=${replicas}}
version: ${version}
machineTemplate:
  spec:
${indented(reference("infrastructureRef", Group.infrastructure, infrastructure, name), 4)}kubeadmConfigSpec:
${indented(config, 2)}`,
  );
};

/** The form of a distribution's control plane: the place of the template of its Machines, and the spec of their configs. */
const serverShapes = {
  k3s: (template: string, config: string): string =>
    `kthreesConfigSpec:\n${indented(config, 2)}machineTemplate:\n${indented(template, 2)}`,
  rke2: (template: string, config: string): string =>
    `rolloutStrategy:
  type: RollingUpdate
  rollingUpdate:
    maxSurge: 1
registrationMethod: control-plane-endpoint
machineTemplate:
  spec:
${indented(template, 4)}${config}`,
} as const;

const serverKinds = { k3s: "KThreesControlPlane", rke2: "RKE2ControlPlane" } as const;

/** Kind of the control plane of a distribution. */
export const serversKind = (distribution: keyof typeof serverShapes): string => serverKinds[distribution];

/** `${CLUSTER_NAME}-control-plane` of as many servers as CONTROL_PLANE_MACHINE_COUNT asks for. */
export const serversManifest = (
  distribution: keyof typeof serverShapes,
  {
    config,
    infrastructure: { apiVersion, kind },
    replicas,
  }: {
    /** The template of its Machines' infrastructure, which has its name. */
    readonly infrastructure: { readonly apiVersion: string; readonly kind: string };
    /** Spec of the configs of its Machines, from the left. */
    readonly config: string;
    /** Servers where nothing is asked for. */
    readonly replicas: 1 | 3;
  },
): string => {
  const name = `${clusterName}-control-plane`;
  const template =
    distribution === "k3s"
      ? `infrastructureRef:\n  apiVersion: ${apiVersion}\n  kind: ${kind}\n  name: ${name}\n`
      : reference("infrastructureRef", Group.infrastructure, kind, name);
  return manifest(
    { apiVersion: `${Group.controlPlane}/v1beta2`, kind: serverKinds[distribution], name },
    `replicas: \${CONTROL_PLANE_MACHINE_COUNT:=${replicas}}\nversion: ${version}\n${serverShapes[distribution](template, config)}`,
  );
};

/** Returns the fields for the name that a machine registers with and for its kubelet. Values are YAML. */
export const nodeRegistration = (name: string, kubelet: Readonly<Record<string, string>>): string =>
  `nodeRegistration:
  name: ${name}
  kubeletExtraArgs:
${Object.entries(kubelet)
  .map(([argument, value]) => `    - name: ${argument}\n      value: ${value}\n`)
  .join("")}`;
