import { fakeClock } from "@capstan/testing";
import { describe, expect, it } from "vitest";
import { countedCall, RateGate } from "./rate-gate.ts";

const vm = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Compute/virtualMachines/m";
const set = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Compute/virtualMachineScaleSets/p";
const network = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Network/virtualNetworks/n";

const machine = vm.toLowerCase();
const operations = "/subscriptions/s/providers/microsoft.compute/locations/eastus/operations";

it.each([
  ["GET", vm, "reads", "microsoft.compute", machine],
  ["HEAD", network, "reads", "microsoft.network", network.toLowerCase()],
  ["DELETE", vm, "deletes", "microsoft.compute", machine],
  ["PUT", "/subscriptions/s/resourceGroups/g", "writes", undefined, undefined],
  [
    "PATCH",
    `${vm}/providers/Microsoft.Resources/tags/default`,
    "writes",
    "microsoft.resources",
    `${machine}/providers/microsoft.resources/tags/default`,
  ],
  ["POST", `${vm}/runCommand`, "writes", "microsoft.compute", machine],
  ["GET", `${operations}/one`, "reads", "microsoft.compute", `${operations}/one`],
  [
    "GET",
    `${set}/virtualMachines/3/instanceView`,
    "reads",
    "microsoft.compute",
    `${set.toLowerCase()}/virtualmachines/3`,
  ],
  ["GET", "/subscriptions/s/providers/Microsoft.Compute/skus", "reads", "microsoft.compute", undefined],
])("counts %s %s as %s", (method, path, kind, namespace, resource) => {
  expect(countedCall(method, path)).toEqual({ kind, namespace, resource });
});

const [read, write, removal] = [countedCall("GET", vm), countedCall("PUT", vm), countedCall("DELETE", vm)];

describe("the budget of the subscription", () => {
  it("holds a kind of calls for a moment when few are left, and no other kind", async () => {
    const clock = fakeClock();
    const gate = new RateGate(clock);
    gate.note(write, {
      "x-ms-ratelimit-remaining-subscription-writes": "199",
      "x-ms-ratelimit-remaining-subscription-global-writes": "2",
    });
    expect(() => gate.check(write)).toThrow(/held for 1 s/);
    expect(() => gate.check(countedCall("PUT", network))).toThrow(/held for 1 s/);
    gate.check(read);
    await clock.advance(1000);
    gate.check(write);
  });

  it("lets calls pass while enough are left", () => {
    const gate = new RateGate(fakeClock());
    gate.note(read, { "x-ms-ratelimit-remaining-subscription-reads": "3" });
    gate.note(read, {});
    gate.check(read);
  });

  it("holds as long as a refusal says", async () => {
    const clock = fakeClock();
    const gate = new RateGate(clock);
    gate.refused(removal, {}, 7000);
    gate.refused(removal, {}, 1000);
    await clock.advance(6999);
    expect(() => gate.check(removal)).toThrow(expect.objectContaining({ retry: { kind: "after", ms: 1 } }));
  });
});

describe("the policies of a resource provider", () => {
  const left = (few: number) => ({
    "x-ms-ratelimit-remaining-resource": `Microsoft.Compute/PutVM3Min;${few},Microsoft.Compute/PutVM30Min;1197`,
  });

  it("hold its calls alone when few are left", async () => {
    const clock = fakeClock();
    const gate = new RateGate(clock);
    gate.note(write, left(1));
    expect(() => gate.check(write)).toThrow(/held for 10 s/);
    gate.check(countedCall("PUT", network));
    gate.check(read);
    await clock.advance(10_000);
    gate.check(write);
  });

  it("hold calls of one machine alone when few of its own are left, or it was refused", async () => {
    const clock = fakeClock();
    const gate = new RateGate(clock);
    const few = (count: number) => ({
      "x-ms-ratelimit-remaining-resource": `Microsoft.Compute/LowCostGetSubscriptionMaximum;23970,Microsoft.Compute/LowCostGetResource;${count}`,
    });
    const other = countedCall("GET", `${vm}-2`);
    gate.note(read, few(2));
    expect(() => gate.check(read)).toThrow(/held for 10 s/);
    expect(() => gate.check(countedCall("GET", `${vm}/extensions/x`))).toThrow(/held for 10 s/);
    gate.check(other);
    gate.check(write);
    gate.refused(read, few(0), 60_000);
    gate.check(other);
    await clock.advance(59_999);
    expect(() => gate.check(read)).toThrow(/held for 1 s/);
  });

  it("let them pass while enough are left", () => {
    const gate = new RateGate(fakeClock());
    gate.note(write, left(3));
    gate.check(write);
  });

  it("hold its calls alone after a refusal that names them", () => {
    const gate = new RateGate(fakeClock());
    gate.refused(write, left(0), 60_000);
    expect(() => gate.check(write)).toThrow(/held for 60 s/);
    gate.check(countedCall("PUT", network));
  });
});
