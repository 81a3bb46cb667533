import { fakeClock } from "@capstan/testing";
import { expect, it } from "vitest";
import { armGate, countedCall, countsOf, refusedOf, saidOf } from "./rate-gate.ts";

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

const [read, write] = [countedCall("GET", vm), countedCall("PUT", vm)];
const ofCompute = "writes of microsoft.compute";

it("knows by what answers say is left of the subscription, and of all principals together", () => {
  const headers = {
    "x-ms-ratelimit-remaining-subscription-writes": "199",
    "x-ms-ratelimit-remaining-subscription-global-writes": "2",
  };
  expect(saidOf(write, headers)).toEqual({ left: { writes: { remaining: 2 } }, holdMs: {} });
  expect(saidOf(read, headers)).toEqual({ left: {}, holdMs: {} });
});

it("holds calls of a provider, or of one machine, when few of its own policies are left", () => {
  const left = (name: string, count: number) => ({
    "x-ms-ratelimit-remaining-resource": `Microsoft.Compute/${name};${count}`,
  });
  expect(saidOf(write, left("PutVM3Min", 3))?.holdMs).toEqual({});
  expect(saidOf(write, left("PutVM3Min", 1))?.holdMs).toEqual({ [ofCompute]: 10_000 });
  expect(saidOf(read, left("LowCostGetResource", 2))?.holdMs).toEqual({ [`reads of ${machine}`]: 10_000 });
});

it("takes a refusal for one of all such calls, unless it names policies of the provider, or of one machine alone", () => {
  const policies = (text: string) => ({ "x-ms-ratelimit-remaining-resource": text });
  expect(refusedOf(write, {})).toEqual(["writes"]);
  expect(refusedOf(write, policies("Microsoft.Compute/PutVM3Min;0"))).toEqual([ofCompute]);
  const ofMachine = policies(
    "Microsoft.Compute/LowCostGetSubscriptionMaximum;23970,Microsoft.Compute/LowCostGetResource;0",
  );
  expect(refusedOf(read, ofMachine)).toEqual([`reads of ${machine}`]);
});

it("counts a call in the limits of its subscription, provider and resource", () => {
  expect(countsOf(read)).toEqual(["reads", "reads of microsoft.compute", `reads of ${machine}`]);
  expect(countsOf(countedCall("PUT", "/subscriptions/s/resourceGroups/g"))).toEqual(["writes"]);
});

it("lets as many calls pass as Azure does, and says of a longer hold when to come back", async () => {
  const clock = fakeClock();
  const gate = armGate(clock);
  let passed = 0;
  const ask = async (): Promise<void> => {
    const pass = await gate.admit({ counts: ["reads"], writes: false });
    passed += 1;
    pass.answered();
  };
  for (let call = 0; call < 300; call += 1) void ask();
  await clock.settle();
  expect(passed).toBe(250);
  await clock.advance(1000);
  expect(passed).toBe(275);
  await clock.advance(2000);
  const pass = await gate.admit({ counts: ["deletes"], writes: true });
  pass.refused(["deletes"], 20_000);
  await expect(gate.admit({ counts: ["deletes"], writes: true })).rejects.toMatchObject({
    code: "azure.rate_limited",
    retry: { kind: "after", ms: 20_000 },
  });
});
