import { Group, Label } from "@capstan/contract";
import { coreVersion } from "@capstan/contract/wire";
import type { KubeObject, ObjectMeta } from "@capstan/schema";

/** Infrastructure of clusters and machines. */
export interface Infrastructure {
  /** Version of its group. */
  readonly version: string;
  /** Kinds are this and `Cluster`, `Machine`, `MachineTemplate`. */
  readonly vendor: string;
  readonly cluster: object;
  readonly machine: object;
  /** Name of a Node, as cloud-init fills it in. */
  readonly nodeName: string;
  /** Setup that makes nodes of bare systems. Default: none, where no one plays the inside of machines. */
  readonly setUp?: NodeSetup;
}

interface NodeSetup {
  /** Installs Kubernetes of a version. */
  readonly install: (version: string) => string;
  /** Run on the first machine once its cluster is there: brings the network of Pods. */
  readonly network: string;
  readonly kubeletArgs: readonly { readonly name: string; readonly value: string }[];
}

export interface ClusterShape {
  readonly namespace: string;
  readonly name: string;
  readonly workers: number;
}

const version = "v1.34.0";
const file = "abcdefghijklmnopqrstuvwxyz0123456789".repeat(10);

const object = (group: string, of: string, kind: string, at: ObjectMeta, spec: object): KubeObject => ({
  apiVersion: `${group}/${of}`,
  kind,
  metadata: at,
  spec,
});

const infraRef = (vendor: string, kind: string, name: string) => ({
  apiGroup: Group.infrastructure,
  kind: `${vendor}${kind}`,
  name,
});

const configRef = (kind: string, name: string) => ({ apiGroup: Group.bootstrap, kind, name });

const infrastructureObjects = (
  { namespace, name }: ClusterShape,
  { version: infraVersion, vendor, cluster, machine }: Infrastructure,
): readonly KubeObject[] => {
  const made = (kind: string, named: string, spec: object) =>
    object(Group.infrastructure, infraVersion, `${vendor}${kind}`, { namespace, name: named }, spec);
  return [
    made("Cluster", name, cluster),
    made("MachineTemplate", name, { template: { spec: machine } }),
    made("Machine", firstMachine(name), machine),
  ];
};

const bootstrapObjects = (
  { namespace, name }: ClusterShape,
  { nodeName, setUp }: Infrastructure,
): readonly KubeObject[] => {
  const kubeletExtraArgs = setUp?.kubeletArgs ?? [{ name: "cloud-provider", value: "external" }];
  const nodeRegistration = { name: nodeName, kubeletExtraArgs };
  const commands = setUp === undefined ? {} : { preKubeadmCommands: [setUp.install(version)] };
  const first = setUp === undefined ? {} : { postKubeadmCommands: [setUp.network] };
  const made = (kind: string, named: string, spec: object) =>
    object(Group.bootstrap, coreVersion, kind, { namespace, name: named }, spec);
  return [
    made("KubeadmConfigTemplate", name, {
      template: {
        spec: {
          joinConfiguration: { nodeRegistration },
          files: [{ path: "/etc/bench", content: file }],
          ...commands,
        },
      },
    }),
    made("KubeadmConfig", firstMachine(name), { initConfiguration: { nodeRegistration }, ...commands, ...first }),
  ];
};

const coreObjects = ({ namespace, name, workers }: ClusterShape, vendor: string): readonly KubeObject[] => {
  const first = firstMachine(name);
  const made = (kind: string, at: ObjectMeta, spec: object) =>
    object(Group.core, coreVersion, kind, { namespace, ...at }, spec);
  return [
    made(
      "Cluster",
      { name },
      {
        clusterNetwork: { pods: { cidrBlocks: ["10.40.0.0/16"] } },
        infrastructureRef: infraRef(vendor, "Cluster", name),
      },
    ),
    made(
      "Machine",
      { name: first, labels: { [Label.clusterName]: name, [Label.controlPlane]: "" } },
      {
        clusterName: name,
        version,
        bootstrap: { configRef: configRef("KubeadmConfig", first) },
        infrastructureRef: infraRef(vendor, "Machine", first),
      },
    ),
    made(
      "MachineDeployment",
      { name },
      {
        clusterName: name,
        replicas: workers,
        selector: { matchLabels: {} },
        template: {
          spec: {
            clusterName: name,
            version,
            bootstrap: { configRef: configRef("KubeadmConfigTemplate", name) },
            infrastructureRef: infraRef(vendor, "MachineTemplate", name),
          },
        },
      },
    ),
  ];
};

const firstMachine = (cluster: string): string => `${cluster}-control-plane`;

/** One cluster as a user writes it: a control-plane Machine and a MachineDeployment, with small bootstrap data. */
export const clusterObjects = (shape: ClusterShape, infrastructure: Infrastructure): readonly KubeObject[] => [
  ...infrastructureObjects(shape, infrastructure),
  ...bootstrapObjects(shape, infrastructure),
  ...coreObjects(shape, infrastructure.vendor),
];
