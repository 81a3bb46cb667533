import { ClusterResource, conditionOf, conditionsOf } from "@capstan/contract/wire";
import type { ConformanceEnvironment } from "@capstan/testing/environment";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AzureCluster, AzureClusterIdentity, AzureMachine } from "../src/api.ts";
import { location } from "./cloud.ts";
import { groupPath, idsOf, ready } from "./network-scene.ts";
import type { Scene } from "./scene.ts";
import { because, isReady, openScene, startEnvironment } from "./scene.ts";

let environment: ConformanceEnvironment;
beforeAll(async () => {
  environment = await startEnvironment();
});
afterAll(() => environment.stop());

const open = (): Promise<Scene> => openScene(environment);
const identityOf = ({ cloud: { simulator }, core }: Scene) => ({
  type: "ServicePrincipal",
  tenantID: simulator.tenantId,
  clientID: simulator.principals[0]?.clientId ?? "",
  clientSecret: { name: "i", namespace: core.namespace },
  allowedNamespaces: {},
});

describe("the deletion of a cluster", () => {
  it("says of each part that it goes, that Azure could not delete it, and that it is gone", async () => {
    await using scene = await open();
    const { core } = scene;
    await scene.cloud.call("PUT", groupPath(scene, core.namespace), { location });
    await ready(scene, {});
    const refused = { kind: "operation-failed", code: "InternalServerError" } as const;
    scene.cloud.simulator.faults.add({ method: "DELETE", path: /\/loadBalancers\/[^/]+$/i, times: 1, action: refused });
    const seen = new Set<string>();
    await environment.client.delete(AzureCluster, core.key(core.clusterName));
    await environment.eventually(AzureCluster, core.key(core.clusterName), (found) => {
      for (const { reason = "", type } of found === undefined ? [] : conditionsOf(found, "v1beta1")) {
        seen.add(`${type} ${reason}`);
      }
      return found === undefined;
    });
    expect([...seen]).toEqual(
      expect.arrayContaining([
        "LoadBalancersReady Deleting",
        "LoadBalancersReady DeletionFailed",
        "LoadBalancersReady Deleted",
        "VNetReady Deleting",
        "NetworkInfrastructureReady Deleting",
      ]),
    );
    expect(idsOf(scene)).toEqual([]);
  });

  it("whose identity is gone says what to do, and ends when it is there again", async () => {
    await using scene = await open();
    const { core } = scene;
    const { clientSecret = "" } = scene.cloud.simulator.principals[0] ?? {};
    await core.createSecret("i", { clientSecret: Buffer.from(clientSecret).toString("base64") });
    await core.createOwned(AzureClusterIdentity, "i", identityOf(scene));
    await ready(scene, { identityRef: { kind: "AzureClusterIdentity", name: "i" } });
    await core.patch(AzureClusterIdentity, "i", { metadata: { finalizers: null } });
    await environment.client.delete(AzureClusterIdentity, core.key("i"));
    await environment.client.delete(AzureCluster, core.key(core.clusterName));
    const cluster = await scene.clusterIs(because("IdentityMissing"));
    expect(conditionOf(cluster, "Ready", "v1beta1")?.message).toContain("does not exist; recreate it");
    await core.createOwned(AzureClusterIdentity, "i", identityOf(scene));
    await environment.eventually(AzureCluster, core.key(core.clusterName), (found) => found === undefined);
    expect(scene.cloud.simulator.state.groups).toEqual([]);
  });
});

it("the deletion of a cluster in a subscription that does not exist ends, since nothing of it is there", async () => {
  await using scene = await open();
  const { core } = scene;
  await scene.cluster({ subscriptionID: "99999999-0000-0000-0000-000000000000" });
  await scene.managers.start();
  await scene.clusterIs((found) => conditionOf(found, "Ready", "v1beta1")?.message?.includes("could not") === true);
  await environment.client.delete(AzureCluster, core.key(core.clusterName));
  await environment.eventually(AzureCluster, core.key(core.clusterName), (found) => found === undefined);
});

/** A machine that runs, then its AzureCluster removed by force, and the machine deleted. */
const orphaned = async (scene: Scene, before: () => Promise<unknown> = async () => {}): Promise<void> => {
  const { core } = scene;
  await ready(scene, {});
  await scene.machine();
  await scene.machineIs(isReady);
  await scene.managers.stopAll();
  await environment.removeByForce(AzureCluster, core.key(core.clusterName));
  await before();
  await environment.client.delete(AzureMachine, core.key("m"));
  await scene.managers.start();
};

const recordOf = ({ metadata }: AzureMachine): string => metadata.annotations?.["capstan.dev/infra-cluster"] ?? "";
const partsOf = (scene: Scene) => idsOf(scene).filter((id) => /\/m(?:[-_][^/]*)?$/.test(id));

it("a machine whose AzureCluster was removed by force is deleted by what it recorded, and only that", async () => {
  await using scene = await open();
  const { core } = scene;
  let record = "";
  await orphaned(scene, async () => {
    record = recordOf(await environment.client.get<AzureMachine>(AzureMachine, core.key("m")));
  });
  await environment.eventually(AzureMachine, core.key("m"), (found) => found === undefined);
  expect(partsOf(scene)).toEqual([]);
  expect(idsOf(scene)).not.toEqual([]);
  expect(JSON.parse(record)).toMatchObject({
    name: core.clusterName,
    spec: { resourceGroup: core.namespace, subscriptionID: scene.cloud.simulator.subscriptionId },
  });
});

it("a machine whose resource group was to go with an AzureCluster that was removed by force is deleted alone", async () => {
  await using scene = await open();
  const { core } = scene;
  await orphaned(scene, async () => {
    await core.patch(ClusterResource, core.clusterName, { metadata: { finalizers: ["test.example/hold"] } });
    await environment.client.delete(ClusterResource, core.key(core.clusterName));
  });
  await environment.eventually(AzureMachine, core.key("m"), (found) => found === undefined);
  expect(partsOf(scene)).toEqual([]);
  await core.patch(ClusterResource, core.clusterName, { metadata: { finalizers: null } });
});

it.each([
  ["was lost", () => null],
  ["leads elsewhere", (record: string) => record.replace(/"resourceGroup":"[^"]*"/, '"resourceGroup":"a/../b"')],
])(
  "a machine whose AzureCluster is gone and whose record %s says every way out, and goes when the cluster is there again",
  async (_why, change) => {
    await using scene = await open();
    const { core } = scene;
    const { spec } = await (async () => {
      await scene.cluster();
      return environment.client.get<AzureCluster>(AzureCluster, core.key(core.clusterName));
    })();
    await scene.managers.start();
    await scene.clusterIs(isReady);
    await scene.machine();
    const made = await scene.machineIs(isReady);
    await scene.managers.stopAll();
    await environment.removeByForce(AzureCluster, core.key(core.clusterName));
    const record = change(recordOf(made));
    await core.patch(AzureMachine, "m", { metadata: { annotations: { "capstan.dev/infra-cluster": record } } });
    await environment.client.delete(AzureMachine, core.key("m"));
    await scene.managers.start();
    const machine = await scene.machineIs(because("ClusterMissing"));
    const message = conditionOf(machine, "Ready", "v1beta1")?.message ?? "";
    expect(message).toContain("its AzureCluster does not exist; recreate it");
    expect(message).toContain(`or delete its remains at Azure (${made.spec?.providerID}) yourself`);
    expect(message).toContain("remove its finalizers: azuremachine.infrastructure.cluster.x-k8s.io");
    await core.patch(AzureMachine, "m", { metadata: { annotations: { "capstan.dev/infra-cluster": null } } });
    await core.createOwned(AzureCluster, core.clusterName, spec ?? {});
    await environment.eventually(AzureMachine, core.key("m"), (found) => found === undefined);
    expect(partsOf(scene)).toEqual([]);
  },
);

it("a machine whose AzureCluster and identity were removed by force names the identity and the machine", async () => {
  await using scene = await open();
  const { core } = scene;
  const { clientSecret = "" } = scene.cloud.simulator.principals[0] ?? {};
  await core.createSecret("i", { clientSecret: Buffer.from(clientSecret).toString("base64") });
  await core.createOwned(AzureClusterIdentity, "i", identityOf(scene));
  await ready(scene, { identityRef: { kind: "AzureClusterIdentity", name: "i" } });
  await scene.machine();
  await scene.machineIs(isReady);
  await scene.managers.stopAll();
  await environment.removeByForce(AzureCluster, core.key(core.clusterName));
  await environment.client.delete(AzureClusterIdentity, core.key("i"));
  await scene.managers.start();
  await environment.pass(60_000);
  const held = await environment.client.get(AzureClusterIdentity, core.key("i"));
  expect(held.metadata.finalizers).toContain("capstan.dev/held-by-azuremachine.infrastructure.cluster.x-k8s.io");
  await environment.removeByForce(AzureClusterIdentity, core.key("i"));
  await environment.client.delete(AzureMachine, core.key("m"));
  const machine = await scene.machineIs(because("IdentityMissing"));
  const message = conditionOf(machine, "Ready", "v1beta1")?.message ?? "";
  expect(message).toContain(`AzureClusterIdentity ${core.namespace}/i`);
  expect(message).toContain("does not exist; recreate it, or delete the remains of");
  expect(message).toContain(`the resource group ${core.namespace} of the subscription`);
  await core.createOwned(AzureClusterIdentity, "i", identityOf(scene));
  await environment.eventually(AzureMachine, core.key("m"), (found) => found === undefined);
  expect(partsOf(scene)).toEqual([]);
});

it("a virtual machine that Azure could not make goes with its interface and its disks", async () => {
  await using scene = await open();
  await ready(scene, {});
  scene.cloud.simulator.guestPlans.add({ machine: "m", boot: "never" });
  await scene.machine({ dataDisks: [{ nameSuffix: "a", diskSizeGB: 8 }] });
  // After twenty minutes Azure gives up waiting for the system.
  await environment.pass(22 * 60_000);
  await scene.machineIs(because("Failed"));
  const parts = () => idsOf(scene).filter((id) => /\/m(?:[-_][^/]*)?$/.test(id));
  expect(parts()).toHaveLength(4);
  await environment.client.delete(AzureMachine, scene.core.key("m"));
  await environment.eventually(AzureMachine, scene.core.key("m"), (found) => found === undefined);
  expect(parts()).toEqual([]);
});

describe("the disks of a machine", () => {
  const isDisk = ({ type }: { readonly type: string }) => /\/disks$/i.test(type);
  const diskOf = (scene: Scene) => scene.cloud.simulator.state.resources.find(isDisk);
  const deleted = async (scene: Scene, tags: Readonly<Record<string, string>> | undefined): Promise<void> => {
    await ready(scene, {});
    await scene.machine();
    await scene.machineIs(isReady);
    const disk = diskOf(scene);
    if (disk !== undefined) disk.tags = tags;
    await environment.client.delete(AzureMachine, scene.core.key("m"));
    await environment.eventually(AzureMachine, scene.core.key("m"), (found) => found === undefined);
  };

  it("go with it, although Azure gave them no tags", async () => {
    await using scene = await open();
    await deleted(scene, undefined);
    expect(diskOf(scene)).toBeUndefined();
  });

  it("stay when they bear somebody else's mark", async () => {
    await using scene = await open();
    await deleted(scene, { "sigs.k8s.io_cluster-api-provider-azure_cluster_other": "owned" });
    expect(diskOf(scene)).toBeDefined();
    expect(partsOf(scene).filter((id) => !id.includes("/disks/"))).toEqual([]);
  });
});
