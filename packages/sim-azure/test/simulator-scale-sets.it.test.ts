import { connect, createServer } from "node:net";
import { text as textFrom } from "node:stream/consumers";
import { createGuestHost, type GuestHost } from "@capstan/guest";
import { fakeClock, type FakeClock, seededRandom } from "@capstan/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { base64, computeAt, vmAt } from "./cluster-machine.ts";
import { at, idOf, makeNetwork } from "./cluster-network.ts";
import { extensionModel, setAt, setBody } from "./scale-set.ts";
import { type Answer, type SimulatedAzure, simulate } from "./simulation.ts";

let clock: FakeClock;
let guest: GuestHost;
let azure: SimulatedAzure;
beforeEach(async () => {
  clock = fakeClock();
  guest = createGuestHost({ clock, random: seededRandom(7), lenient: true });
  azure = await simulate({ clock, guest });
  await makeNetwork(azure);
});
afterEach(async () => {
  await azure[Symbol.asyncDispose]();
  await guest.stop();
});

const get = async (path: string) => (await azure.call("GET", path)).body;
const make = (model: Parameters<typeof setBody>[2] = {}): Promise<Answer> =>
  azure.settle("PUT", setAt("pool"), { body: setBody(azure, "pool", model) });
const instances = async (): Promise<readonly Answer["body"][]> => (await get(setAt("pool/virtualMachines"))).value;
const idsOf = async (): Promise<readonly string[]> => (await instances()).map(({ instanceId }) => instanceId as string);
const succeeded = { body: { status: "Succeeded" } };
const sentinel = "/run/cluster-api/bootstrap-success.complete";
const bootstrapped = base64(`#cloud-config\nruncmd: [echo success > ${sentinel}]\n`);
const until = extensionModel(`until test -e ${sentinel}; do sleep 5; done`);

/** Time passes in larger steps, until an operation is over. */
const ended = async ({ headers }: Answer): Promise<Answer["body"]> => {
  const address = headers["azure-asyncoperation"] as string;
  await clock.advanceUntil(async () => (await get(address)).status !== "InProgress", { stepMs: 5000 });
  return get(address);
};

describe("a scale set with machines of its own kind (Uniform)", () => {
  it("makes as many as it says, with cards, disks and names, and shows no secrets", async () => {
    const made = await azure.call("PUT", setAt("pool"), {
      body: setBody(azure, "pool", { customData: base64("#cloud-config\n# hidden\n"), outer: { zones: ["1", "2"] } }),
    });
    expect(made).toMatchObject({ status: 201, body: { properties: { provisioningState: "Creating" } } });
    expect(made.headers["azure-asyncoperation"]).toContain("/Microsoft.Compute/locations/eastus/operations/");
    expect(await ended(made)).toMatchObject({ status: "Succeeded" });
    const set = await get(setAt("pool"));
    expect(set).toMatchObject({ sku: { capacity: 2 }, properties: { provisioningState: "Succeeded" } });
    expect(JSON.stringify([made.body, set, azure.simulator.requests.log])).not.toContain(
      base64("#cloud-config\n# hidden\n"),
    );
    const [first, second] = await instances();
    expect(first).toMatchObject({
      id: expect.stringMatching(/\/virtualMachineScaleSets\/pool\/virtualMachines\/0$/) as string,
      name: "pool_0",
      instanceId: "0",
      sku: { name: "Standard_D2s_v3" },
      properties: {
        provisioningState: "Succeeded",
        latestModelApplied: true,
        osProfile: { computerName: "pool000000" },
        networkProfileConfiguration: { networkInterfaceConfigurations: [{ name: "pool-nic-0" }] },
      },
    });
    expect([first.zones, second.zones]).toEqual([["1"], ["2"]]);
    const cards = await get(setAt("pool/virtualMachines/0/networkInterfaces"));
    expect(cards.value).toMatchObject([
      {
        name: "pool-nic-0",
        properties: {
          virtualMachine: { id: first.id },
          ipConfigurations: [{ properties: { privateIPAddress: "10.1.0.4" } }],
        },
      },
    ]);
    expect((await get(setAt("pool/networkInterfaces"))).value).toHaveLength(2);
    const disk = first.properties.storageProfile.osDisk.managedDisk.id as string;
    expect(await get(disk)).toMatchObject({ managedBy: first.id, properties: { diskState: "Attached" } });
    expect((await get("resources")).value.map(({ type }: { type: string }) => type)).not.toContain(
      "Microsoft.Compute/virtualMachineScaleSets/virtualMachines",
    );
    expect(azure.simulator.requests.violations).toEqual([]);
  });

  it("runs machines that are looked into one by one", async () => {
    await make({ capacity: 1, customData: base64("#cloud-config\nruncmd: [echo bonjour]\n") });
    const path = setAt("pool/virtualMachines/0");
    expect(await get(`${path}/instanceView`)).toMatchObject({
      vmAgent: { statuses: [{ displayStatus: "Ready" }] },
      statuses: [{ code: "ProvisioningState/succeeded" }, { code: "PowerState/running" }],
    });
    expect((await get(`${path}?$expand=instanceView`)).properties.instanceView.computerName).toBe("pool000000");
    await clock.advanceUntil(() => azure.simulator.console("pool_0").some((line) => line.includes("bonjour")));
    const { body } = await azure.call("POST", `${path}/retrieveBootDiagnosticsData`);
    expect(await (await fetch(body.serialConsoleLogBlobUri as string)).text()).toContain("bonjour");
    const run = await azure.settle("POST", `${path}/runCommand`, {
      body: { commandId: "RunShellScript", script: ["echo hi"] },
    });
    expect(run).toMatchObject(succeeded);
    await azure.settle("POST", `${path}/deallocate`);
    expect((await get(`${path}/instanceView`)).statuses[1].code).toBe("PowerState/deallocated");
  });

  it("grows, and loses the newest when it shrinks", async () => {
    await make();
    expect(await make({ capacity: 3 })).toMatchObject(succeeded);
    expect(await idsOf()).toEqual(["0", "1", "2"]);
    const smaller = await azure.settle("PATCH", setAt("pool"), { body: { sku: { capacity: 1 } } });
    expect(smaller).toMatchObject(succeeded);
    expect(await idsOf()).toEqual(["0"]);
    expect((await get(setAt("pool/networkInterfaces"))).value).toHaveLength(1);
    expect((await get(computeAt("disks"))).value).toHaveLength(1);
    await make({ capacity: 2 });
    expect(await idsOf()).toEqual(["0", "3"]);
  });

  it("loses the machines that are named, and does not replace them", async () => {
    await make({ capacity: 3 });
    const body = { instanceIds: ["0", "2"] };
    expect(await azure.call("POST", setAt("pool/delete"), { body: { instanceIds: ["9"] } })).toMatchObject({
      status: 400,
      body: { error: { code: "InvalidParameter" } },
    });
    const begun = await azure.call("POST", setAt("pool/delete"), { body });
    expect(begun.status).toBe(202);
    expect((await instances()).map(({ properties }) => properties.provisioningState)).toEqual([
      "Deleting",
      "Succeeded",
      "Deleting",
    ]);
    expect(await ended(begun)).toMatchObject({ status: "Succeeded" });
    expect(await idsOf()).toEqual(["1"]);
    expect((await get(setAt("pool"))).sku.capacity).toBe(1);
    expect(await azure.settle("DELETE", setAt("pool/virtualMachines/1"))).toMatchObject(succeeded);
    expect((await azure.call("DELETE", setAt("pool/virtualMachines/1"))).status).toBe(204);
    expect((await get(setAt("pool"))).sku.capacity).toBe(0);
    expect(await azure.call("GET", setAt("pool/virtualMachines/1"))).toMatchObject({
      status: 404,
      body: { error: { code: "NotFound" } },
    });
  });

  it("gives a changed model to new machines only, until it is told otherwise", async () => {
    await make({ capacity: 1, customData: base64("#cloud-config\nruncmd: [echo old]\n") });
    const image = { publisher: "cncf-upstream", offer: "capi", sku: "ubuntu-2204-gen1", version: "latest" };
    await make({ capacity: 2, customData: base64("#cloud-config\nruncmd: [echo new]\n"), image });
    const latest = async () => (await instances()).map(({ properties }) => properties.latestModelApplied as boolean);
    expect(await latest()).toEqual([false, true]);
    await clock.advanceUntil(() => azure.simulator.console("pool_1").some((line) => line.includes("new")));
    expect(azure.simulator.console("pool_0").some((line) => line.includes("new"))).toBe(false);
    const upgraded = await azure.settle("POST", setAt("pool/manualupgrade"), { body: { instanceIds: ["0"] } });
    expect(upgraded).toMatchObject(succeeded);
    expect(await latest()).toEqual([true, true]);
    await clock.advanceUntil(() => azure.simulator.console("pool_0").some((line) => line.includes("new")));
  });

  it("keeps secrets that a change does not name", async () => {
    await make({ capacity: 0, customData: base64("#cloud-config\nruncmd: [echo kept]\n") });
    const { properties, ...set } = await get(setAt("pool"));
    await azure.settle("PUT", setAt("pool"), { body: { ...set, sku: { ...set.sku, capacity: 1 }, properties } });
    await clock.advanceUntil(() => azure.simulator.console("pool_0").some((line) => line.includes("kept")));
  });

  it("puts its machines into the pool of a load balancer", async () => {
    const pool = { id: idOf(azure, "loadBalancers/demo-lb/backendAddressPools/back") };
    await make({ ip: { loadBalancerBackendAddressPools: [pool] } });
    const [backend] = (await get(at("loadBalancers/demo-lb"))).properties.backendAddressPools;
    expect(backend.properties.backendIPConfigurations).toEqual([
      {
        id: expect.stringContaining(
          "/virtualMachines/0/networkInterfaces/pool-nic-0/ipConfigurations/pool-ip",
        ) as string,
      },
      {
        id: expect.stringContaining(
          "/virtualMachines/1/networkInterfaces/pool-nic-0/ipConfigurations/pool-ip",
        ) as string,
      },
    ]);
    expect(await azure.call("DELETE", at("virtualNetworks/demo-vnet/subnets/nodes"))).toMatchObject({
      status: 400,
      body: { error: { code: "InUseSubnetCannotBeDeleted" } },
    });
  });

  it("is reached through the public address of that load balancer", async () => {
    const pool = { id: idOf(azure, "loadBalancers/demo-lb/backendAddressPools/back") };
    await make({ capacity: 1, ip: { loadBalancerBackendAddressPools: [pool] } });
    const loopback = azure.simulator.state.resources.find(({ machine }) => machine !== undefined)?.machine?.loopback;
    const server = createServer((socket) => socket.end("hello"));
    await new Promise<void>((resolve) => server.listen({ host: loopback, port: 6443 }, resolve));
    const { fqdn } = (await get(at("publicIPAddresses/demo-api"))).properties.dnsSettings as { fqdn: string };
    expect(await textFrom(connect({ host: fqdn, port: 6443 }))).toBe("hello");
    await new Promise((resolve) => server.close(resolve));
  });

  it("goes with everything of it, and with its group", async () => {
    await make();
    expect(await azure.settle("DELETE", setAt("pool"))).toMatchObject(succeeded);
    expect((await azure.call("GET", setAt("pool"))).status).toBe(404);
    expect((await azure.call("DELETE", setAt("pool"))).status).toBe(204);
    expect((await get(computeAt("disks"))).value).toEqual([]);
    await make();
    expect(await azure.settle("DELETE", "resourceGroups/demo")).toMatchObject({ status: 200 });
    expect(azure.simulator.state.resources).toEqual([]);
    await clock.advance(1000);
    expect(azure.simulator.state.operations.filter(({ status }) => status === "InProgress")).toEqual([]);
  });

  it("is changed while it is being made: the later change counts", async () => {
    const first = await azure.call("PUT", setAt("pool"), { body: setBody(azure, "pool") });
    expect(await make({ capacity: 3 })).toMatchObject(succeeded);
    expect(await get(first.headers["azure-asyncoperation"] as string)).toMatchObject({
      status: "Failed",
      error: { code: "OperationPreempted" },
    });
    expect((await get(setAt("pool"))).properties.provisioningState).toBe("Succeeded");
    expect(await idsOf()).toEqual(["0", "1", "2"]);
  });
});

describe("a scale set of machines of their own (Flexible)", () => {
  it("makes virtual machines that name it, with cards and disks that go with them", async () => {
    expect(await make({ mode: "Flexible", outer: { zones: ["3"] } })).toMatchObject(succeeded);
    const set = await get(setAt("pool"));
    const filter = encodeURIComponent(`'virtualMachineScaleSet/id' eq '${set.id}'`);
    const machines = (await get(`providers/Microsoft.Compute/virtualMachines?$filter=${filter}`)).value;
    expect(machines).toHaveLength(2);
    expect(machines[0]).toMatchObject({
      name: expect.stringMatching(/^pool_[0-9a-f]{8}$/) as string,
      zones: ["3"],
      properties: { virtualMachineScaleSet: { id: set.id }, provisioningState: "Succeeded" },
    });
    expect((await get(at("networkInterfaces"))).value).toHaveLength(2);
    const [first] = await instances();
    expect(first).toMatchObject({ instanceId: machines[0].name });
    expect(first.properties.latestModelApplied).toBeUndefined();
    expect(await azure.settle("DELETE", `${vmAt(machines[0].name as string)}?forceDeletion=true`)).toMatchObject(
      succeeded,
    );
    expect((await get(setAt("pool"))).sku.capacity).toBe(1);
    expect((await get(at("networkInterfaces"))).value).toHaveLength(1);
    expect((await get(computeAt("disks"))).value).toHaveLength(1);
    expect(
      await azure.settle("POST", setAt("pool/delete"), { body: { instanceIds: [machines[1].name] } }),
    ).toMatchObject(succeeded);
    expect((await get(setAt("pool"))).sku.capacity).toBe(0);
    expect(await azure.settle("DELETE", setAt("pool"))).toMatchObject(succeeded);
    expect(azure.simulator.requests.violations).toEqual([]);
  });

  it("goes with its machines, and runs the extensions of its model in them", async () => {
    const made = await azure.call("PUT", setAt("pool"), {
      body: setBody(azure, "pool", { mode: "Flexible", customData: bootstrapped, extensions: [until] }),
    });
    expect(await ended(made)).toMatchObject({ status: "Succeeded" });
    const [{ instanceId }] = (await instances()) as [{ instanceId: string }];
    expect(await get(vmAt(`${instanceId}/extensions/CAPZ.Linux.Bootstrapping`))).toMatchObject({
      properties: { provisioningState: "Succeeded" },
    });
    expect(await azure.settle("DELETE", setAt("pool"))).toMatchObject(succeeded);
    expect((await get(computeAt("virtualMachines"))).value).toEqual([]);
    expect((await get(at("networkInterfaces"))).value).toEqual([]);
  });

  it("may be empty, for machines that are put into it", async () => {
    const body = {
      location: "eastus",
      zones: ["1"],
      properties: { orchestrationMode: "Flexible", platformFaultDomainCount: 1 },
    };
    expect(await azure.settle("PUT", setAt("pool"), { body })).toMatchObject(succeeded);
    expect(await instances()).toEqual([]);
  });
});

describe("what is refused of a scale set", () => {
  it.each([
    [{ outer: { sku: { name: "Standard_Z1", capacity: 1 } } }, 400, "InvalidParameter"],
    [{ outer: { sku: { name: "Standard_D2s_v3", capacity: 1001 } } }, 400, "BadRequest"],
    [{ outer: { zones: ["9"] } }, 400, "AvailabilityZoneNotSupported"],
    [{ outer: { sku: { name: "Standard_NC24ads_A100_v4", capacity: 1 } } }, 409, "SkuNotAvailable"],
    [{ image: { communityGalleryImageId: "/CommunityGalleries/x/Images/y" } }, 404, "GalleryImageNotFound"],
    [{ customData: "#cloud-config" }, 400, "InvalidParameter"],
    [{ more: { upgradePolicy: {} } }, 400, "InvalidParameter"],
    [
      { mode: "Flexible", profile: { networkProfile: { networkInterfaceConfigurations: [] } } },
      400,
      "InvalidParameter",
    ],
    [{ ip: { subnet: { id: "/subscriptions/x/resourceGroups/y/providers/N/v/z" } } }, 400, "InvalidResourceReference"],
    [{ extensions: [until, { ...until, name: "again" }] }, 400, "BadRequest"],
    [{ profile: { color: "red" } }, 400, "InvalidRequestContent"],
  ] as const)("%j", async (model, status, code) => {
    expect(await azure.call("PUT", setAt("pool"), { body: setBody(azure, "pool", model) })).toMatchObject({
      status,
      body: { error: { code } },
    });
    expect((await azure.call("GET", setAt("pool"))).status).toBe(404);
  });

  it("a change of what never changes", async () => {
    await make({ capacity: 0 });
    const body = setBody(azure, "pool", { mode: "Flexible", capacity: 0 });
    expect(await azure.call("PUT", setAt("pool"), { body })).toMatchObject({
      status: 409,
      body: { error: { code: "PropertyChangeNotAllowed" } },
    });
  });

  it("more cores than there are", async () => {
    await using small = await simulate({ quotas: { cores: 4 } });
    await makeNetwork(small);
    expect(await small.settle("PUT", setAt("pool"), { body: setBody(small, "pool") })).toMatchObject(succeeded);
    expect(await small.call("PATCH", setAt("pool"), { body: { sku: { capacity: 3 } } })).toMatchObject({
      status: 409,
      body: { error: { code: "OperationNotAllowed", message: expect.stringContaining("quota") as string } },
    });
  });

  it("more machines than there is room for: those that there are stay", async () => {
    await using full = await simulate({ capacity: { Standard_D2s_v3: 2 } });
    await makeNetwork(full);
    expect(await full.settle("PUT", setAt("pool"), { body: setBody(full, "pool") })).toMatchObject(succeeded);
    expect(await full.settle("PATCH", setAt("pool"), { body: { sku: { capacity: 3 } } })).toMatchObject({
      body: { status: "Failed", error: { code: "AllocationFailed" } },
    });
    expect((await full.call("GET", `${setAt("pool")}/virtualMachines`)).body.value).toHaveLength(2);
  });

  it("that there is no capacity: nothing is made, and the set has failed", async () => {
    azure.simulator.faults.add({
      method: "PUT",
      path: /virtualMachineScaleSets/,
      action: { kind: "operation-failed", code: "ZonalAllocationFailed" },
    });
    expect(await make()).toMatchObject({ body: { status: "Failed", error: { code: "ZonalAllocationFailed" } } });
    expect((await get(setAt("pool"))).properties.provisioningState).toBe("Failed");
    expect(await instances()).toEqual([]);
    expect(await make()).toMatchObject(succeeded);
  });
});

it("fails with a machine whose system never says that it is up", async () => {
  azure.simulator.guestPlans.add({ machine: "pool_1", boot: "never" });
  const made = await azure.call("PUT", setAt("pool"), { body: setBody(azure, "pool") });
  await clock.advance(21 * 60_000);
  expect(await get(made.headers["azure-asyncoperation"] as string)).toMatchObject({
    status: "Failed",
    error: { code: "OSProvisioningTimedOut" },
  });
  expect((await instances()).map(({ properties }) => properties.provisioningState)).toEqual(["Succeeded", "Failed"]);
});
