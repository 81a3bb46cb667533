import {
  ClusterResource,
  isControlPlane,
  MachineDeploymentResource,
  MachinePoolResource,
  MachineResource,
  readReference,
  valueAt,
} from "@capstan/contract/wire";
import { KubeadmControlPlane } from "@capstan/controlplane-kubeadm/api";
import { KThreesControlPlane, RKE2ControlPlane } from "@capstan/controlplane-rke2-k3s/api";
import { createSimulation as simulateAzure } from "@capstan/sim-azure";
import { createSimulation as simulateLinode } from "@capstan/sim-linode";
import { createSimulation as simulateMetal } from "@capstan/sim-metal";
import { createDiscovery } from "@capstan/kube";
import { isBeingDeleted } from "@capstan/kube-values";
import type { KubeObject, Resource } from "@capstan/schema";
import { expect } from "vitest";
import { startTestSystemOn, type Simulated, type TestSystem } from "./test-system.ts";

const clouds = { azure: simulateAzure, linode: simulateLinode, metal: simulateMetal };

/** A cloud that can be simulated. */
export type CloudName = keyof typeof clouds;

type System = TestSystem<Simulated>;

/** Starts manifests on simulated clouds. */
export const startOn = (names: readonly CloudName[], text: string): Promise<System> =>
  startTestSystemOn<Simulated>(Object.fromEntries(names.map((name) => [name, clouds[name]])), text);

/** One minor version above the one that is published. */
const next = "v1.36.2";

/** The same with what a distribution adds to it. */
const nextVersion = (version: string): string => `${next}${/\+\w+$/.exec(version)?.[0] ?? ""}`;

const keyOf = ({ metadata: { name = "", namespace = "" } }: KubeObject) => ({ name, namespace });

const machinesOf = async ({ running }: System): Promise<readonly KubeObject[]> =>
  (await running.client.list(MachineResource)).items;

const setVersion = async (
  { running: { client } }: System,
  kind: Resource,
  spec: (version: string) => object,
  from: string,
): Promise<void> => {
  for (const object of (await client.list(kind)).items) {
    const body = { spec: spec(nextVersion(String(valueAt(object, from)))) };
    await client.patch(kind, keyOf(object), { type: "merge", body });
  }
};

/** A copy of an object under another name, as a user would write it. */
const copyOf = ({ apiVersion, kind, metadata, spec }: KubeObject, name: string): KubeObject => {
  const { labels = {}, namespace } = metadata;
  const { instanceID: _, providerID: __, hostRef: ___, ...rest } = (spec ?? {}) as Readonly<Record<string, unknown>>;
  return { apiVersion, kind, metadata: { name, namespace, labels }, spec: rest } as unknown as KubeObject;
};

/** Puts a server of the next version in the place of one that no control plane made. */
const replaceServer = async (system: System, machine: KubeObject): Promise<void> => {
  const { client } = system.running;
  const discovery = createDiscovery(client);
  const { namespace = "" } = machine.metadata;
  const name = `${machine.metadata.name}-next`;
  const copied: Record<string, unknown> = {};
  for (const path of ["bootstrap.configRef", "infrastructureRef"]) {
    const reference = readReference(machine, `spec.${path}`) ?? expect.fail(path);
    const kind =
      (await discovery.resourceFor({ group: reference.apiGroup, kind: reference.kind })) ?? expect.fail(path);
    const object = await client.get(kind, { namespace, name: reference.name });
    await client.create(kind, copyOf(object, name));
    copied[path] = { apiGroup: reference.apiGroup, kind: reference.kind, name };
  }
  const copy = copyOf(machine, name);
  const spec = {
    clusterName: valueAt(machine, "spec.clusterName"),
    version: nextVersion(String(valueAt(machine, "spec.version"))),
    bootstrap: { configRef: copied["bootstrap.configRef"] },
    infrastructureRef: copied["infrastructureRef"],
  };
  await client.create(MachineResource, { ...copy, spec });
  await system.untilRunning();
  await client.delete(MachineResource, keyOf(machine));
  await system.until(async () => (await client.find(MachineResource, keyOf(machine))) === undefined);
};

/** Servers that no control plane made. */
const serversAlone = async (system: System): Promise<readonly KubeObject[]> =>
  (await machinesOf(system)).filter(
    (machine) =>
      isControlPlane(machine) && (machine.metadata.ownerReferences ?? []).every(({ kind }) => kind === "Cluster"),
  );

/** The control plane first, then the workers, as versions may differ. */
export const upgrade = async (system: System): Promise<void> => {
  const { client } = system.running;
  for (const kind of [KubeadmControlPlane, KThreesControlPlane, RKE2ControlPlane]) {
    await setVersion(system, kind, (version) => ({ version }), "spec.version");
    await system.until(async () =>
      (await client.list(kind as Resource)).items.every(
        (each) =>
          valueAt(each, "status.version") === valueAt(each, "spec.version") &&
          valueAt(each, "status.replicas") === valueAt(each, "spec.replicas"),
      ),
    );
  }
  for (const server of await serversAlone(system)) await replaceServer(system, server);
  for (const kind of [MachineDeploymentResource, MachinePoolResource]) {
    await setVersion(system, kind, (version) => ({ template: { spec: { version } } }), "spec.template.spec.version");
  }
  await system.until(async () =>
    (await machinesOf(system)).every(
      (machine) =>
        !isBeingDeleted(machine) && String(valueAt(machine, "status.nodeInfo.kubeletVersion")).startsWith(next),
    ),
  );
  await system.untilRunning();
};

/** Deletes every Cluster, until there are none, and no Machines. */
export const deleteClusters = async (system: System): Promise<void> => {
  const { client } = system.running;
  const clusters = (await client.list(ClusterResource)).items;
  for (const cluster of clusters) await client.delete(ClusterResource, keyOf(cluster));
  await system.until(
    async () => (await client.list(ClusterResource)).items.length + (await machinesOf(system)).length === 0,
  );
};

/** Returns whether nothing makes its control plane again: a single server that kubeadm made keeps etcd to itself. */
export const isUpgradable = (text: string): boolean =>
  /kind: (?:Kubeadm|KThrees|RKE2)ControlPlane\n|kind: KThreesConfig\n/.test(text);

/** Runs manifests, upgrades them by one minor version where something can, and deletes them; nothing may be amiss on the way. */
export const liveThrough = async (system: System, text: string): Promise<void> => {
  await system.untilRunning();
  const machines = (await machinesOf(system)).length;
  expect(machines).toBeGreaterThan(0);
  if (isUpgradable(text)) await upgrade(system);
  expect(await machinesOf(system)).toHaveLength(machines);
  await deleteClusters(system);
};
