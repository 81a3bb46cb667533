import { CapstanError } from "@capstan/contract";
import { fakeClock } from "@capstan/testing";
import type { FakeClock } from "@capstan/testing";
import { beforeEach, describe, expect, it } from "vitest";
import type { AzureResource } from "./azure-api.ts";
import { KnownResources } from "./known-resources.ts";

const group = "/subscriptions/s/resourceGroups/g";
const network = `${group}/providers/Microsoft.Network/virtualNetworks/n`;
const subnet = `${network}/subnets/x`;
const call = { signal: new AbortController().signal };

let clock: FakeClock;
let changed: Record<string, string>;
let reads: string[];
let lists: number;
let state: string;
let known: KnownResources<AzureResource>;
beforeEach(() => {
  clock = fakeClock();
  changed = { [network]: "1" };
  reads = [];
  lists = 0;
  state = "Succeeded";
  known = new KnownResources({
    clock,
    periodMs: 1000,
    list: () => {
      lists += 1;
      return Promise.resolve(Object.entries(changed).map(([id, changedTime]) => ({ id, changedTime })));
    },
  });
});

const reading = (id: string) => (): Promise<AzureResource> => {
  reads.push(id);
  return Promise.resolve({ id, properties: { provisioningState: state } });
};
const look = (id: string) => known.known(id, id, { call, find: reading(id) });

/** Reads, takes the first list when its time has come, and reads once more. */
const settle = async (...ids: readonly string[]): Promise<void> => {
  for (const id of ids) await look(id);
  await clock.advance(1000);
  for (const id of ids) await look(id);
  reads = [];
  lists = 0;
};

describe("what is known of a resource", () => {
  it("is what was read, while lists show no change", async () => {
    await settle(network, subnet, group);
    for (let period = 0; period < 3; period += 1) {
      await clock.advance(1000);
      for (const id of [network, subnet, group, network]) expect((await look(id))?.id).toBe(id);
    }
    expect([reads, lists]).toEqual([[], 3]);
  });

  it("needs no list for a period after it was read", async () => {
    for (let time = 0; time < 3; time += 1) await look(network);
    await clock.advance(500);
    await look(subnet);
    await look(network);
    await look(subnet);
    expect([reads, lists]).toEqual([[network, subnet], 0]);
  });

  it("is read again after some seconds, where a moment ago is early enough", async () => {
    const recent = () => known.recent(network, network, reading(network));
    await recent();
    await clock.advance(4999);
    await recent();
    expect(reads).toEqual([network]);
    await clock.advance(1);
    await recent();
    expect(reads).toEqual([network, network]);
  });

  it("is read again when a list shows another time for it, or for what it is part of", async () => {
    await settle(network, subnet);
    changed[network] = "2";
    expect(await look(subnet)).toBeDefined();
    expect(reads, "the list is as it was").toEqual([]);
    await clock.advance(1000);
    await look(subnet);
    await look(network);
    await look(network);
    expect([reads, lists]).toEqual([[subnet, network], 1]);
  });

  it("is read again when no list has it", async () => {
    await settle(network);
    changed = {};
    await clock.advance(1000);
    await look(network);
    expect(reads).toEqual([network]);
  });

  it("is forgotten with what we write, and with what is in it", async () => {
    await settle(network, subnet);
    await known.changing(subnet, () => Promise.resolve());
    await look(network);
    await look(network);
    expect(reads).toEqual([network]);
    await known.changing(group, () => Promise.resolve());
    await look(network);
    expect(reads).toEqual([network, network]);
  });

  it("is not what was read while something was written", async () => {
    await known.read(network, network, async () => {
      await known.changing(network, () => Promise.resolve());
      return { id: network };
    });
    await look(network);
    expect(reads).toEqual([network]);
  });

  it.each(["Updating", "Failed"])("is nothing while it is %s", async (now) => {
    state = now;
    await settle(network);
    await look(network);
    await look(network);
    expect(reads).toEqual([network, network]);
  });

  it("is read again after a day", async () => {
    await settle(network);
    await clock.advance(86_400_000);
    await look(network);
    expect(reads).toEqual([network]);
  });

  it("is listed once for all who ask at the same time", async () => {
    await settle(network, subnet);
    await clock.advance(1000);
    await Promise.all([look(network), look(subnet), look(network)]);
    expect([reads, lists]).toEqual([[], 1]);
  });

  it("is read each time where lists are forbidden; other failures of lists are those of the look", async () => {
    const failing = (code: string) =>
      new KnownResources({
        clock,
        periodMs: 1000,
        list: () => Promise.reject(new CapstanError({ code, reason: "Why", message: "no" })),
      });
    const find = reading(network);
    const forbidden = failing("azure.forbidden");
    await forbidden.known(network, network, { call, find });
    await clock.advance(1000);
    for (let time = 0; time < 2; time += 1) await forbidden.known(network, network, { call, find });
    expect(reads).toHaveLength(3);
    const down = failing("azure.unavailable");
    await down.known(network, network, { call, find });
    await clock.advance(1000);
    await expect(down.known(network, network, { call, find })).rejects.toMatchObject({ code: "azure.unavailable" });
  });
});
