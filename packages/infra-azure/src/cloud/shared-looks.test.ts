import { CapstanError } from "@capstan/contract";
import { fakeClock } from "@capstan/testing";
import { expect, it } from "vitest";
import { childRef, groupId, resourceRef, resourceTypes } from "../arm/resource-id.ts";
import type { AzureResource } from "./azure-api.ts";
import type { LookCall } from "./shared-looks.ts";
import { SharedLooks } from "./shared-looks.ts";

const place = { subscription: "s", group: "g" };
const machine = (name: string) => resourceRef(place, resourceTypes.virtualMachine, name);
const network = resourceRef(place, resourceTypes.virtualNetwork, "n");
const subnet = childRef(network, "subnets", "Nodes");
const zone = resourceRef(place, resourceTypes.privateZone, "z");

/** A group with some resources; calls wait until they are let go. */
const setUp = () => {
  const clock = fakeClock();
  const there = new Map<string, AzureResource>();
  const calls: string[] = [];
  const held: (() => void)[] = [];
  const failing: { error?: Error; isHeld: boolean; lists?: "forbidden" } = { isHeld: false };
  const sent = async (what: string, { begun, signal }: LookCall): Promise<void> => {
    if (failing.isHeld) {
      await new Promise<void>((resolve, reject) => {
        held.push(resolve);
        signal.addEventListener("abort", () => reject(signal.reason as Error));
      });
    }
    begun();
    calls.push(what);
    if (failing.error !== undefined) throw failing.error;
  };
  const looks = new SharedLooks({
    clock,
    get: async ({ id }, call) => {
      await sent(`get ${id.split("/").at(-1)}`, call);
      return there.get(id);
    },
    list: async (path, _, call) => {
      await sent(`list ${path.split("/").at(-1)}`, call);
      if (failing.lists === "forbidden") {
        throw new CapstanError({ code: "azure.forbidden", reason: "Forbidden", message: "may not list" });
      }
      return [...there.values()].filter(({ id }) => id.startsWith(`${path}/`));
    },
  });
  const add = (id: string, properties: object = {}): void => void there.set(id, { id, properties: { ...properties } });
  const end = new AbortController();
  return { add, calls, call: { signal: end.signal }, clock, end, failing, held, looks };
};

it("reads one resource by itself, and several of a type by one list", async () => {
  const { add, call, calls, clock, looks } = setUp();
  add(machine("a").id);
  const visit = looks.visit();
  expect((await visit.find(machine("a"), call))?.id).toBe(machine("a").id);
  await clock.advance(1000);
  const others = looks.visit();
  const found = await Promise.all(["a", "b"].map((name) => others.find(machine(name), call)));
  expect(found.map((each) => each?.id)).toEqual([machine("a").id, undefined]);
  expect(calls).toEqual(["get a", "list virtualMachines"]);
});

it("sees no part of what is not there", async () => {
  const { call, calls, looks } = setUp();
  expect(await looks.visit().find(subnet, call)).toBeUndefined();
  expect(calls).toEqual(["get n"]);
});

it("sees nothing in a group that is not there", async () => {
  const { call, calls, looks } = setUp();
  const visit = looks.visit();
  const group = { type: "Microsoft.Resources/resourceGroups", apiVersion: "2021-04-01", id: groupId("s", "g") };
  expect(await visit.find(group, call)).toBeUndefined();
  expect(await Promise.all([visit.find(zone, call), visit.find(subnet, call)])).toEqual([undefined, undefined]);
  expect(calls).toEqual(["get g"]);
});

it("sees parts in what they are part of, whatever the letter case of their names", async () => {
  const { add, call, calls, looks } = setUp();
  add(network.id, { subnets: [{ id: subnet.id.toLowerCase(), name: "nodes" }] });
  const visit = looks.visit();
  const found = await Promise.all([visit.find(subnet, call), visit.find(network, call)]);
  expect(found.map((each) => each?.id)).toEqual([subnet.id.toLowerCase(), network.id]);
  expect(calls).toEqual(["get n"]);
});

it("serves a visit with what was sent since it began and since it wrote, and no other", async () => {
  const { add, call, calls, clock, looks } = setUp();
  const [early, writer] = [looks.visit(), looks.visit()];
  expect(await early.find(machine("a"), call)).toBeUndefined();
  expect(await writer.find(machine("a"), call)).toBeUndefined();
  expect(calls).toEqual(["get a"]);
  writer.wrote(machine("a").id);
  add(machine("a").id);
  const again = writer.find(machine("a"), call);
  await clock.advance(500);
  expect(await again).toBeDefined();
  const late = looks.visit().find(machine("a"), call);
  await clock.advance(500);
  expect(await late).toBeDefined();
  expect(calls).toEqual(["get a", "get a", "get a"]);
  await early.find(machine("a"), call);
  early.removed();
  const after = early.find(machine("a"), call);
  await clock.advance(500);
  await after;
  expect(calls).toHaveLength(4);
});

it("shows what an answer to a write has made without another look", async () => {
  const { call, calls, looks } = setUp();
  const visit = looks.visit();
  await visit.find(machine("a"), call);
  visit.wrote(machine("a").id);
  visit.made(machine("a").id, { id: machine("a").id });
  expect(await visit.find(machine("a"), call)).toBeDefined();
  expect(calls).toEqual(["get a"]);
});

it("lets all who come while a look waits for its turn share it, and looks at a place twice a second at most", async () => {
  const { call, calls, clock, looks } = setUp();
  await looks.visit().find(machine("a"), call);
  const waiting = ["a", "b", "c"].map((name) => looks.visit().find(machine(name), call));
  await clock.advance(499);
  const late = looks.visit().find(machine("d"), call);
  expect(calls).toEqual(["get a"]);
  await clock.advance(1);
  await Promise.all([...waiting, late]);
  expect(calls).toEqual(["get a", "list virtualMachines"]);
});

it("reads each where its principal may not list them, and tries a list again later", async () => {
  const { add, call, calls, clock, failing, looks } = setUp();
  add(machine("a").id);
  failing.lists = "forbidden";
  const both = async (): Promise<readonly (AzureResource | undefined)[]> => {
    const visit = looks.visit();
    const found = Promise.all(["a", "b"].map((name) => visit.find(machine(name), call)));
    await clock.advance(500);
    return found;
  };
  expect((await both())[0]?.id).toBe(machine("a").id);
  await both();
  expect(calls).toEqual(["list virtualMachines", "get a", "get b", "get a", "get b"]);
  await clock.advance(600_000);
  await both();
  expect(calls[5]).toBe("list virtualMachines");
});

it("lists a path once for all who ask, and again after a write", async () => {
  const { add, call, calls, clock, looks } = setUp();
  add(machine("a").id);
  const path = machine("a").id.split("/").slice(0, -1).join("/");
  const visit = looks.visit();
  const both = await Promise.all([visit, looks.visit()].map((each) => each.list(path, "2024-07-01", call)));
  expect(both.map((items) => items?.length)).toEqual([1, 1]);
  visit.wrote(machine("a").id);
  const again = visit.list(path, "2024-07-01", call);
  await clock.advance(500);
  await again;
  expect(calls).toEqual(["list virtualMachines", "list virtualMachines"]);
});

it("fails for all who share a look, and is as new for the next", async () => {
  const { call, calls, clock, failing, looks } = setUp();
  failing.error = new Error("down");
  const both = [looks.visit(), looks.visit()].map((visit) => visit.find(zone, call));
  expect((await Promise.allSettled(both)).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  delete failing.error;
  const next = looks.visit().find(zone, call);
  await clock.advance(500);
  expect(await next).toBeUndefined();
  expect(calls).toEqual(["get z", "get z"]);
});

it("goes on for others when one gives up, and ends when all have", async () => {
  const { call, calls, clock, end, failing, held, looks } = setUp();
  failing.isHeld = true;
  const other = new AbortController();
  const [given, kept] = [call.signal, other.signal].map((signal) => looks.visit().find(zone, { signal }));
  await clock.settle();
  end.abort(new Error("given up"));
  await expect(given).rejects.toThrow("given up");
  held[0]?.();
  expect(await kept).toBeUndefined();
  const last = looks.visit().find(machine("a"), { signal: other.signal });
  await clock.settle();
  other.abort(new Error("given up, too"));
  await expect(last).rejects.toThrow("given up, too");
  expect(calls).toEqual(["get z"]);
});
