import { conditionOf, SecretResource } from "@capstan/contract/wire";
import type { KubeObject } from "@capstan/schema";
import type { ConformanceEnvironment } from "@capstan/testing/environment";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AzureClusterIdentity } from "../src/api.ts";
import { because, isReady, openScene, propertiesOf, startEnvironment } from "./scene.ts";

let environment: ConformanceEnvironment;
beforeAll(async () => {
  environment = await startEnvironment();
});
afterAll(() => environment.stop());

const image = {
  marketplace: { publisher: "cncf-upstream", offer: "capi", sku: "ubuntu-2204-gen1", version: "latest" },
};
const stack = { azureEnvironment: "AzureStackCloud", location: "westus" } as const;

const saysOf = (object: KubeObject): string => conditionOf(object, "Ready", "v1beta1")?.message ?? "";

describe("a cluster on an Azure Stack Hub", () => {
  it("comes up by what that says of its login, within the versions of the APIs that it knows", async () => {
    await using scene = await openScene(environment, { azureStack: true });
    const { cloud, core } = scene;
    const [owner] = cloud.simulator.principals;
    await core.createSecret("client", { clientSecret: Buffer.from(owner?.clientSecret ?? "").toString("base64") });
    const identity = {
      type: "ServicePrincipal",
      tenantID: cloud.simulator.tenantId,
      clientID: owner?.clientId,
      clientSecret: { name: "client" },
      allowedNamespaces: {},
    };
    await core.createOwned(AzureClusterIdentity, "i", identity);
    await scene.cluster({ ...stack, identityRef: { kind: "AzureClusterIdentity", name: "i" } });
    await scene.machine({ image }, { controlPlane: true });
    await scene.machine({ image }, { name: "worker" });
    await scene.managers.start();
    await scene.clusterIs(isReady);
    const vm = await scene.machineIs(isReady);
    await scene.machineIs(isReady, "worker");
    expect(vm.status?.addresses?.length).toBeGreaterThan(1);
    expect(cloud.simulator.requests.violations).toEqual([]);
    expect(cloud.simulator.login.requests.log.map(({ status }) => status)).not.toContain(400);
    const names = cloud.simulator.state.resources.map(({ type }) => type.split("/").at(-1));
    expect(names).toContain("availabilitySets");
    expect(names).not.toContain("natGateways");
    const { properties } = scene.resource("virtualMachines", "worker");
    expect(properties["diagnosticsProfile"]).toEqual({ bootDiagnostics: { enabled: false } });
    // What leaves goes by a load balancer, since there are no gateways.
    const [configuration] = propertiesOf(scene.resource("networkInterfaces", "worker-nic"))["ipConfigurations"] ?? [];
    expect(JSON.stringify(configuration)).toContain("outboundBackendPool");
    const secret = await environment.client.get<KubeObject>(SecretResource, core.key("m-azure-json"));
    const text = (secret["data"] as Readonly<Record<string, string>>)["azure.json"] ?? "";
    expect(JSON.parse(Buffer.from(text, "base64").toString())).toMatchObject({
      cloud: "AzureStackCloud",
      resourceManagerEndpoint: cloud.simulator.url,
    });
  });

  it("that says nothing of its login is asked again, and of which nobody knows where it is is not asked at all", async () => {
    await using scene = await openScene(environment, { azureStack: true });
    const { cloud, core } = scene;
    const identity = { type: "WorkloadIdentity", tenantID: "t", clientID: "c", allowedNamespaces: {} };
    await core.createOwned(AzureClusterIdentity, "i", identity);
    const action = { kind: "status", status: 404 } as const;
    cloud.simulator.faults.add({ path: /metadata\/endpoints/i, times: Infinity, action });
    await scene.cluster({ ...stack, identityRef: { kind: "AzureClusterIdentity", name: "i" } });
    await scene.managers.start();
    const found = await scene.clusterIs((cluster) => saysOf(cluster).includes("without login and audience"));
    expect(saysOf(found)).toContain("check AZURE_RESOURCE_MANAGER_ENDPOINT");
  });

  it("makes no machine that it cannot serve, and says why", async () => {
    await using scene = await openScene(environment, { azureStack: true });
    await scene.cluster({ ...stack });
    await scene.machine({ image, spotVMOptions: {} });
    await scene.managers.start();
    const machine = await scene.machineIs(because("InvalidConfiguration"));
    expect(saysOf(machine)).toBe("spec.spotVMOptions: Azure Stack has no spot instances; remove the field");
    expect(scene.cloud.simulator.state.resources.map(({ type }) => type)).not.toContain(
      "Microsoft.Compute/virtualMachines",
    );
  });
});
