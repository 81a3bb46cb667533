import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ClusterResource, MachineResource, valueAt } from "@capstan/contract/wire";
import { AzureClusterIdentity, AzureMachine } from "@capstan/infra-azure/api";
import { expect, it } from "vitest";
import { startAzureSystem } from "./azure-system.ts";

const example = readFileSync(join(import.meta.dirname, "../../../examples/azure/quickstart.yaml"), "utf8");

const namespace = "default";

it("the example on Azure brings up a control plane and three workers, one of them by the object store, and deletes to nothing", async () => {
  await using system = await startAzureSystem(example);
  const { client } = system.running;
  const { blobs, requests, state } = system.simulator;
  await system.untilRunning();
  const { items: machines } = await client.list(MachineResource, { namespace });
  expect(machines.map((machine) => valueAt(machine, "status.nodeInfo.kubeletVersion"))).toEqual(
    Array.from({ length: 4 }, () => "v1.35.4"),
  );
  const count = (type: string) => state.resources.filter((resource) => resource.type.endsWith(`/${type}`)).length;
  expect({
    groups: state.groups.filter(({ name }) => name === "lupin").length,
    machines: count("virtualMachines"),
    interfaces: count("networkInterfaces"),
    networks: count("virtualNetworks"),
    securityGroups: count("networkSecurityGroups"),
    gateways: count("natGateways"),
    balancers: count("loadBalancers"),
    addresses: count("publicIPAddresses"),
  }).toEqual({
    groups: 1,
    machines: 4,
    interfaces: 4,
    networks: 1,
    securityGroups: 2,
    gateways: 1,
    balancers: 1,
    addresses: 2,
  });
  const routes = (await client.list(AzureMachine, { namespace })).items.map(
    ({ metadata }) =>
      (JSON.parse(metadata.annotations?.["capstan.dev/bootstrap-delivery"] ?? "{}") as { readonly route?: string })
        .route,
  );
  expect(routes.filter((route) => route === "object-store")).toHaveLength(1);
  expect(routes.filter((route) => route === "direct")).toHaveLength(3);
  expect(blobs.requests.log.filter(({ method }) => method === "PUT")).toHaveLength(1);
  expect(requests.violations).toEqual([]);

  await system.quiet();
  expect(system.running.progress.rows().filter(({ done }) => !done)).toEqual([]);
  const writes = () => requests.log.filter(({ method }) => method !== "GET").length;
  const before = writes();
  await system.pass(1_800_000);
  expect(writes() - before, "nothing is written to Azure when all is as it should be").toBe(0);

  await client.delete(ClusterResource, { namespace, name: "lupin" });
  await system.until(async () => (await client.find(ClusterResource, { namespace, name: "lupin" })) === undefined);
  expect(state.groups.map(({ name }) => name)).toEqual(["capz-ci"]);
  expect(state.resources.map(({ id }) => id)).toEqual(system.foreign);
  expect((await client.list(MachineResource, { namespace })).items).toEqual([]);
  const identity = await client.get(AzureClusterIdentity, { namespace, name: "lupin" });
  expect(identity.metadata.finalizers ?? [], "nobody uses the identity any more").toEqual([]);
});
