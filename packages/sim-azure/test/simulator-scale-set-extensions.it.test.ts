import { createGuestHost, type GuestHost } from "@capstan/guest";
import { fakeClock, type FakeClock, seededRandom } from "@capstan/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { base64 } from "./cluster-machine.ts";
import { makeNetwork } from "./cluster-network.ts";
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

describe("extensions of the model", () => {
  it("run in every machine, which is made when they are over", async () => {
    const made = await azure.call("PUT", setAt("pool"), {
      body: setBody(azure, "pool", { customData: bootstrapped, extensions: [until] }),
    });
    expect(await ended(made)).toMatchObject({ status: "Succeeded" });
    const path = setAt("pool/virtualMachines/1/extensions/CAPZ.Linux.Bootstrapping");
    expect(await get(`${path}?$expand=instanceView`)).toMatchObject({
      type: "Microsoft.Compute/virtualMachineScaleSets/virtualMachines/extensions",
      properties: { provisioningState: "Succeeded", instanceView: { statuses: [{ level: "Info" }] } },
    });
    expect(await get(setAt("pool/instanceView"))).toMatchObject({
      virtualMachine: { statusesSummary: [{ code: "ProvisioningState/succeeded", count: 2 }] },
      extensions: [{ statusesSummary: [{ code: "ProvisioningState/succeeded", count: 2 }] }],
    });
    expect(JSON.stringify([await get(setAt("pool")), await get(path)])).not.toContain("until test");
  });

  it("that fail let machine and set fail, with what they printed", async () => {
    const made = await azure.call("PUT", setAt("pool"), {
      body: setBody(azure, "pool", { extensions: [extensionModel("echo no luck; false")] }),
    });
    expect(await ended(made)).toMatchObject({
      status: "Failed",
      error: { code: "VMExtensionProvisioningError", message: expect.stringContaining("no luck") as string },
    });
    expect((await get(setAt("pool"))).properties.provisioningState).toBe("Failed");
    expect((await instances()).map(({ properties }) => properties.provisioningState)).toEqual(["Failed", "Failed"]);
    expect(await azure.settle("POST", setAt("pool/delete"), { body: { instanceIds: ["0"] } })).toMatchObject(succeeded);
  });

  it("come one after another where one is to come later", async () => {
    const second = extensionModel(`test -e /etc/first`, "CustomScript", {
      provisionAfterExtensions: ["first"],
      publisher: "Microsoft.Azure.Extensions",
    });
    const first = { ...extensionModel("sleep 30; echo 1 > /etc/first"), name: "first" };
    const made = await azure.call("PUT", setAt("pool"), {
      body: setBody(azure, "pool", { capacity: 1, extensions: [second, first] }),
    });
    expect(await ended(made)).toMatchObject({ status: "Succeeded" });
  });

  it("are written on their own, for machines that are made from then on", async () => {
    await make({ capacity: 1, customData: bootstrapped });
    const path = setAt("pool/extensions/CAPZ.Linux.Bootstrapping");
    const written = await azure.settle("PUT", path, { body: { properties: until.properties } });
    expect(written).toMatchObject(succeeded);
    expect(await get(path)).toMatchObject({ properties: { type: "CAPZ.Linux.Bootstrapping" } });
    expect(JSON.stringify(await get(path))).not.toContain("until test");
    expect((await get(setAt("pool/virtualMachines/0/extensions"))).value).toEqual([]);
    const grown = await azure.call("PATCH", setAt("pool"), { body: { sku: { capacity: 2 } } });
    expect(await ended(grown)).toMatchObject({ status: "Succeeded" });
    expect((await get(setAt("pool/virtualMachines/1/extensions"))).value).toHaveLength(1);
    expect(await azure.settle("DELETE", path)).toMatchObject(succeeded);
    expect((await get(setAt("pool/extensions"))).value).toEqual([]);
  });
});
