import { conditionsOf, MachineResource } from "@capstan/contract/wire";
import { expect, it } from "vitest";
import { LinodeVPC } from "../src/api.ts";
import {
  createCluster,
  createMachine,
  getCluster,
  getMachine,
  namespace,
  readyOf,
  reportInfrastructure,
  startWorld,
} from "./management.ts";
import type { World } from "./management.ts";

const preflight = async (world: World, name: string): Promise<Readonly<Record<string, string>>> =>
  Object.fromEntries(
    conditionsOf((await getMachine(world, name)) ?? { apiVersion: "", kind: "", metadata: {} }).flatMap(
      ({ type, status, reason }) => (type.startsWith("Preflight") ? [[type.slice(9), `${status} ${reason}`]] : []),
    ),
  );

it("conditions of a machine show what has been done before its instance runs, as upstream calls it", async () => {
  await using world = await startWorld();
  const { api } = world;
  const vpcRef = { name: "net" };
  await createCluster(world, "prod", { vpcRef });
  await world.until(async () => readyOf(await getCluster(world, "prod"))?.reason === "LinodeVPCNotYetAvailable");
  const vpcOfCluster = async () =>
    conditionsOf((await getCluster(world, "prod"))!).find(({ type }) => type === "PreflightLinodeVPCReady");
  expect(await vpcOfCluster()).toMatchObject({ status: "False", reason: "LinodeVPCNotYetAvailable" });
  await api.create(LinodeVPC, {
    apiVersion: "infrastructure.cluster.x-k8s.io/v1alpha2",
    kind: "LinodeVPC",
    metadata: { name: "net", namespace },
    spec: { region: "us-ord", subnets: [{ label: "default", ipv4: "10.0.0.0/24" }] },
  });
  await world.until(async () => (await getCluster(world, "prod"))?.status?.ready === true);
  expect(await vpcOfCluster()).toMatchObject({ status: "True", reason: "LinodeVPCReady" });
  await reportInfrastructure(world, "prod");

  const spec = { firewallRef: { name: "wall" }, dataDisks: { sdc: { size: "1Gi" } } };
  await createMachine(world, "node", { cluster: "prod", spec });
  await world.until(async () => readyOf(await getMachine(world, "node"))?.reason === "LinodeFirewallNotYetAvailable");
  expect(await preflight(world, "node")).toEqual({
    BootstrapDataSecretReady: "True BootstrapDataSecretReady",
    LinodeFirewallReady: "False LinodeFirewallNotYetAvailable",
    LinodeVPCReady: "True LinodeVPCReady",
  });
  await createMachine(world, "refused", { cluster: "prod", spec: { type: "g9-none" } });
  await world.until(async () => (await preflight(world, "refused"))["Created"] === "False CreateError");
  await createMachine(world, "disks", { cluster: "prod", spec: { dataDisks: { sdc: { size: "1Gi" } } } });
  const seen: string[] = [];
  await world.until(async () => {
    seen.push(Object.keys(await preflight(world, "disks")).join());
    return (await getMachine(world, "disks"))?.status?.ready === true;
  });
  expect(new Set(seen.map((each) => each.split(",").length)).size, "they come one after another").toBeGreaterThan(2);
  expect(await preflight(world, "disks")).toEqual({
    AdditionalDisksCreated: "True AdditionalDisksCreated",
    BootTriggered: "True LinodeMachinePreflightBootTriggered",
    BootstrapDataSecretReady: "True BootstrapDataSecretReady",
    Configured: "True LinodeMachinePreflightConfigured",
    Created: "True LinodeMachinePreflightCreated",
    LinodeVPCReady: "True LinodeVPCReady",
    MetadataSupportConfigured: "True LinodeMetadataSupportConfigured",
    Ready: "True LinodeMachinePreflightReady",
  });
});

it("a machine without bootstrap data says that it waits for it", async () => {
  await using world = await startWorld();
  const { api } = world;
  await createCluster(world, "prod");
  await createMachine(world, "node", { cluster: "prod" });
  const key = { namespace, name: "node" };
  await api.patch(MachineResource, key, { type: "merge", body: { spec: { bootstrap: { dataSecretName: null } } } });
  await reportInfrastructure(world, "prod");
  await world.until(async () => readyOf(await getMachine(world, "node"))?.reason === "WaitingForBootstrapData");
  expect(await preflight(world, "node")).toEqual({ BootstrapDataSecretReady: "False WaitingForBootstrapData" });
  const body = { spec: { bootstrap: { dataSecretName: "node-data" } } };
  await api.patch(MachineResource, key, { type: "merge", body });
  await world.until(async () => (await preflight(world, "node"))["Ready"] === "True LinodeMachinePreflightReady");
});
