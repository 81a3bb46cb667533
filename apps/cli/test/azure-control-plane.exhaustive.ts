import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ClusterResource, MachineResource, SecretResource, valueAt } from "@capstan/contract/wire";
import { AzureMachineTemplate } from "@capstan/infra-azure/api";
import { expect, it } from "vitest";
import { startAzureSystem } from "./azure-system.ts";

const example = readFileSync(join(import.meta.dirname, "../../../examples/azure/control-plane.yaml"), "utf8");

const namespace = "default";

it("a KubeadmControlPlane on Azure comes up with the cloud provider's configuration of its templates, and deletes to nothing", async () => {
  await using system = await startAzureSystem(example);
  const { client } = system.running;
  const { requests, state } = system.simulator;
  await system.untilRunning();
  const { items: machines } = await client.list(MachineResource, { namespace });
  expect(machines.map((machine) => valueAt(machine, "status.nodeInfo.kubeletVersion"))).toEqual(
    Array.from({ length: 3 }, () => "v1.35.4"),
  );

  const configOf = async (name: string): Promise<unknown> => {
    const secret = await client.get(SecretResource, { namespace, name: `${name}-azure-json` });
    const { "azure.json": text = "" } = secret["data"] as Readonly<Record<string, string>>;
    return JSON.parse(Buffer.from(text, "base64").toString());
  };
  const identity = state.resources.find(({ name }) => name === "cloud-provider-user-identity");
  expect(await configOf("heather-control-plane")).toMatchObject({
    useManagedIdentityExtension: true,
    userAssignedIdentityID: identity?.properties["clientId"],
    subnetName: "node-subnet",
  });
  const worker = { useManagedIdentityExtension: false, aadClientId: system.simulator.principals[0]?.clientId };
  expect(await configOf("heather-md-0")).toMatchObject(worker);
  const template = await client.get(AzureMachineTemplate, { namespace, name: "heather-md-0" });
  expect(template.status).toMatchObject({
    capacity: { cpu: "2", memory: "8Gi" },
    nodeInfo: { architecture: "amd64", operatingSystem: "linux" },
  });
  expect(requests.violations).toEqual([]);

  await system.quiet();
  const writes = () => requests.log.filter(({ method }) => method !== "GET").length;
  const settled = writes();
  const { resourceVersion } = (await client.get(AzureMachineTemplate, { namespace, name: "heather-md-0" })).metadata;
  await system.pass(1_800_000);
  expect(writes() - settled, "nothing is written to Azure when all is as it should be").toBe(0);
  expect(
    (await client.get(AzureMachineTemplate, { namespace, name: "heather-md-0" })).metadata.resourceVersion,
    "and nothing to the template",
  ).toBe(resourceVersion);

  await client.delete(ClusterResource, { namespace, name: "heather" });
  await system.until(async () => (await client.find(ClusterResource, { namespace, name: "heather" })) === undefined);
  expect(state.resources.map(({ id }) => id)).toEqual(system.foreign);
});
