import { connect, createServer } from "node:net";
import { createGuestHost, type GuestHost } from "@capstan/guest";
import { fakeClock, type FakeClock, seededRandom } from "@capstan/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { base64, bootstrapping, computeAt, makeVm, vmAt, vmBody } from "./cluster-machine.ts";
import { at, idOf, makeNetwork, networkCard } from "./cluster-network.ts";
import { type SimulatedAzure, simulate } from "./simulation.ts";

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
const succeeded = { body: { status: "Succeeded" } };
const sentinel = "/run/cluster-api/bootstrap-success.complete";
const wait = `i=0; until test -e ${sentinel}; do sleep 5; done`;

describe("a virtual machine", () => {
  it("is made, runs and shows all but secrets", async () => {
    await azure.call("PUT", at("networkInterfaces/web-nic"), { body: networkCard(azure, "control") });
    const made = await azure.call("PUT", vmAt("web"), {
      body: vmBody(azure, "web", { customData: base64("#cloud-config\n# hidden\n") }),
    });
    expect(made).toMatchObject({ status: 201, body: { zones: ["1"], properties: { provisioningState: "Creating" } } });
    expect(made.headers["azure-asyncoperation"]).toContain("/providers/Microsoft.Compute/locations/eastus/operations/");
    expect(JSON.stringify(made.body)).not.toContain(base64("#cloud-config\n# hidden\n"));
    expect(await azure.call("PUT", vmAt("web"), { body: vmBody(azure, "web") })).toMatchObject({ status: 409 });
    await clock.advance(1000);
    const vm = await get(vmAt("web"));
    expect(vm).toMatchObject({
      properties: {
        provisioningState: "Succeeded",
        vmId: expect.any(String) as string,
        osProfile: { computerName: "web", allowExtensionOperations: true },
        storageProfile: { osDisk: { managedDisk: { id: expect.stringContaining("/disks/web_OSDisk") as string } } },
      },
    });
    expect(vm.properties.osProfile.customData).toBeUndefined();
    expect((await get(at("networkInterfaces/web-nic"))).properties.virtualMachine).toEqual({ id: vm.id });
    expect((await get(`${vmAt("web")}?$expand=instanceView`)).properties.instanceView).toMatchObject({
      computerName: "web",
      vmAgent: { statuses: [{ displayStatus: "Ready" }] },
      statuses: [{ code: "ProvisioningState/succeeded" }, { code: "PowerState/running" }],
    });
    expect(await get(`${vmAt("web")}/instanceView`)).toMatchObject({
      disks: [{ name: "web_OSDisk" }, { name: "web_etcd" }],
    });
    expect(JSON.stringify(azure.simulator.requests.log)).not.toContain(base64("#cloud-config\n# hidden\n"));
    expect(azure.simulator.requests.violations).toEqual([]);
  });

  it("executes its custom data, of which the serial log tells", async () => {
    await makeVm(azure, "web", { customData: base64("#cloud-config\nruncmd: [echo bonjour]\n") });
    await clock.advanceUntil(() => guest.console(guestId()).includes("finished"));
    const urls = await azure.call(
      "POST",
      `${vmAt("web")}/retrieveBootDiagnosticsData?sasUriExpirationTimeInMinutes=60`,
    );
    expect(urls.status).toBe(200);
    const address = urls.body.serialConsoleLogBlobUri as string;
    const log = await fetch(address);
    expect(log.status).toBe(200);
    expect(await log.text()).toContain("bonjour");
    const end = await fetch(address, { headers: { "x-ms-range": "bytes=0-9" } });
    expect([end.status, (await end.text()).length]).toEqual([206, 10]);
    expect((await fetch(address.replace(/sig=[^&]*/, "sig=x"))).status).toBe(403);
    await clock.advance(61 * 60_000);
    expect((await fetch(address)).status).toBe(403);
  });

  it("leaves network card and disks behind", async () => {
    await makeVm(azure, "web");
    expect(await azure.call("DELETE", at("networkInterfaces/web-nic"))).toMatchObject({
      status: 400,
      body: { error: { code: "NicInUse" } },
    });
    expect(await azure.call("DELETE", computeAt("disks/web_OSDisk"))).toMatchObject({
      status: 409,
      body: { error: { code: "OperationNotAllowed" } },
    });
    expect(await azure.settle("DELETE", `${vmAt("web")}?forceDeletion=true`)).toMatchObject(succeeded);
    expect(await azure.call("GET", vmAt("web"))).toMatchObject({
      status: 404,
      body: { error: { code: "ResourceNotFound" } },
    });
    expect(await get(computeAt("disks/web_OSDisk"))).toMatchObject({
      properties: { diskState: "Unattached", diskSizeGB: 128 },
    });
    const again = await azure.call("PUT", vmAt("web"), { body: vmBody(azure, "web") });
    expect(again).toMatchObject({ status: 409, body: { error: { code: "ConflictingUserInput" } } });
    for (const path of [computeAt("disks/web_OSDisk"), computeAt("disks/web_etcd"), at("networkInterfaces/web-nic")]) {
      expect(await azure.settle("DELETE", path)).toMatchObject(succeeded);
    }
    expect((await azure.call("DELETE", vmAt("web"))).status).toBe(204);
  });

  it.each(["InternalServerError", "OSProvisioningTimedOut"])(
    "can be deleted after that has failed with %s",
    async (code) => {
      await makeVm(azure, "web");
      azure.simulator.faults.add({ method: "DELETE", action: { kind: "operation-failed", code } });
      expect(await azure.settle("DELETE", vmAt("web"))).toMatchObject({ body: { status: "Failed", error: { code } } });
      expect((await get(vmAt("web"))).properties.provisioningState).toBe("Failed");
      await azure.settle("DELETE", vmAt("web"));
      expect(await azure.call("GET", vmAt("web"))).toMatchObject({ status: 404 });
    },
  );

  it("that cannot be made keeps its network card for a while", async () => {
    azure.simulator.faults.add({
      method: "PUT",
      path: /virtualMachines/,
      action: { kind: "operation-failed", code: "AllocationFailed" },
    });
    expect((await makeVm(azure, "web")).body).toMatchObject({ status: "Failed", error: { code: "AllocationFailed" } });
    expect((await get(vmAt("web"))).properties.provisioningState).toBe("Failed");
    await azure.settle("DELETE", vmAt("web"));
    expect(await azure.call("DELETE", at("networkInterfaces/web-nic"))).toMatchObject({
      status: 400,
      body: { error: { code: "NicReservedForAnotherVm" } },
    });
    await clock.advance(180_000);
    expect(await azure.settle("DELETE", at("networkInterfaces/web-nic"))).toMatchObject(succeeded);
  });

  it("can be deleted while it is being made, with its network card, and its extensions while they run", async () => {
    await azure.call("PUT", at("networkInterfaces/web-nic"), { body: networkCard(azure, "control") });
    const made = await azure.call("PUT", vmAt("web"), { body: vmBody(azure, "web") });
    expect(await azure.settle("DELETE", vmAt("web"))).toMatchObject(succeeded);
    const first = await azure.call("GET", made.headers["azure-asyncoperation"] as string);
    expect(first.body).toMatchObject({ status: "Failed", error: { code: "OperationPreempted" } });
    expect(await azure.settle("DELETE", at("networkInterfaces/web-nic"))).toMatchObject(succeeded);
    await makeVm(azure, "other");
    const extension = await azure.call("PUT", vmAt("other/extensions/a"), { body: bootstrapping(wait) });
    await clock.advance(1000);
    expect(await azure.settle("DELETE", vmAt("other"))).toMatchObject(succeeded);
    const second = await azure.call("GET", extension.headers["azure-asyncoperation"] as string);
    expect(second.body).toMatchObject({ status: "Failed", error: { code: "OperationPreempted" } });
    expect(azure.simulator.state.operations.filter(({ status }) => status === "InProgress")).toEqual([]);
  });

  it("whose system never says that it is up fails in the end", async () => {
    azure.simulator.guestPlans.add({ machine: "web", boot: "never" });
    await azure.call("PUT", at("networkInterfaces/web-nic"), { body: networkCard(azure, "control") });
    const made = await azure.call("PUT", vmAt("web"), { body: vmBody(azure, "web") });
    await clock.advance(19 * 60_000);
    expect((await get(vmAt("web"))).properties.provisioningState).toBe("Creating");
    await clock.advance(2 * 60_000);
    expect(await azure.call("GET", made.headers["azure-asyncoperation"] as string)).toMatchObject({
      body: { status: "Failed", error: { code: "OSProvisioningTimedOut" } },
    });
  });

  it("goes off and on again", async () => {
    await makeVm(azure, "web");
    const powerOf = async () => (await get(`${vmAt("web")}/instanceView`)).statuses[1].code as string;
    expect(await azure.settle("POST", `${vmAt("web")}/deallocate`)).toMatchObject(succeeded);
    expect(await powerOf()).toBe("PowerState/deallocated");
    await azure.settle("POST", `${vmAt("web")}/start`);
    await clock.advance(1000);
    expect(await powerOf()).toBe("PowerState/running");
  });

  it("keeps what a change does not name, and its secrets", async () => {
    await makeVm(azure, "web");
    const { osProfile: _, ...properties } = vmBody(azure, "web").properties as Record<string, unknown>;
    const changed = await azure.call("PUT", vmAt("web"), {
      body: { ...vmBody(azure, "web"), tags: { a: "b" }, properties },
    });
    expect(changed).toMatchObject({
      status: 200,
      body: { tags: { a: "b" }, properties: { provisioningState: "Updating", osProfile: { computerName: "web" } } },
    });
    expect(changed.headers["azure-asyncoperation"]).toBeUndefined();
    await clock.advance(200);
    expect((await get(vmAt("web"))).properties.provisioningState).toBe("Succeeded");
  });
});

const guestId = (): string => azure.simulator.state.resources.find(({ machine }) => machine !== undefined)?.guid ?? "";

describe("what is refused of a machine", () => {
  it.each([
    [{ vmSize: "Standard_Z1" }, 400, "InvalidParameter"],
    [{ vmSize: "Standard_NC24ads_A100_v4" }, 409, "SkuNotAvailable"],
    [{ vmSize: "Standard_DC2as_v5", zone: "1" }, 409, "SkuNotAvailable"],
    [{ zone: "4" }, 400, "AvailabilityZoneNotSupported"],
    [{ customData: base64("x".repeat(65_536)) }, 400, "InvalidParameter"],
    [{ customData: "#cloud-config" }, 400, "InvalidParameter"],
    [{ profile: { adminUsername: "root" } }, 400, "InvalidParameter"],
    [{ profile: { linuxConfiguration: { disablePasswordAuthentication: true } } }, 400, "InvalidParameter"],
    [{ image: { publisher: "Canonical", offer: "ubuntu", sku: "1", version: "latest" } }, 404, "PlatformImageNotFound"],
    [{ image: { communityGalleryImageId: "/CommunityGalleries/other/Images/x" } }, 404, "GalleryImageNotFound"],
    [
      { image: { publisher: "kinvolk", offer: "flatcar-container-linux", sku: "stable", version: "latest" } },
      400,
      "VMMarketplaceInvalidInput",
    ],
    [{ more: { networkProfile: { networkInterfaces: [] } } }, 400, "InvalidParameter"],
    [{ more: { evictionPolicy: "Delete" } }, 400, "InvalidParameter"],
    [{ outer: { identity: { type: "UserAssigned" } } }, 400, "InvalidIdentityValues"],
    [{ more: { color: "red" } }, 400, "InvalidRequestContent"],
  ] as const)("%j", async (machine, status, code) => {
    await azure.call("PUT", at("networkInterfaces/web-nic"), { body: networkCard(azure, "control") });
    expect(await azure.call("PUT", vmAt("web"), { body: vmBody(azure, "web", machine) })).toMatchObject({
      status,
      body: { error: { code } },
    });
    expect((await azure.call("GET", vmAt("web"))).status).toBe(404);
  });

  it("takes custom data of the largest size", async () => {
    expect(await makeVm(azure, "web", { customData: base64(`#cloud-config\n#${"x".repeat(65_520)}`) })).toMatchObject(
      succeeded,
    );
  });

  it("that there are too many cores, as Azure words it", async () => {
    await using small = await simulate({ quotas: { cores: 3 } });
    await makeNetwork(small);
    expect(await makeVm(small, "a")).toMatchObject(succeeded);
    const refused = await makeVm(small, "b");
    expect(refused).toMatchObject({
      status: 409,
      body: { error: { code: "OperationNotAllowed", message: expect.stringContaining("quota") as string } },
    });
    const usages = await small.call("GET", "providers/Microsoft.Compute/locations/eastus/usages");
    expect(usages.body.value[0]).toMatchObject({ name: { value: "cores" }, currentValue: 2, limit: 3 });
  });

  it("that another machine has its network card", async () => {
    await makeVm(azure, "web");
    const body = vmBody(azure, "web");
    const { storageProfile: _, ...properties } = body.properties as Record<string, unknown>;
    const storageProfile = (vmBody(azure, "other").properties as Record<string, unknown>)["storageProfile"];
    const other = { ...body, properties: { ...properties, storageProfile } };
    expect(await azure.call("PUT", vmAt("other"), { body: other })).toMatchObject({
      status: 400,
      body: { error: { code: "NicInUse" } },
    });
  });
});

describe("the bootstrapping extension", () => {
  const path = vmAt("web/extensions/CAPZ.Linux.Bootstrapping");
  const bootstrapped = base64(`#cloud-config\nruncmd: [echo success > ${sentinel}]\n`);
  const put = (command = wait) => azure.call("PUT", path, { body: bootstrapping(command) });
  const ended = async (operation: string, minutes = 6) => {
    for (let turns = 0; turns < minutes * 12; turns += 1) {
      const { body } = await azure.call("GET", operation);
      if (body.status !== "InProgress") return body;
      await clock.advance(5000);
    }
    return "in progress";
  };
  const addressOf = (answer: { headers: Readonly<Record<string, unknown>> }) =>
    answer.headers["azure-asyncoperation"] as string;

  it("succeeds once the sentinel is there", async () => {
    await makeVm(azure, "web", { customData: bootstrapped });
    const made = await put();
    expect(made).toMatchObject({
      status: 201,
      body: { properties: { provisioningState: "Creating", type: "CAPZ.Linux.Bootstrapping" } },
    });
    expect(await ended(addressOf(made))).toMatchObject({ status: "Succeeded" });
    const shown = await get(`${path}?$expand=instanceView`);
    expect(shown).toMatchObject({
      properties: {
        provisioningState: "Succeeded",
        instanceView: { statuses: [{ code: "ProvisioningState/succeeded" }] },
      },
    });
    expect(JSON.stringify(azure.simulator.requests.log), "what was sent").toContain("until test");
    expect(JSON.stringify(shown)).not.toContain("until test");
    expect((await get(vmAt("web"))).properties.provisioningState).toBe("Succeeded");
  });

  it("fails with what its command printed, and the machine with it", async () => {
    await makeVm(azure, "web");
    const made = await put("echo no luck; false");
    const { status, error } = await ended(addressOf(made));
    expect([status, error.code]).toEqual(["Failed", "VMExtensionProvisioningError"]);
    expect(error.message).toContain(
      "Enable failed: failed to execute command: command terminated with exit status=1\n[stdout]\nno luck\n",
    );
    expect((await get(path)).properties.provisioningState).toBe("Failed");
    expect((await get(vmAt("web"))).properties.provisioningState).toBe("Failed");
  });

  it.each([
    [
      { extension: { exit: 3, stdout: "planned", stderr: "oh" } },
      "VMExtensionProvisioningError",
      "exit status=3\n[stdout]\nplanned\n[stderr]\noh",
    ],
    [{ agent: "missing" }, "VMExtensionProvisioningTimeout", "timed out"],
  ] as const)("ends as planned: %j", async (plan, code, words) => {
    azure.simulator.guestPlans.add({ machine: "web", ...plan });
    await makeVm(azure, "web", { customData: bootstrapped });
    const made = await put();
    await clock.advance(91 * 60_000);
    expect(await ended(addressOf(made))).toMatchObject({
      status: "Failed",
      error: { code, message: expect.stringContaining(words) as string },
    });
  });

  it.each([{ sentinel: "missing" }, { bootstrap: "hang" }] as const)(
    "sees no sentinel where %j is planned",
    async (plan) => {
      azure.simulator.guestPlans.add({ machine: "web", ...plan });
      await makeVm(azure, "web", { customData: bootstrapped });
      await clock.advance(5000);
      expect(await ended(addressOf(await put(`test -e ${sentinel}`)))).toMatchObject({ status: "Failed" });
    },
  );

  it.each([
    ["another", bootstrapping(wait), 400, "BadRequest"],
    [
      "CAPZ.Windows.Bootstrapping",
      bootstrapping(wait, "CAPZ.Windows.Bootstrapping"),
      400,
      "VMExtensionHandlerNonTransientError",
    ],
  ])("is refused as %s beside the first", async (name, body, status, code) => {
    await makeVm(azure, "web", { customData: bootstrapped });
    await ended(addressOf(await put()));
    expect(await azure.call("PUT", vmAt(`web/extensions/${name}`), { body })).toMatchObject({
      status,
      body: { error: { code } },
    });
  });

  it("is not to be had before its machine, or while that is being made", async () => {
    expect(await put()).toMatchObject({ status: 404, body: { error: { code: "ParentResourceNotFound" } } });
    await azure.call("PUT", at("networkInterfaces/web-nic"), { body: networkCard(azure, "control") });
    await azure.call("PUT", vmAt("web"), { body: vmBody(azure, "web") });
    expect(await put()).toMatchObject({ status: 409 });
  });
});

it("runs commands", async () => {
  await makeVm(azure, "web");
  const begun = await azure.call("POST", `${vmAt("web")}/runCommand`, {
    body: { commandId: "RunShellScript", script: ["echo hi"] },
  });
  expect(begun.status).toBe(202);
  const location = begun.headers["location"] as string;
  let answer = await azure.call("GET", location);
  for (let turns = 0; answer.status === 202 && turns < 20; turns += 1) {
    await clock.advance(500);
    answer = await azure.call("GET", location);
  }
  expect(answer).toMatchObject({
    status: 200,
    body: { value: [{ message: expect.stringContaining("[stdout]\nhi\n") as string }] },
  });
});

it("forwards from the public address of a load balancer to the machines of its pool", async () => {
  const pool = { id: idOf(azure, "loadBalancers/demo-lb/backendAddressPools/back") };
  await makeVm(azure, "web", { card: { loadBalancerBackendAddressPools: [pool] } });
  const loopback = azure.simulator.state.resources.find(({ machine }) => machine !== undefined)?.machine?.loopback;
  const server = createServer((socket) => socket.end("hello"));
  await new Promise<void>((resolve) => server.listen({ host: loopback, port: 6443 }, resolve));
  const { fqdn } = (await get(at("publicIPAddresses/demo-api"))).properties.dnsSettings as { fqdn: string };
  const said = await new Promise<string>((resolve, reject) => {
    let text = "";
    connect({ host: fqdn, port: 6443 })
      .on("data", (data) => (text += data.toString()))
      .on("end", () => resolve(text))
      .on("error", reject);
  });
  expect(said).toBe("hello");
  await new Promise((resolve) => server.close(resolve));
});

it("goes with its group", async () => {
  await makeVm(azure, "web");
  expect(await azure.settle("DELETE", "resourceGroups/demo")).toMatchObject({ status: 200 });
  expect(azure.simulator.state.resources).toEqual([]);
  await clock.advance(1000);
});
