import type { CloudPlanV1, PlanItemV1 } from "@capstan/contract/v1";
import { MachinePoolResource } from "@capstan/contract/wire";
import type { ConformanceEnvironment } from "@capstan/testing/environment";
import type { KubeObject } from "@capstan/schema";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AzureCluster, AzureClusterIdentity, AzureMachine, AzureMachinePool } from "../src/api.ts";
import { location } from "./cloud.ts";
import type { Json, Scene } from "./scene.ts";
import { isReady, openScene, startEnvironment } from "./scene.ts";

let environment: ConformanceEnvironment;
beforeAll(async () => {
  environment = await startEnvironment();
});
afterAll(() => environment.stop());
const open = (): Promise<Scene> => openScene(environment);

const object = ({ core }: Scene, kind: string, name: string, spec: Json): KubeObject => ({
  apiVersion: "infrastructure.cluster.x-k8s.io/v1beta1",
  kind,
  metadata: { ...core.key(name), labels: { "cluster.x-k8s.io/cluster-name": core.clusterName } },
  spec,
});

const size = { vmSize: "Standard_D2s_v3", osDisk: { osType: "Linux" } };
const clusterObject = (scene: Scene, spec: Json = {}): KubeObject =>
  object(scene, "AzureCluster", scene.core.clusterName, { location, resourceGroup: scene.core.namespace, ...spec });

/** Plans with what is in the management API; whatever is read at Azure, nothing is written. */
const plan = async (
  { cloud }: Scene,
  item: Partial<PlanItemV1>,
  others: readonly KubeObject[] = [],
): Promise<CloudPlanV1> => {
  const { requests } = cloud.simulator;
  const writes = () => requests.log.filter(({ method }) => method !== "GET").length;
  const before = writes();
  const whole = { before: undefined, after: undefined, replaced: false, count: 1, infraCluster: undefined, ...item };
  const find = async ({ kind }: { readonly kind: string }, { name }: { readonly name: string }) =>
    others.find((each) => each.kind === kind && each.metadata.name === name);
  const { signal } = new AbortController();
  const result = await cloud.provider().plan!({
    items: [whole],
    find,
    secret: (key) => find({ kind: "Secret" }, key),
    signal,
  });
  expect(writes()).toBe(before);
  expect(requests.violations).toEqual([]);
  return result;
};

const named = ({ resources }: CloudPlanV1) => resources.map(({ action, name, type }) => `${action} ${type} ${name}`);

describe("an AzureCluster in a plan", () => {
  it("that is new is its group and network, which stay when they are there", async () => {
    await using scene = await open();
    const first = await plan(scene, { after: clusterObject(scene) });
    const { clusterName: c, namespace } = scene.core;
    expect(first.problems).toEqual([]);
    expect(named(first)).toEqual(
      expect.arrayContaining([
        `create resource group ${namespace}`,
        `create virtual network ${c}-vnet`,
        `create network security group ${c}-node-nsg`,
        `create public IP address pip-${c}-apiserver`,
        `create NAT gateway ${c}-node-natgw`,
        `create subnet ${c}-node-subnet`,
        `create load balancer ${c}-public-lb`,
      ]),
    );
    await scene.cluster();
    await scene.managers.start();
    const cluster = await scene.clusterIs(isReady);
    const second = await plan(scene, { before: cluster, after: cluster });
    expect(new Set(second.resources.map(({ action }) => action))).toEqual(new Set(["keep"]));
    const { properties } = scene.resource("networkSecurityGroups", "controlplane-nsg");
    Object.assign(properties, { securityRules: [] });
    const third = await plan(scene, { before: cluster, after: cluster });
    expect(named(third).filter((line) => !line.startsWith("keep"))).toEqual([
      `change network security group ${c}-controlplane-nsg`,
    ]);
    expect(named(await plan(scene, { before: cluster }))).toEqual([`delete resource group ${namespace}`]);
  });

  it("has no load balancer where it stands beside what its Cluster refers to", async () => {
    await using scene = await open();
    const lines = named(await plan(scene, { after: clusterObject(scene), additional: true }));
    expect(lines).toContain(`create virtual network ${scene.core.clusterName}-vnet`);
    expect(lines.filter((line) => /load balancer|apiserver/.test(line))).toEqual([]);
  });

  it("names what belongs to the cluster of another namespace, and so does a machine of it", async () => {
    await using scene = await open();
    const { clusterName, namespace } = scene.core;
    await scene.cluster();
    await scene.managers.start();
    await scene.clusterIs(isReady);
    await scene.machine();
    await scene.machineIs(isReady);
    const elsewhere = (each: KubeObject): KubeObject => ({
      ...each,
      metadata: { ...each.metadata, namespace: "elsewhere", uid: "another" },
    });
    const infraCluster = elsewhere(clusterObject(scene));
    const { problems, resources } = await plan(scene, { after: infraCluster });
    const messages = problems.map(({ message }) => message);
    expect(messages).toContain(
      `the load balancer ${clusterName}-public-lb belongs to another namespace's AzureCluster; choose another spec.resourceGroup or spec.networkSpec.apiServerLB.name`,
    );
    expect(resources.find(({ name }) => name === `${clusterName}-public-lb`)).toMatchObject({
      action: "keep",
      description: "of another namespace's AzureCluster",
    });
    const machine = await plan(scene, { after: elsewhere(object(scene, "AzureMachine", "m", size)), infraCluster });
    expect(machine.problems.map(({ message }) => message)).toEqual([
      `the virtual machine m in the resource group ${namespace} belongs to another namespace's AzureCluster; rename the AzureMachine`,
    ]);
  });

  it("says what is wrong with its identity", async () => {
    await using scene = await open();
    const spec = { identityRef: { kind: "AzureClusterIdentity", name: "i" } };
    const missing = await plan(scene, { after: clusterObject(scene, spec) });
    expect(missing.problems.map(({ message }) => message).join()).toContain(
      "/i of spec.identityRef does not exist; create it",
    );
    const identity = object(scene, AzureClusterIdentity.kind, "i", {
      type: "ServicePrincipal",
      tenantID: scene.cloud.simulator.tenantId,
      clientID: scene.cloud.simulator.principals[0]!.clientId,
      clientSecret: { name: "s" },
      allowedNamespaces: {},
    });
    const locked = await plan(scene, { after: clusterObject(scene, spec) }, [identity]);
    expect(locked.problems.map(({ message }) => message).join()).toContain("does not exist; create it");
    const clientSecret = Buffer.from(scene.cloud.simulator.principals[0]!.clientSecret).toString("base64");
    const secret = { apiVersion: "v1", kind: "Secret", metadata: { name: "s" }, data: { clientSecret } };
    const whole = await plan(scene, { after: clusterObject(scene, spec) }, [identity, secret]);
    expect([whole.problems, whole.resources.length > 5]).toEqual([[], true]);
  });
});

describe("an AzureMachine in a plan", () => {
  it("that is new is a virtual machine, or a problem with its size", async () => {
    await using scene = await open();
    const infraCluster = clusterObject(scene);
    const spec = {
      ...size,
      spotVMOptions: {},
      dataDisks: [{ nameSuffix: "a", diskSizeGB: 8 }],
      allocatePublicIP: true,
    };
    const made = await plan(scene, { after: object(scene, AzureMachine.kind, "w-*", spec), count: 3, infraCluster });
    expect(made.resources).toMatchObject([
      {
        action: "create",
        type: "virtual machine",
        count: 3,
        description:
          "Standard_D2s_v3 in westeurope, the image of its version, spot, data disks: 1, with a public address",
      },
    ]);
    const wrong = object(scene, AzureMachine.kind, "w", { ...size, vmSize: "Standard_Moon" });
    expect((await plan(scene, { after: wrong, infraCluster })).problems).toMatchObject([
      { message: "spec.vmSize Standard_Moon does not exist in westeurope; choose another one" },
    ]);
  });

  it("that is there stays, changes its tags, is replaced or deleted, and shows what differs", async () => {
    await using scene = await open();
    await scene.cluster();
    await scene.machine({ additionalTags: { team: "a", stage: "x" } });
    await scene.managers.start();
    const machine = await scene.machineIs(({ metadata, spec, status }) => {
      return (
        status?.ready === true && spec?.providerID !== undefined && /stage/.test(JSON.stringify(metadata.annotations))
      );
    });
    const infraCluster = await environment.client.get(AzureCluster, scene.core.key(scene.core.clusterName));
    const planned = async (item: Partial<PlanItemV1>) =>
      (await plan(scene, { before: machine, infraCluster, ...item })).resources;
    expect(await planned({ after: machine })).toMatchObject([{ action: "keep", name: "m" }]);
    const tagged = { ...machine, spec: { ...machine.spec, additionalTags: { team: "b" } } };
    expect(await planned({ after: tagged })).toMatchObject([
      { action: "change", changes: [{ field: "tags", from: { team: "a", stage: "x" }, to: { team: "b" } }] },
    ]);
    expect(await planned({ after: machine, replaced: true })).toMatchObject([{ action: "replace" }]);
    expect(await planned({})).toMatchObject([{ action: "delete" }]);
    const bigger = { ...machine, spec: { ...machine.spec, vmSize: "Standard_D4s_v3" } };
    const drift = "size is Standard_D2s_v3, want Standard_D4s_v3; it is deallocated";
    Object.assign(scene.resource("virtualMachines").machine!, { deallocated: true });
    expect(await planned({ after: bigger })).toMatchObject([{ action: "keep", drift }]);
    await scene.managers.stopAll();
    await scene.cloud.call("DELETE", scene.resource("virtualMachines").id);
    await environment.pass(60_000);
    expect(await planned({ after: machine })).toMatchObject([
      { action: "keep", drift: "it no longer exists and is not recreated" },
    ]);
    expect(await planned({})).toEqual([]);
  });
});

describe("an AzureMachinePool in a plan", () => {
  it("that is new is a scale set, or a problem with its size; one that is there says what changes", async () => {
    await using scene = await open();
    const { core } = scene;
    const spec = { location, template: size };
    const infrastructureRef = { apiGroup: AzureMachinePool.group, kind: AzureMachinePool.kind, name: "p" };
    const pool = await core.createPool("p", { bootstrap: { dataSecretName: "p" }, infrastructureRef }, 2);
    const infraCluster = clusterObject(scene);
    const made = await plan(scene, {
      after: object(scene, "AzureMachinePool", "p", spec),
      infraCluster,
      machinePool: pool,
    });
    const description = "2 machines, each Standard_D2s_v3 in westeurope, the image of its version";
    expect(made.resources).toMatchObject([
      { action: "create", type: "virtual machine scale set", name: "p", count: 1, description },
    ]);
    const moon = { ...spec, template: { ...size, vmSize: "Standard_Moon" } };
    const wrong = await plan(scene, {
      after: object(scene, "AzureMachinePool", "p", moon),
      infraCluster,
      machinePool: pool,
    });
    expect(wrong.problems).toMatchObject([
      { message: "spec.template.vmSize Standard_Moon does not exist in westeurope; choose another one" },
    ]);

    await scene.cluster();
    await core.createBootstrapSecret("p", "#cloud-config\n");
    await core.createOwned(AzureMachinePool, "p", spec, { kind: MachinePoolResource, object: pool, controller: true });
    await scene.managers.start();
    const isWhole = (found: KubeObject | undefined) => (found as AzureMachinePool | undefined)?.status?.replicas === 2;
    const before = (await environment.eventually(AzureMachinePool, core.key("p"), isWhole)) as AzureMachinePool;
    await scene.managers.stopAll();
    const planned = async (item: Partial<PlanItemV1>) =>
      (await plan(scene, { before, infraCluster, machinePool: pool, ...item })).resources;
    expect(await planned({ after: before })).toMatchObject([{ action: "keep", description }]);
    const bigger = {
      ...before,
      spec: { ...before.spec!, template: { ...before.spec!.template, vmSize: "Standard_D4s_v3" } },
    };
    const tagged = { ...bigger, spec: { ...bigger.spec, additionalTags: { team: "b" } } };
    const scaled = { ...pool, spec: { ...(pool["spec"] as Json), replicas: 3 } };
    expect(await planned({ after: tagged, machinePool: scaled })).toMatchObject([
      {
        action: "change",
        changes: [
          { field: "machines", from: 2, to: 3 },
          { field: "size", from: "Standard_D2s_v3", to: "Standard_D4s_v3" },
          { field: "template" },
          { field: "tags", to: { team: "b" } },
        ],
      },
    ]);
    expect(await planned({})).toMatchObject([{ action: "delete", type: "virtual machine scale set" }]);
  });
});
