import { createApiServer, customResources } from "@capstan/apiserver";
import { Group, Label } from "@capstan/contract";
import { objectStores } from "@capstan/contract/v1";
import {
  ClusterResource,
  contractLabel,
  CustomResourceDefinitionResource,
  MachineResource,
  NamespaceResource,
  SecretResource,
} from "@capstan/contract/wire";
import { trustedIdsLabel } from "@capstan/kit/engine";
import { type ReferencePolicy, referencePolicy } from "@capstan/kit/admission";
import { connect, createClient, loadKubeconfig } from "@capstan/kube";
import type { Client, Connection } from "@capstan/kube";
import { s3ObjectStores } from "@capstan/object-store-s3";
import { createManager } from "@capstan/runtime";
import { apiVersionOf, crdOf, resource } from "@capstan/schema";
import type { Kind, KubeObject, Resource } from "@capstan/schema";
import { recentClock, seededRandom } from "@capstan/testing";
import * as kinds from "../src/api.ts";
import { LinodeCluster, LinodeMachine } from "../src/api.ts";
import { createLinodeProvider } from "../src/index.ts";
import type { LinodeProviderOptions } from "../src/index.ts";
import type { LinodeSimulatorOptions } from "@capstan/sim-linode";
import { simulate } from "@capstan/sim-linode/testing";
import type { Simulation } from "@capstan/sim-linode/testing";

export const namespace = "default";
const storeKey = { accessKey: "STOREKEY", secretKey: "store-secret" };

/** A management API with the provider on it, a simulated account, and a virtual clock for all. */
export interface World extends Simulation {
  readonly api: Client;
  /** Ends the controllers as a crash would. */
  kill(): Promise<void>;
  startControllers(): Promise<void>;
  until(condition: () => boolean | Promise<boolean>): Promise<void>;
  /** Lets virtual time pass in small steps with room for real I/O. */
  pass(ms: number): Promise<void>;
}

export interface WorldOptions {
  readonly provider?: LinodeProviderOptions;
  readonly simulator?: Partial<Omit<LinodeSimulatorOptions, "clock">>;
  /** Default: references into other namespaces are not followed. */
  readonly references?: ReferencePolicy;
  /** Tries of one call to the object storage. Default: the store's own. */
  readonly storeAttempts?: number;
}

export const linodeKinds: readonly Kind[] = Object.values(kinds).flatMap((value) => ("schema" in value ? [value] : []));

/** Core's kinds, of which these tests set by hand what core would. */
const coreDefinition = ({ group, version, kind, plural }: Resource): KubeObject => {
  const free = { type: "object", "x-kubernetes-preserve-unknown-fields": true } as const;
  const schema = { openAPIV3Schema: { type: "object", properties: { spec: free, status: free } } };
  const served = { name: version, served: true, storage: true, subresources: { status: {} }, schema };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}`, labels: { [contractLabel("v1beta2")]: version } },
    spec: {
      group,
      scope: "Namespaced",
      names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
      versions: [served],
    },
  };
};

export const startWorld = async (options: WorldOptions = {}): Promise<World> => {
  const simulation = await simulate({
    clock: recentClock(),
    seed: { buckets: [{ label: "bootstrap", region: "us-ord" }], keys: [storeKey] },
    ...options.simulator,
  });
  const { clock, simulator } = simulation;
  const server = createApiServer({ clock, random: seededRandom(3), extensions: [customResources()] });
  await server.start();
  const access = await loadKubeconfig({ text: await server.adminKubeconfig() });
  const connection = (): Connection => connect({ access, clock });
  const own = connection();
  const api = createClient(own);
  const definitions = [
    ...[ClusterResource, MachineResource].map(coreDefinition),
    ...linodeKinds.map((kind) => crdOf(kind)),
  ];
  for (const definition of definitions) await api.create(CustomResourceDefinitionResource, definition);
  const provider = { endpoint: simulator.url, token: simulator.token, clock, ...options.provider };
  let stopControllers = nothing;
  const world: World = {
    ...simulation,
    api,
    kill: async () => {
      const stop = stopControllers;
      stopControllers = nothing;
      await stop();
    },
    startControllers: async () => {
      stopControllers = await runControllers(connection(), simulation, { ...options, provider });
    },
    until: (condition) => clock.advanceUntil(condition, { maxMs: 3_600_000 }),
    pass: async (ms) => {
      const end = clock.now() + ms;
      await clock.advanceUntil(() => clock.now() >= end, { stepMs: Math.max(500, ms / 600), maxMs: ms * 2 });
    },
    [Symbol.asyncDispose]: async () => {
      await world.kill();
      await own.close();
      await server.stop();
      await simulation[Symbol.asyncDispose]();
    },
  };
  await world.startControllers();
  return world;
};

const nothing = async (): Promise<void> => undefined;

const runControllers = async (
  connection: Connection,
  { clock }: Simulation,
  { provider, references, storeAttempts }: WorldOptions,
): Promise<() => Promise<void>> => {
  const manager = createManager({ connection, clock, random: seededRandom(5) });
  manager.provide(objectStores, [
    s3ObjectStores({ clock, ...(storeAttempts !== undefined && { maxAttempts: storeAttempts }) }),
  ]);
  if (references !== undefined) manager.provide(referencePolicy, references);
  createLinodeProvider(provider).register({ add: (controller) => manager.add(controller) });
  const stop = new AbortController();
  const running = manager.run({ signal: stop.signal });
  await manager.ready();
  return async () => {
    stop.abort(new DOMException("the test is over", "AbortError"));
    await running.catch((error: unknown) => error);
    await connection.close();
  };
};

const base = (resource: Resource, name: string) => ({
  apiVersion: apiVersionOf(resource),
  kind: resource.kind,
  metadata: { name, namespace },
});

const ownedBy = ({ apiVersion, kind, metadata }: KubeObject, controller: boolean) => ({
  apiVersion,
  kind,
  name: metadata.name ?? "",
  uid: metadata.uid ?? "",
  controller,
});

const infraRef = (kind: Resource, name: string) => ({ apiGroup: Group.infrastructure, kind: kind.kind, name });

export const clusterName = (name: string) => ({ [Label.clusterName]: name });

/** A Cluster with its LinodeCluster, as core leaves them for the provider. */
export const createCluster = async (
  { api }: World,
  name: string,
  spec: Partial<LinodeCluster["spec"]> = {},
): Promise<void> => {
  const cluster = await api.create(ClusterResource, {
    ...base(ClusterResource, name),
    spec: { infrastructureRef: infraRef(LinodeCluster, name) },
  });
  const object = base(LinodeCluster, name);
  const owners = { ownerReferences: [ownedBy(cluster, false)], labels: clusterName(name) };
  await api.create(LinodeCluster, {
    ...object,
    metadata: { ...object.metadata, ...owners },
    spec: { region: "us-ord", ...spec },
  });
};

/** What core does once the infrastructure of the cluster is provisioned. */
export const reportInfrastructure = async ({ api }: World, name: string): Promise<void> => {
  const body = { status: { initialization: { infrastructureProvisioned: true } } };
  await api.patch(ClusterResource, { namespace, name }, { type: "merge", body }, { subresource: "status" });
};

export interface MachineOptions {
  readonly cluster: string;
  readonly data?: string | Uint8Array;
  /** Of the data. Default: cloud-config. */
  readonly format?: string;
  readonly controlPlane?: boolean;
  readonly spec?: Partial<LinodeMachine["spec"]>;
}

/** A Machine with its LinodeMachine and bootstrap data, as core and a bootstrap provider leave them. */
export const createMachine = async ({ api }: World, name: string, options: MachineOptions): Promise<void> => {
  const { cluster, data = "#cloud-config\n", controlPlane = false, format = "cloud-config", spec = {} } = options;
  const labels = { ...clusterName(cluster), ...(controlPlane ? { [Label.controlPlane]: "" } : {}) };
  const secret = base(SecretResource, `${name}-data`);
  await api.create(SecretResource, {
    ...secret,
    metadata: { ...secret.metadata, labels: clusterName(cluster) },
    data: { value: Buffer.from(data).toString("base64"), format: Buffer.from(format).toString("base64") },
  });
  const owner = base(MachineResource, name);
  const machine = await api.create(MachineResource, {
    ...owner,
    metadata: { ...owner.metadata, labels },
    spec: {
      clusterName: cluster,
      bootstrap: { dataSecretName: `${name}-data` },
      infrastructureRef: infraRef(LinodeMachine, name),
    },
  });
  const object = base(LinodeMachine, name);
  await api.create(LinodeMachine, {
    ...object,
    metadata: { ...object.metadata, labels, ownerReferences: [ownedBy(machine, true)] },
    spec: { region: "us-ord", type: "g6-standard-2", authorizedKeys: ["ssh-ed25519 AAAA"], ...spec },
  });
};

/** What core does once the machine's Node is there. */
export const reportNode = async ({ api }: World, name: string): Promise<void> => {
  const body = { status: { nodeRef: { name }, phase: "Running" } };
  await api.patch(MachineResource, { namespace, name }, { type: "merge", body }, { subresource: "status" });
};

export const getCluster = ({ api }: World, name: string) => api.find<LinodeCluster>(LinodeCluster, { namespace, name });

export const getMachine = ({ api }: World, name: string) => api.find<LinodeMachine>(LinodeMachine, { namespace, name });

interface Conditioned extends KubeObject {
  readonly status?: {
    readonly conditions?: readonly {
      readonly type: string;
      readonly status: string;
      readonly reason: string;
      readonly message?: string;
    }[];
  };
}

export const readyOf = (object: Conditioned | undefined) =>
  object?.status?.conditions?.find(({ type }) => type === "Ready");

/** A Secret for the object storage of the simulated account. */
export const createStoreSecret = async ({ api, simulator }: World, name: string, change = {}): Promise<void> => {
  await api.create(SecretResource, {
    ...base(SecretResource, name),
    stringData: {
      bucket: "bootstrap",
      endpoint: simulator.objectStorage.url,
      access: storeKey.accessKey,
      secret: storeKey.secretKey,
      ...change,
    },
  });
};

export const createSecret = async ({ api }: World, name: string, data: Readonly<Record<string, string>>) => {
  await api.create(SecretResource, { ...base(SecretResource, name), stringData: data });
};

/** Makes an object as a user does. */
export const createObject = <O extends KubeObject>(
  { api }: World,
  kind: Resource<O>,
  name: string,
  spec: unknown,
  metadata: Partial<KubeObject["metadata"]> = {},
): Promise<O> => {
  const object = base(kind, name);
  return api.create(kind, { ...object, metadata: { ...object.metadata, ...metadata }, spec });
};

export const getObject = <O extends KubeObject>({ api }: World, kind: Resource<O>, name: string) =>
  api.find<O>(kind, { namespace, name });

export const isReady = async (world: World, kind: Resource<Conditioned>, name: string): Promise<boolean> =>
  readyOf(await getObject(world, kind, name))?.status === "True";

export const patchSpec = ({ api }: World, kind: Resource, name: string, spec: Readonly<Record<string, unknown>>) =>
  api.patch(kind, { namespace, name }, { type: "merge", body: { spec } });

export const createNamespace = async ({ api }: World, name: string): Promise<void> => {
  const kind = resource({ group: "", version: "v1", kind: "Namespace", plural: "namespaces", namespaced: false });
  await api.create(kind, { apiVersion: "v1", kind: kind.kind, metadata: { name } });
};

/** What an administrator does so that a namespace's objects may take over what they name by its id. */
export const trustIds = async ({ api }: World, name = namespace): Promise<void> => {
  const body = { metadata: { labels: { [trustedIdsLabel]: "true" } } };
  await api.patch(NamespaceResource, { name }, { type: "merge", body });
};
