import { conditionOf, conditionsOf } from "@capstan/contract/wire";
import { apiVersionOf } from "@capstan/schema";
import type { ConformanceEnvironment } from "@capstan/testing/environment";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AzureCluster, AzureClusterIdentity, AzureMachine } from "../src/api.ts";
import { location } from "./cloud.ts";
import { existingNetwork } from "./existing-network.ts";
import type { Scene } from "./scene.ts";
import { because, isReady, openScene, propertiesOf, startEnvironment } from "./scene.ts";

let environment: ConformanceEnvironment;
beforeAll(async () => {
  environment = await startEnvironment();
});
afterAll(() => environment.stop());
const open = (): Promise<Scene> => openScene(environment);

describe("an AzureCluster", () => {
  it("shows each part in a condition, the zones, and the address of its API server", async () => {
    await using scene = await open();
    await scene.cluster();
    await scene.managers.start();
    const cluster = await scene.clusterIs(isReady);
    const types = conditionsOf(cluster, "v1beta1").filter(({ status }) => status === "True");
    expect(types.map(({ type }) => type)).toEqual(
      expect.arrayContaining([
        "ResourceGroupReady",
        "VNetReady",
        "SecurityGroupsReady",
        "RouteTablesReady",
        "PublicIPsReady",
        "NATGatewaysReady",
        "SubnetsReady",
        "LoadBalancersReady",
        "NetworkInfrastructureReady",
      ]),
    );
    expect(Object.keys(cluster.status?.failureDomains ?? {})).toEqual(["1", "2", "3"]);
    expect(cluster.spec?.controlPlaneEndpoint?.port).toBe(6443);
    expect(cluster.spec?.networkSpec?.vnet?.id).toBe(scene.resource("virtualNetworks").id);
  });

  it("mends what somebody took away, and leaves what somebody added", async () => {
    await using scene = await open();
    await scene.cluster();
    await scene.managers.start();
    await scene.clusterIs(isReady);
    const group = scene.resource("networkSecurityGroups", "controlplane-nsg");
    const { securityRules = [] } = propertiesOf(group);
    const foreign = {
      ...securityRules[0],
      name: "foreign",
      properties: { ...(securityRules[0]?.["properties"] as object), priority: 300 },
    };
    const [, kept] = securityRules;
    await scene.cloud.call("PUT", group.id, {
      location,
      tags: group.tags,
      properties: {
        securityRules: [foreign, kept].map((rule) => ({ name: rule?.["name"], properties: rule?.["properties"] })),
      },
    });
    await environment.pass(1_300_000);
    const names = propertiesOf(scene.resource("networkSecurityGroups", "controlplane-nsg"))["securityRules"]?.map(
      ({ name }) => name,
    );
    expect(names).toEqual(["foreign", "allow_ssh", "allow_apiserver"]);
  });

  it("uses a network of others as it is, and leaves it when it goes", async () => {
    await using scene = await open();
    await scene.cluster(await existingNetwork(scene.cloud, scene.core.namespace));
    await scene.managers.start();
    await scene.clusterIs(isReady);
    const types = () => scene.cloud.simulator.state.resources.map(({ type }) => type);
    expect(types()).toEqual(["Microsoft.Network/virtualNetworks"]);
    await environment.client.delete(AzureCluster, scene.core.key(scene.core.clusterName));
    await environment.eventually(AzureCluster, scene.core.key(scene.core.clusterName), (found) => found === undefined);
    expect([types(), scene.cloud.simulator.state.groups.length]).toEqual([["Microsoft.Network/virtualNetworks"], 1]);
  });

  it("deletes what is its own from a resource group of others", async () => {
    await using scene = await open();
    const { namespace } = scene.core;
    const path = `/subscriptions/${scene.cloud.simulator.subscriptionId}/resourceGroups/${namespace}`;
    await scene.cloud.call("PUT", path, { location });
    await scene.cluster();
    await scene.managers.start();
    await scene.clusterIs(isReady);
    await environment.client.delete(AzureCluster, scene.core.key(scene.core.clusterName));
    await environment.eventually(AzureCluster, scene.core.key(scene.core.clusterName), (found) => found === undefined);
    expect([scene.cloud.simulator.state.resources, scene.cloud.simulator.state.groups.length]).toEqual([[], 1]);
  });

  it.each([
    [{ azureEnvironment: "AzureGermanCloud" }, "EnvironmentUnknown", "not AzureGermanCloud"],
    [
      { identityRef: { kind: "AzureClusterIdentity", name: "nobody" } },
      "IdentityMissing",
      "nobody of spec.identityRef does not exist; create it",
    ],
  ])("with %j makes nothing, and says why: %s", async (spec, reason, words) => {
    await using scene = await open();
    await scene.cluster(spec);
    await scene.managers.start();
    const cluster = await scene.clusterIs(because(reason));
    expect(conditionOf(cluster, "Ready", "v1beta1")?.message).toContain(words);
    expect(scene.cloud.simulator.state.groups).toEqual([]);
  });

  it("whose control plane others provide waits for its endpoint, and has no load balancer for it", async () => {
    await using scene = await open();
    await scene.cluster({ controlPlaneEnabled: false });
    await scene.managers.start();
    const waiting = await scene.clusterIs(because("ExternallyManagedControlPlane"));
    expect(conditionOf(waiting, "Ready", "v1beta1")?.message).toContain("to set spec.controlPlaneEndpoint");
    expect(waiting.status?.ready).not.toBe(true);
    const spec = { controlPlaneEndpoint: { host: "api.example.com", port: 443 } };
    await scene.core.patch(AzureCluster, scene.core.clusterName, { spec });
    const ready = await scene.clusterIs(isReady);
    expect(ready.spec?.controlPlaneEndpoint).toEqual(spec.controlPlaneEndpoint);
    expect(scene.cloud.simulator.state.resources.map(({ type }) => type)).not.toContain(
      "Microsoft.Network/loadBalancers",
    );
  });

  it("is not let into a namespace that its identity is not for", async () => {
    await using scene = await open();
    const spec = { type: "WorkloadIdentity", tenantID: "t", clientID: "c", allowedNamespaces: { list: ["elsewhere"] } };
    await scene.core.createOwned(AzureClusterIdentity, "i", spec);
    await scene.cluster({ identityRef: { kind: "AzureClusterIdentity", name: "i" } });
    await scene.managers.start();
    const cluster = await scene.clusterIs(because("NamespaceNotAllowedByIdentity"));
    expect(conditionOf(cluster, "Ready", "v1beta1")?.message).toContain("add it to spec.allowedNamespaces");
  });

  it("does not learn whether another namespace has an identity that is not for it", async () => {
    const messages: string[] = [];
    for (const name of ["theirs", "nobodys"]) {
      await using scene = await open();
      const other = await environment.namespace();
      const { apiVersion, kind } = { apiVersion: apiVersionOf(AzureClusterIdentity), kind: "AzureClusterIdentity" };
      const spec = {
        type: "WorkloadIdentity",
        tenantID: "t",
        clientID: "c",
        allowedNamespaces: { list: ["x"] },
      } as const;
      const metadata = { namespace: other, name: "theirs" };
      await environment.client.create(AzureClusterIdentity, { apiVersion, kind, metadata, spec });
      await scene.cluster({ identityRef: { kind, name, namespace: other } });
      await scene.managers.start();
      const cluster = await scene.clusterIs(because("NamespaceNotAllowedByIdentity"));
      const { message = "" } = conditionOf(cluster, "Ready", "v1beta1") ?? {};
      const { clusterName, namespace } = scene.core;
      const words = [other, namespace, clusterName, name].reduce((text, word) => text.replaceAll(word, "*"), message);
      messages.push(words);
    }
    expect(messages[0]).toContain("is usable in the namespace");
    expect(messages[1]).toBe(messages[0]);
  });
});

describe("an AzureMachine", () => {
  it("of the control plane is behind the load balancer, and reached for SSH", async () => {
    await using scene = await open();
    await scene.cluster();
    await scene.machine({}, { controlPlane: true, failureDomain: "2" });
    await scene.managers.start();
    const machine = await scene.machineIs(isReady);
    const balancer = scene.resource("loadBalancers");
    expect(propertiesOf(balancer)["inboundNatRules"]).toMatchObject([{ name: "m", properties: { frontendPort: 22 } }]);
    const [configuration] = propertiesOf(scene.resource("networkInterfaces", "m-nic"))["ipConfigurations"] ?? [];
    expect(configuration).toMatchObject({
      properties: {
        loadBalancerBackendAddressPools: [{ id: expect.stringContaining("public-lb-backendPool") as string }],
        loadBalancerInboundNatRules: [{ id: expect.stringContaining("/inboundNatRules/m") as string }],
      },
    });
    expect(scene.resource("virtualMachines").outer).toMatchObject({ zones: ["2"] });
    const { clusterName } = scene.core;
    const tags = {
      [`sigs.k8s.io_cluster-api-provider-azure_cluster_${clusterName}`]: "owned",
      [`kubernetes.io_cluster_${clusterName}`]: "owned",
      "sigs.k8s.io_cluster-api-provider-azure_role": "control-plane",
    };
    expect(scene.resource("virtualMachines").tags).toMatchObject({ ...tags, Name: "m" });
    expect(scene.resource("networkInterfaces", "m-nic").tags).toMatchObject({ ...tags, Name: "m-nic" });
    expect(machine.spec?.providerID).toBe(
      `azure:///subscriptions/${scene.cloud.simulator.subscriptionId}/resourceGroups/${scene.core.namespace}/providers/Microsoft.Compute/virtualMachines/m`,
    );
    expect(machine.status?.addresses?.map(({ type }) => type)).toEqual(["InternalDNS", "InternalIP"]);
    expect(machine.status?.vmState).toBe("Succeeded");
  });

  it("gets tags that are added to it", async () => {
    await using scene = await open();
    await scene.cluster();
    await scene.machine();
    await scene.managers.start();
    await scene.machineIs(isReady);
    await scene.core.patch(AzureMachine, "m", { spec: { additionalTags: { team: "a" } } });
    await environment.until(() => scene.resource("virtualMachines").tags?.["team"] === "a");
  });

  it("that was deleted at Azure is not made again, and says so to both contracts", async () => {
    await using scene = await open();
    await scene.cluster();
    await scene.machine();
    await scene.managers.start();
    await scene.machineIs(isReady);
    await scene.cloud.call("DELETE", scene.resource("virtualMachines").id);
    const machine = await scene.machineIs(because("VMDeleted"));
    expect(machine.status).toMatchObject({ vmState: "Deleted", failureReason: "UpdateError" });
  });

  it.each([
    [{ vmSize: "Standard_Moon" }, "InvalidConfiguration", "spec.vmSize Standard_Moon does not exist in westeurope"],
    [
      { networkInterfaces: [{ subnetName: "none" }] },
      "SubnetUnknown",
      "uses the subnet none, which the AzureCluster does not have",
    ],
  ])("with %j is refused before anything is made: %s", async (spec, reason, words) => {
    await using scene = await open();
    await scene.cluster();
    await scene.machine(spec);
    await scene.managers.start();
    const machine = await scene.machineIs(because(reason));
    expect(conditionOf(machine, "Ready", "v1beta1")?.message).toContain(words);
    await scene.clusterIs(isReady);
    expect(scene.cloud.simulator.state.resources.filter(({ name }) => name.startsWith("m"))).toEqual([]);
  });

  it("waits while the subscription has no quota, and says so", async () => {
    await using scene = await open();
    await scene.cluster();
    await scene.managers.start();
    // What was refused is tried at once when the cluster changes, as it does until it is ready.
    await scene.clusterIs(isReady);
    const quota = {
      kind: "status",
      status: 409,
      code: "OperationNotAllowed",
      reason: "exceeding approved cores quota",
    } as const;
    scene.cloud.simulator.faults.add({ method: "PUT", path: /\/virtualMachines\/m$/i, times: 1, action: quota });
    await scene.machine();
    const machine = await scene.machineIs(because("QuotaExceeded"));
    expect(conditionOf(machine, "Ready", "v1beta1")?.message).toContain("ask Azure for a higher quota");
    await scene.machineIs(isReady);
  });
});
