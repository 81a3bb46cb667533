import { clusterSecretType, Group, isCapstanError, Label, SecretPurpose, Taint } from "@capstan/contract";
import { clusterSecretName, NodeResource, SecretResource } from "@capstan/contract/wire";
import type { KubeObject, Resource } from "@capstan/schema";
import { findCondition } from "@capstan/kit/machines";
import { Cluster, Machine } from "../src/api.ts";
import { providerKinds } from "./provider-kinds.ts";
import type { World } from "./world.ts";
import { setStatus } from "./world.ts";

export const namespace = "default";
const core = `${Group.core}/v1beta2`;

export const key = (name: string) => ({ namespace, name });

/** An object of a provider's kind. */
export const providerObject = (
  { resource: { group, version, kind } }: { readonly resource: Resource },
  name: string,
  spec: object = {},
): KubeObject => ({ apiVersion: `${group}/${version}`, kind, metadata: { name, namespace }, spec });

/** A Cluster whose infrastructure a test provides. */
export const createCluster = async (
  world: World,
  name = "prod",
  more: Partial<Cluster["spec"]> = {},
): Promise<Cluster> => {
  await world.api.create(providerKinds.cluster.resource, providerObject(providerKinds.cluster, name));
  const spec = { infrastructureRef: { ...providerKinds.cluster.ref, name }, ...more };
  const object: KubeObject = { apiVersion: core, kind: Cluster.kind, metadata: { name, namespace }, spec };
  return world.api.create(Cluster, object);
};

/** Makes the workload cluster reachable, as a control plane provider does. */
export const giveKubeconfig = async (world: World, name = "prod"): Promise<void> => {
  await world.api.create(SecretResource, {
    apiVersion: "v1",
    kind: "Secret",
    metadata: {
      name: clusterSecretName(name, SecretPurpose.kubeconfig),
      namespace,
      labels: { [Label.clusterName]: name },
    },
    type: clusterSecretType,
    data: { value: Buffer.from(world.workloadKubeconfig).toString("base64") },
  });
};

/** Provides the infrastructure of a Cluster. */
export const provideInfrastructure = async (world: World, name = "prod"): Promise<void> => {
  const { resource } = providerKinds.cluster;
  const endpoint = { host: "203.0.113.40", port: 6443 };
  const object = await world.api.patch(resource, key(name), {
    type: "merge",
    body: { spec: { controlPlaneEndpoint: endpoint } },
  });
  await setStatus(world, resource, object, {
    initialization: { provisioned: true },
    failureDomains: [{ name: "a", controlPlane: true }],
  });
};

/** Provides all that a Cluster needs for its Machines to be found. */
export const provisionCluster = async (world: World, name = "prod"): Promise<void> => {
  await giveKubeconfig(world, name);
  await provideInfrastructure(world, name);
};

/** A Machine of its own, with its bootstrap config and its infrastructure machine. */
export const createMachine = async (
  world: World,
  name: string,
  parts: { readonly labels?: Readonly<Record<string, string>>; readonly spec?: Partial<Machine["spec"]> } = {},
): Promise<Machine> => {
  await world.api.create(providerKinds.config.resource, providerObject(providerKinds.config, name));
  await world.api.create(providerKinds.machine.resource, providerObject(providerKinds.machine, name));
  return world.api.create(Machine, {
    apiVersion: core,
    kind: Machine.kind,
    metadata: { name, namespace, ...(parts.labels === undefined ? {} : { labels: parts.labels }) },
    spec: {
      clusterName: "prod",
      bootstrap: { configRef: { ...providerKinds.config.ref, name } },
      infrastructureRef: { ...providerKinds.machine.ref, name },
      ...parts.spec,
    },
  });
};

/** Provides bootstrap data. */
export const bootstrap = async (world: World, name: string, dataSecretName = `${name}-data`): Promise<void> => {
  const object = await world.api.get(providerKinds.config.resource, key(name));
  const status = { initialization: { dataSecretCreated: true }, dataSecretName };
  await setStatus(world, providerKinds.config.resource, object, status);
};

export const providerIDOf = (name: string): string => `test://${name}`;

/** Provides the machine itself. */
export const provision = async (world: World, name: string, status: object = {}): Promise<void> => {
  const { resource } = providerKinds.machine;
  const object = await world.api.patch(resource, key(name), {
    type: "merge",
    body: { spec: { providerID: providerIDOf(name) } },
  });
  await setStatus(world, resource, object, { initialization: { provisioned: true }, ...status });
};

/** Does something for an object that may go at any moment: then there is nothing left to do. */
export const unlessGone = async (work: () => Promise<unknown>): Promise<void> => {
  try {
    await work();
  } catch (error) {
    if (!isCapstanError(error, "kube.not_found")) throw error;
  }
};

/** The machine joins its cluster as a Node. */
export const join = async ({ workload }: World, name: string, providerID = providerIDOf(name)): Promise<void> => {
  await workload.create(NodeResource, {
    apiVersion: "v1",
    kind: "Node",
    metadata: { name: `node-${name}` },
    spec: { providerID, taints: [{ ...Taint.uninitialized }] },
  });
  const conditions = [
    { type: "Ready", status: "True" },
    ...["MemoryPressure", "DiskPressure", "PIDPressure"].map((type) => ({ type, status: "False" })),
  ];
  await workload.patch(
    NodeResource,
    { name: `node-${name}` },
    { type: "merge", body: { status: { conditions, nodeInfo: { kubeletVersion: "v1.33.4", osImage: "Test OS" } } } },
    { subresource: "status" },
  );
};

/** Lets an object of a provider go, as the provider does once the cloud has let go. */
export const release = async (world: World, kind: { readonly resource: Resource }, name: string): Promise<void> => {
  await world.api.patch(kind.resource, key(name), { type: "merge", body: { metadata: { finalizers: null } } });
};

/** Holds an object of a provider until `release`. */
export const hold = async (world: World, kind: { readonly resource: Resource }, name: string): Promise<void> => {
  const metadata = { finalizers: ["test.example/hold"] };
  await world.api.patch(kind.resource, key(name), { type: "merge", body: { metadata } });
};

export const machineNamed = ({ api }: World, name: string) => api.find(Machine, key(name));

export const clusterNamed = ({ api }: World, name = "prod") => api.find(Cluster, key(name));

export const conditionOfCluster = async (world: World, type: string, name = "prod") =>
  findCondition(await world.api.get<KubeObject>(Cluster, key(name)), type);

/** Kind and name of every owner of an object. */
export const ownersOf = async (world: World, kind: Resource, name: string): Promise<readonly string[]> =>
  ((await world.api.get(kind, key(name))).metadata.ownerReferences ?? []).map((owner) => `${owner.kind} ${owner.name}`);
