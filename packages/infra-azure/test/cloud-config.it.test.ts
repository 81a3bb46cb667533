import { Annotation } from "@capstan/contract";
import { ClusterResource, SecretResource } from "@capstan/contract/wire";
import type { ConformanceEnvironment } from "@capstan/testing/environment";
import { afterAll, beforeAll, expect, it } from "vitest";
import { AzureClusterIdentity, AzureMachine, AzureMachineTemplate } from "../src/api.ts";
import type { Json, Scene } from "./scene.ts";
import { openScene, startEnvironment } from "./scene.ts";

let environment: ConformanceEnvironment;
beforeAll(async () => {
  environment = await startEnvironment();
});
afterAll(() => environment.stop());

const size = { vmSize: "Standard_D2s_v3", osDisk: { osType: "Linux" } };
const machineIdentity = { resourceGroup: "shared", name: "cloud-provider", location: "westeurope" };

const open = (): Promise<Scene> => openScene(environment, { identities: [machineIdentity] });

const userAssigned = ({ cloud: { simulator } }: Scene, name = machineIdentity.name): Json => ({
  identity: "UserAssigned",
  userAssignedIdentities: [
    {
      providerID: `azure:///subscriptions/${simulator.subscriptionId}/resourceGroups/shared/providers/Microsoft.ManagedIdentity/userAssignedIdentities/${name}`,
    },
  ],
});

const template = async ({ core }: Scene, name: string, machine: Json): Promise<void> => {
  const owner = await environment.client.get(ClusterResource, core.key(core.clusterName));
  const spec = { template: { spec: { ...size, ...machine } } };
  await core.createOwned(AzureMachineTemplate, name, spec, { kind: ClusterResource, object: owner, controller: false });
};

const dataOf = async ({ core }: Scene, name: string): Promise<Readonly<Record<string, string>>> => {
  const secret = await environment.eventually(SecretResource, core.key(`${name}-azure-json`), (found) => {
    return found !== undefined;
  });
  const data = Object.entries(secret?.["data"] as Readonly<Record<string, string>>);
  return Object.fromEntries(data.map(([key, value]) => [key, Buffer.from(value, "base64").toString()]));
};

const configOf = async (scene: Scene, name: string): Promise<Json> =>
  JSON.parse((await dataOf(scene, name))["azure.json"] ?? "{}") as Json;

it("a template has a Secret of its own with the configuration of the cloud provider, and what a machine would have", async () => {
  await using scene = await open();
  const { client } = environment;
  const { core } = scene;
  await scene.cluster();
  await template(scene, "t", userAssigned(scene));
  await scene.managers.start();
  const data = await dataOf(scene, "t");
  expect(Object.keys(data).toSorted()).toEqual(["azure.json", "control-plane-azure.json", "worker-node-azure.json"]);
  const identity = scene.cloud.simulator.state.resources.find(({ name }) => name === machineIdentity.name);
  expect(JSON.parse(data["worker-node-azure.json"] ?? "")).toMatchObject({
    userAssignedIdentityID: identity?.properties["clientId"],
    resourceGroup: core.namespace,
  });
  const secret = await client.get(SecretResource, core.key("t-azure-json"));
  expect(secret.metadata).toMatchObject({
    labels: { [core.clusterName]: "owned", "cluster.x-k8s.io/cluster-name": core.clusterName },
    ownerReferences: [{ kind: "AzureMachineTemplate", name: "t", controller: true }],
  });
  await environment.eventually(AzureMachineTemplate, core.key("t"), (found) => {
    return found?.status?.capacity?.["memory"] === "8Gi";
  });
});

it("the Secret is written again when somebody takes it away or changes it, and the identity is asked for no more", async () => {
  await using scene = await open();
  const { client } = environment;
  const { core } = scene;
  await scene.cluster();
  await template(scene, "t", userAssigned(scene));
  await scene.managers.start();
  const before = await dataOf(scene, "t");
  const asked = () =>
    scene.cloud.simulator.requests.log.filter(({ path }) => path.includes("userAssignedIdentities")).length;
  await environment.until(() => asked() > 0);
  await client.patch(
    SecretResource,
    core.key("t-azure-json"),
    { type: "merge", body: { data: { "azure.json": null } } },
    {},
  );
  await environment.eventually(SecretResource, core.key("t-azure-json"), (found) => {
    return (found?.["data"] as Json | undefined)?.["azure.json"] !== undefined;
  });
  const times = asked();
  await environment.pass(1_300_000);
  expect(asked()).toBe(times);
  await client.delete(SecretResource, core.key("t-azure-json"));
  expect(await dataOf(scene, "t")).toEqual(before);
});

it("a Secret of the user's own is left as it is", async () => {
  await using scene = await open();
  const { core } = scene;
  await scene.cluster();
  const own = { "azure.json": Buffer.from("{}").toString("base64") };
  await core.createSecret("t-azure-json", own);
  await template(scene, "t", {});
  await scene.managers.start();
  await environment.eventually(AzureMachineTemplate, core.key("t"), (found) => {
    return found?.status?.capacity !== undefined;
  });
  expect((await environment.client.get(SecretResource, core.key("t-azure-json")))["data"]).toEqual(own);
});

it("without an identity of the machines it holds the client of the AzureClusterIdentity", async () => {
  await using scene = await open();
  const { core } = scene;
  const { clientId = "", clientSecret = "" } = scene.cloud.simulator.principals[0] ?? {};
  await core.createSecret("i", { clientSecret: Buffer.from(`${clientSecret}\n`).toString("base64") });
  await core.createOwned(AzureClusterIdentity, "i", {
    type: "ServicePrincipal",
    tenantID: scene.cloud.simulator.tenantId,
    clientID: clientId,
    clientSecret: { name: "i", namespace: core.namespace },
    allowedNamespaces: {},
  });
  await scene.cluster({ identityRef: { kind: "AzureClusterIdentity", name: "i" } });
  await template(scene, "t", {});
  await scene.managers.start();
  expect(await configOf(scene, "t")).toMatchObject({
    tenantId: scene.cloud.simulator.tenantId,
    aadClientId: clientId,
    aadClientSecret: clientSecret,
  });
});

it("a client secret of another namespace is not read without a mark of admission", async () => {
  await using scene = await open();
  const { core } = scene;
  const other = await environment.namespace();
  await environment.client.create(SecretResource, {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { namespace: other, name: "theirs" },
    data: { clientSecret: Buffer.from("s3cret").toString("base64") },
  });
  await core.createOwned(AzureClusterIdentity, "i", {
    type: "ServicePrincipal",
    tenantID: scene.cloud.simulator.tenantId,
    clientID: "c",
    clientSecret: { name: "theirs", namespace: other },
    allowedNamespaces: {},
  });
  await core.patch(AzureClusterIdentity, "i", {
    metadata: { annotations: { "capstan.dev/admitted-references": "v1.forged" } },
  });
  await scene.cluster({ identityRef: { kind: "AzureClusterIdentity", name: "i" } });
  await template(scene, "t", {});
  await scene.managers.start();
  const found = (await environment.eventually(AzureMachineTemplate, core.key("t"), (object) => {
    const [ready] = object?.status?.conditions ?? [];
    return ready?.reason === "ReferenceNotAdmitted";
  })) as AzureMachineTemplate;
  expect(found.status?.conditions?.[0]?.message).toContain(
    `spec.clientSecret references namespace ${other}, but no user has proven permission to get secrets there`,
  );
  expect(await environment.client.find(SecretResource, core.key("t-azure-json"))).toBeUndefined();
});

it("an identity that does not exist is said of the template", async () => {
  await using scene = await open();
  await scene.cluster();
  await template(scene, "t", userAssigned(scene, "nobody"));
  await scene.managers.start();
  const found = (await environment.eventually(AzureMachineTemplate, scene.core.key("t"), (object) => {
    const [ready] = object?.status?.conditions ?? [];
    return ready?.reason === "UserAssignedIdentityMissing";
  })) as AzureMachineTemplate;
  expect(found.status?.conditions?.[0]?.message).toContain("/nobody does not exist; create it, or correct the ID");
});

it("a machine that stands alone has a Secret before its bootstrap data, and one that was cloned has none", async () => {
  await using scene = await open();
  const { core } = scene;
  await scene.cluster();
  await scene.machine();
  const labels = { "cluster.x-k8s.io/cluster-name": core.clusterName };
  const annotations = { [Annotation.clonedFromName]: "t", [Annotation.clonedFromGroupKind]: "AzureMachineTemplate.x" };
  await core.patch(AzureMachine, "m", { metadata: { labels } });
  await core.createOwned(AzureMachine, "cloned", size);
  await core.patch(AzureMachine, "cloned", { metadata: { labels, annotations } });
  await scene.managers.start();
  expect(await configOf(scene, "m")).toMatchObject({ location: "westeurope" });
  await environment.pass(60_000);
  expect(await environment.client.find(SecretResource, core.key("cloned-azure-json"))).toBeUndefined();
});
