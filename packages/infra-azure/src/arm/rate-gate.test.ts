import { fakeClock } from "@capstan/testing";
import { describe, expect, it } from "vitest";
import { countedCall, RateGate } from "./rate-gate.ts";

const vm = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Compute/virtualMachines/m";
const network = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Network/virtualNetworks/n";

it.each([
  ["GET", vm, "reads", "microsoft.compute"],
  ["HEAD", network, "reads", "microsoft.network"],
  ["DELETE", vm, "deletes", "microsoft.compute"],
  ["PUT", "/subscriptions/s/resourceGroups/g", "writes", undefined],
  ["PATCH", `${vm}/providers/Microsoft.Resources/tags/default`, "writes", "microsoft.resources"],
  ["POST", vm, "writes", "microsoft.compute"],
])("counts %s %s as %s", (method, path, kind, namespace) => {
  expect(countedCall(method, path)).toEqual({ kind, namespace });
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
