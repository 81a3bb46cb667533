import { Group, Label } from "@capstan/contract";
import { coreVersion } from "@capstan/contract/wire";
import type { KubeObject } from "@capstan/schema";

/** What clusters and machines run on. */
export interface Infrastructure {
  /** Version of its group. */
  readonly version: string;
  /** Kinds are this and `Cluster`, `Machine`, `MachineTemplate`. */
  readonly vendor: string;
  readonly cluster: object;
  readonly machine: object;
  /** Name of a Node, as cloud-init fills it in. */
  readonly nodeName: string;
}

export interface ClusterShape {
  readonly namespace: string;
  readonly name: string;
  readonly workers: number;
}

const version = "v1.34.0";
const file = "abcdefghijklmnopqrstuvwxyz0123456789".repeat(10);

/** One cluster as a user writes it: a control-plane Machine and a MachineDeployment, with small bootstrap data. */
export const clusterObjects = (
  { namespace, name, workers }: ClusterShape,
  { version: infraVersion, vendor, cluster, machine, nodeName }: Infrastructure,
): readonly KubeObject[] => {
  const object = (group: string, of: string, kind: string, named: string, spec: object, labels = {}): KubeObject => ({
    apiVersion: `${group}/${of}`,
    kind,
    metadata: { namespace, name: named, ...(Object.keys(labels).length > 0 && { labels }) },
    spec,
  });
  const core = (kind: string, named: string, spec: object, labels = {}) =>
    object(Group.core, coreVersion, kind, named, spec, labels);
  const infrastructure = (kind: string, named: string, spec: object) =>
    object(Group.infrastructure, infraVersion, `${vendor}${kind}`, named, spec);
  const bootstrap = (kind: string, named: string, spec: object) =>
    object(Group.bootstrap, coreVersion, kind, named, spec);
  const infraRef = (kind: string, named: string) => ({
    apiGroup: Group.infrastructure,
    kind: `${vendor}${kind}`,
    name: named,
  });
  const configRef = (kind: string, named: string) => ({ apiGroup: Group.bootstrap, kind, name: named });
  const nodeRegistration = { name: nodeName, kubeletExtraArgs: [{ name: "cloud-provider", value: "external" }] };
  const first = `${name}-control-plane`;
  return [
    infrastructure("Cluster", name, cluster),
    infrastructure("MachineTemplate", name, { template: { spec: machine } }),
    bootstrap("KubeadmConfigTemplate", name, {
      template: { spec: { joinConfiguration: { nodeRegistration }, files: [{ path: "/etc/bench", content: file }] } },
    }),
    core("Cluster", name, {
      clusterNetwork: { pods: { cidrBlocks: ["10.40.0.0/16"] } },
      infrastructureRef: infraRef("Cluster", name),
    }),
    infrastructure("Machine", first, machine),
    bootstrap("KubeadmConfig", first, { initConfiguration: { nodeRegistration } }),
    core(
      "Machine",
      first,
      {
        clusterName: name,
        version,
        bootstrap: { configRef: configRef("KubeadmConfig", first) },
        infrastructureRef: infraRef("Machine", first),
      },
      { [Label.clusterName]: name, [Label.controlPlane]: "" },
    ),
    core("MachineDeployment", name, {
      clusterName: name,
      replicas: workers,
      selector: { matchLabels: {} },
      template: {
        spec: {
          clusterName: name,
          version,
          bootstrap: { configRef: configRef("KubeadmConfigTemplate", name) },
          infrastructureRef: infraRef("MachineTemplate", name),
        },
      },
    }),
  ];
};
