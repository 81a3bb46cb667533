import { expect, it } from "vitest";
import { ownNodes } from "./own-nodes.ts";
import type { Node } from "../object/workload-kinds.ts";

const id = "0b1c2d3e-4f50-4a6b-8c7d-9e0f1a2b3c4d";

const node = (
  name: string,
  given: { providerID?: string; systemUUID?: string; addresses?: readonly string[] },
): Node => ({
  apiVersion: "v1",
  kind: "Node",
  metadata: { name },
  ...(given.providerID === undefined ? {} : { spec: { providerID: given.providerID } }),
  status: {
    nodeInfo: { systemUUID: given.systemUUID ?? "" },
    addresses: [
      { type: "Hostname", address: name },
      ...(given.addresses ?? []).map((address) => ({ type: "InternalIP", address })),
    ],
  },
});

const facts = { providerID: `acme://zone/${id}`, addresses: ["10.0.0.7", "2001:db8::7"], others: new Set<string>() };

it.each<[string, Node, boolean]>([
  ["the provider id", node("a", { providerID: `acme://zone/${id}` }), true],
  ["another provider id, at the same address", node("a", { providerID: "acme://x", addresses: ["10.0.0.7"] }), false],
  ["the UUID of its system, in upper case", node("a", { systemUUID: id.toUpperCase() }), true],
  ["another UUID", node("a", { systemUUID: id.replace("0b", "0c") }), false],
  ["an address", node("a", { addresses: ["10.0.0.7"] }), true],
  ["an IPv6 address", node("a", { addresses: ["2001:db8::7"] }), true],
  ["a host name that looks like an address", node("10.0.0.7", {}), false],
  ["nothing", node("a", {}), false],
])("tells a Node by %s", (_, given, expected) => {
  expect(ownNodes([given], facts).length === 1).toBe(expected);
});

it("leaves what another Machine has", () => {
  expect(ownNodes([node("a", { addresses: ["10.0.0.7"] })], { ...facts, others: new Set(["a"]) })).toEqual([]);
});

it("knows nothing of a Machine that reports nothing", () => {
  const unknown = { providerID: undefined, addresses: [], others: new Set<string>() };
  expect(ownNodes([node("a", {}), node("b", { systemUUID: id })], unknown)).toEqual([]);
});
