import type { NodeBalancerNode } from "@capstan/linode-client";
import { describe, expect, it } from "vitest";
import type { LinodeMachine } from "../api/linode-machine.v1alpha2.ts";
import { backendChanges, backendLabel, wantedBackends } from "./backends.ts";

type Spec = LinodeMachine["spec"];

const machine = (name: string, addresses: readonly string[], spec: Partial<Spec> = {}): LinodeMachine => ({
  apiVersion: "v1",
  kind: "LinodeMachine",
  metadata: { name },
  spec: { region: "us-ord", type: "g6-standard-2", interfaceGeneration: "legacy_config", ...spec },
  status: {
    ready: true,
    cloudinitMetadataSupport: true,
    addresses: addresses.map((address) => ({
      type: address.startsWith("192.0.2.") ? "ExternalIP" : "InternalIP",
      address,
    })),
  },
});

const all = ["192.0.2.1", "10.0.0.2", "2001:db8::1", "192.168.128.5"];

describe("wantedBackends", () => {
  it("uses the private address", () => {
    const { wanted } = wantedBackends([machine("cp-1", all)], { port: 6443, throughVpc: false });
    expect(wanted).toEqual([{ label: "cp-1", address: "192.168.128.5:6443" }]);
  });

  it("uses the VPC where told, and the private address where there is none", () => {
    const machines = [machine("cp-1", all), machine("cp-2", ["192.0.2.2", "192.168.128.6"])];
    const { wanted } = wantedBackends(machines, { port: 6443, throughVpc: true });
    expect(wanted.map(({ address }) => address)).toEqual(["10.0.0.2:6443", "192.168.128.6:6443"]);
  });

  it("waits for machines without addresses, and names those it cannot reach", () => {
    const machines = [machine("new", []), machine("far", ["192.0.2.1", "10.0.0.2"], { privateIP: false })];
    expect(wantedBackends(machines, { port: 6443, throughVpc: false })).toEqual({
      wanted: [],
      unreachable: ["far"],
      unknown: ["new"],
    });
  });
});

const node = (id: number, address: string): NodeBalancerNode => ({
  id,
  address,
  nodebalancer_id: 1,
  config_id: 1,
  label: "x",
  mode: "accept",
  weight: 1,
  status: "UP",
});

it("adds what is missing and takes away what is too much", () => {
  const wanted = ["a:1", "b:1"].map((address) => ({ label: "x", address }));
  const { add, remove } = backendChanges({ wanted, unknown: [] }, [node(1, "b:1"), node(2, "c:1")]);
  expect([add.map(({ address }) => address), remove.map(({ id }) => id)]).toEqual([["a:1"], [2]]);
});

it("leaves what is there for a machine whose address is not known", () => {
  expect(backendChanges({ wanted: [], unknown: ["x"] }, [node(1, "b:1")]).remove).toEqual([]);
  expect(backendChanges({ wanted: [], unknown: ["y"] }, [node(1, "b:1")]).remove).toHaveLength(1);
});

it.each([
  ["cp-1", "cp-1"],
  ["a", "a--"],
  ["x".repeat(64), "x".repeat(32)],
])("labels %s as %s", (name, label) => {
  expect(backendLabel(name)).toBe(label);
});
