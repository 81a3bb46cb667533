import { MachineResource } from "@capstan/contract/wire";
import type { ConformanceEnvironment } from "@capstan/testing/environment";
import { afterAll, beforeAll, expect, it } from "vitest";
import { because, isReady, openScene, propertiesOf, startEnvironment } from "./scene.ts";

let environment: ConformanceEnvironment;
beforeAll(async () => {
  environment = await startEnvironment();
});
afterAll(() => environment.stop());

const minute = 60_000;

it("takes a control plane's virtual machine that was deleted at Azure out of load balancers, and keeps the rest", async () => {
  await using scene = await openScene(environment);
  await scene.cluster();
  await scene.machine({}, { controlPlane: true });
  await scene.managers.start();
  await scene.machineIs(isReady);
  const configuration = () =>
    propertiesOf(scene.resource("networkInterfaces", "m-nic"))["ipConfigurations"]?.[0]?.["properties"] as
      | Record<string, unknown>
      | undefined;
  expect(configuration()).toMatchObject({
    loadBalancerBackendAddressPools: [{}],
    loadBalancerInboundNatRules: [{}],
  });
  const { privateIPAddress } = configuration()!;
  await scene.cloud.call("DELETE", scene.resource("virtualMachines").id);
  await scene.machineIs(because("VMDeleted"));
  await environment.until(() => configuration()?.["loadBalancerBackendAddressPools"] === undefined);
  expect(configuration()).toMatchObject({ privateIPAddress });
  expect(configuration()).not.toHaveProperty("loadBalancerInboundNatRules");
  const puts = () => scene.cloud.simulator.requests.log.filter(({ method }) => method !== "GET").length;
  const before = puts();
  await environment.pass(30 * minute);
  expect(puts(), "nothing is written any more").toBe(before);
  expect(scene.cloud.simulator.requests.violations).toEqual([]);
});

it("sees that the public address of a machine was swapped at Azure", async () => {
  await using scene = await openScene(environment);
  await scene.cluster();
  await scene.machine({ allocatePublicIP: true });
  await scene.managers.start();
  await scene.core.setStatus(MachineResource, "m", "status.nodeRef", { name: "m" });
  const ready = await scene.machineIs(isReady);
  const externalOf = (machine: typeof ready) =>
    (machine.status?.addresses ?? []).find(({ type }) => type === "ExternalIP")?.address;
  const before = externalOf(ready);
  expect(before).toBeDefined();
  const card = scene.resource("networkInterfaces", "m-nic");
  const group = card.id.split("/providers/")[0]!;
  const other = `${group}/providers/Microsoft.Network/publicIPAddresses/other`;
  await scene.cloud.call("PUT", other, {
    location: card.location,
    sku: { name: "Standard" },
    properties: { publicIPAllocationMethod: "Static" },
  });
  await environment.pass(minute);
  const ipConfigurations = propertiesOf(card)["ipConfigurations"]!.map((each) => ({
    ...each,
    properties: { ...(each["properties"] as object), publicIPAddress: { id: other } },
  }));
  await scene.cloud.call("PUT", card.id, {
    location: card.location,
    tags: card.tags,
    properties: { ipConfigurations },
  });
  const { ipAddress } = scene.resource("publicIPAddresses", "other").properties;
  await scene.machineIs((machine) => externalOf(machine) === ipAddress);
});
