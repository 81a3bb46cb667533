import { expect, it } from "vitest";
import type { Cluster, Machine } from "../api.ts";
import { DepartedMachines } from "./departed-machines.ts";

const cluster = { metadata: { namespace: "default", name: "c" } } as Cluster;
const machine = {
  metadata: { name: "m", uid: "1" },
  spec: { providerID: "x://1" },
  status: { addresses: [{ type: "InternalIP", address: "10.0.0.1" }], conditions: [{ type: "Ready" }] },
} as unknown as Machine;

it("remembers for an hour, and of a Machine only what its Node is found by", () => {
  const departed = new DepartedMachines();
  expect(departed.after(cluster, [machine], 0)).toEqual([]);
  const gone = { name: "m", providerID: "x://1", addresses: ["10.0.0.1"], since: 1 };
  expect(departed.after(cluster, [], 1)).toEqual([gone]);
  expect(departed.after(cluster, [], 3_600_000)).toEqual([gone]);
  expect(departed.after(cluster, [], 3_600_001)).toEqual([]);
});
