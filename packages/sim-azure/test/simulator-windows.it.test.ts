import { createGuestHost, type GuestHost } from "@capstan/guest";
import { fakeClock, type FakeClock, seededRandom } from "@capstan/testing";
import { afterEach, beforeEach, expect, it } from "vitest";
import { windowsCheck } from "./windows-check.ts";
import { base64, bootstrapping, computeAt, vmAt, vmBody } from "./cluster-machine.ts";
import { at, makeNetwork, networkCard } from "./cluster-network.ts";
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
const succeeded = { body: { status: "Succeeded" } };
const image = {
  communityGalleryImageId:
    "/CommunityGalleries/ClusterAPI-f72ceb4f-5159-4c26-a0fe-2ea738f0d019/Images/capi-win-2022-containerd/Versions/1.34.1",
};
const system = {
  adminUsername: "capi",
  adminPassword: "Simulated-1234",
  windowsConfiguration: { enableAutomaticUpdates: false },
};
const osDisk = {
  osType: "Windows",
  createOption: "FromImage",
  diskSizeGB: 128,
  managedDisk: { storageAccountType: "Premium_LRS" },
};
const bootstrapped = base64(
  '#cloud-config\nwrite_files:\n- path: C:\\k\\kubeadm.yaml\n  content: here\nruncmd:\n- powershell -c "Get-Content C:\\k\\kubeadm.yaml"\n- echo success > /run/cluster-api/bootstrap-success.complete\n',
);

const body = (customData: string) => ({
  ...vmBody(azure, "win", {
    image,
    more: {
      osProfile: { computerName: "win", customData, ...system },
      storageProfile: { imageReference: image, osDisk },
    },
  }),
});

const make = async (customData = base64("#cloud-config\n")): Promise<Answer> => {
  await azure.call("PUT", at("networkInterfaces/win-nic"), { body: networkCard(azure, "control") });
  return azure.settle("PUT", vmAt("win"), { body: body(customData) });
};

const ended = async ({ headers }: Answer): Promise<Answer["body"]> => {
  const address = headers["azure-asyncoperation"] as string;
  await clock.advanceUntil(async () => (await get(address)).status !== "InProgress", { stepMs: 5000 });
  return get(address);
};

const extension = vmAt("win/extensions/CAPZ.Windows.Bootstrapping");

it("boots Windows, with its agent, its custom data and the sentinel on the drive's root", async () => {
  expect(await make(bootstrapped)).toMatchObject(succeeded);
  expect(await get(`${vmAt("win")}/instanceView`)).toMatchObject({
    osName: expect.stringContaining("Windows") as string,
    vmAgent: { statuses: [{ displayStatus: "Ready" }] },
  });
  await clock.advanceUntil(() => azure.simulator.console("win").some((line) => line.includes("finished")));
  expect(azure.simulator.console("win").join("\n")).toMatch(/cloudbase-init.*\n[\s\S]*here/);
  const made = await azure.call("PUT", extension, {
    body: bootstrapping(windowsCheck(240), "CAPZ.Windows.Bootstrapping"),
  });
  expect(await ended(made)).toMatchObject({ status: "Succeeded" });
  expect((await get(vmAt("win"))).properties.provisioningState).toBe("Succeeded");
  // A change need not say the password again.
  const before = await get(vmAt("win"));
  expect(await azure.call("PUT", vmAt("win"), { body: { ...before, tags: { a: "b" } } })).toMatchObject({
    status: 200,
  });
});

it.each([
  ["ends without the sentinel", "", "capstan-bootstrap-check/v1 failed"],
  ["goes on for too long", '- powershell -c "Start-Sleep -Seconds 600"\n', "capstan-bootstrap-check/v1 timed-out"],
])("fails the check where cloudbase-init %s, with its log", async (_case, more, verdict) => {
  await make(base64(`#cloud-config\nruncmd:\n- powershell -c "Write-Output 'kubeadm did not join'"\n${more}`));
  const made = await azure.call("PUT", extension, {
    body: bootstrapping(windowsCheck(48), "CAPZ.Windows.Bootstrapping"),
  });
  const { status, error } = await ended(made);
  expect([status, error.code]).toEqual(["Failed", "VMExtensionProvisioningError"]);
  expect(error.message).toContain("exit status=-2");
  expect(error.message).toContain(verdict);
  expect(error.message).toContain("kubeadm did not join");
});

it("runs commands of PowerShell, and none of a shell of Linux", async () => {
  await make();
  const run = (commandId: string) =>
    azure.call("POST", `${vmAt("win")}/runCommand`, {
      body: { commandId, script: ["Write-Output (Test-Path C:\\none)"] },
    });
  expect(await run("RunShellScript")).toMatchObject({ status: 400, body: { error: { code: "BadRequest" } } });
  const begun = await run("RunPowerShellScript");
  const location = begun.headers["location"] as string;
  await clock.advanceUntil(async () => (await azure.call("GET", location)).status !== 202);
  expect((await get(location)).value[0].message).toMatch(/\[stdout\]\nFalse\n/i);
});

it("makes scale sets of Windows, whose names have room for nine characters", async () => {
  const profile = { storageProfile: { imageReference: image, osDisk }, extensionProfile: undefined };
  const model = (prefix: string) =>
    setBody(azure, "pool", {
      capacity: 1,
      profile: {
        ...profile,
        osProfile: { computerNamePrefix: prefix, customData: bootstrapped, ...system },
        extensionProfile: {
          extensions: [extensionModel(windowsCheck(240), "CAPZ.Windows.Bootstrapping")],
        },
      },
    });
  expect(await azure.call("PUT", setAt("pool"), { body: model("ten-letter") })).toMatchObject({ status: 400 });
  const made = await azure.call("PUT", setAt("pool"), { body: model("nineletrs") });
  expect(await ended(made)).toMatchObject({ status: "Succeeded" });
  expect(await get(setAt("pool/virtualMachines/0"))).toMatchObject({
    properties: { osProfile: { computerName: "nineletrs000000" } },
  });
  expect(JSON.stringify([await get(setAt("pool")), await get(computeAt("disks"))])).not.toContain("Simulated-1234");
});
