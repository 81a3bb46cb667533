import { expect, it } from "vitest";
import type { Cluster, Machine } from "../api.ts";
import type { Node } from "../object/workload-kinds.ts";
import { forgottenNodes } from "./forgotten-nodes.ts";

const cluster = { metadata: { name: "prod", namespace: "team" } } as Cluster;
const note = (machine: string, more: Readonly<Record<string, string>> = {}) => ({
  "cluster.x-k8s.io/cluster-name": "prod",
  "cluster.x-k8s.io/cluster-namespace": "team",
  "cluster.x-k8s.io/machine": machine,
  ...more,
});
const node = (annotations: Readonly<Record<string, string>> | undefined, providerID?: string) =>
  ({
    metadata: { name: "n", ...(annotations && { annotations }) },
    ...(providerID && { spec: { providerID } }),
  }) as unknown as Node;
const machine = (name: string, nodeRef?: string, providerID?: string) =>
  ({
    metadata: { name, namespace: "team" },
    spec: { ...(providerID && { providerID }) },
    status: { ...(nodeRef && { nodeRef: { name: nodeRef } }) },
  }) as unknown as Machine;

it.each<[string, Node, readonly Machine[], boolean]>([
  ["of a Machine that is gone", node(note("gone")), [machine("m")], true],
  ["of a Machine that is gone, with a provider id", node(note("gone"), "x://1"), [machine("m", "o", "x://2")], true],
  ["of a Machine that is there", node(note("m")), [machine("m")], false],
  ["that another Machine has by now", node(note("gone")), [machine("m", "n")], false],
  ["with the provider id of another Machine", node(note("gone"), "x://1"), [machine("m", undefined, "x://1")], false],
  ["that never was a Machine's", node(undefined), [], false],
  ["of a MachinePool without Machines", node(note("")), [], false],
  ["of another Cluster", node(note("gone", { "cluster.x-k8s.io/cluster-name": "other" })), [], false],
  ["of a Cluster elsewhere", node(note("gone", { "cluster.x-k8s.io/cluster-namespace": "other" })), [], false],
])("a Node %s", (_, one, machines, isForgotten) => {
  expect(forgottenNodes([one], cluster, machines).map(({ node }) => node)).toEqual(isForgotten ? [one] : []);
});

it.each<[string, Node, readonly Machine[], readonly string[]]>([
  ["its provider id", node(undefined, "x://1"), [], ["m"]],
  ["a provider id that another Machine has by now", node(undefined, "x://1"), [machine("o", undefined, "x://1")], []],
  ["its name, which another Machine has by now", node(undefined, "x://1"), [machine("o", "n")], []],
  ["another provider id", node(undefined, "x://2"), [], []],
  ["nothing", node(undefined), [], []],
])("a Node that joined when its Machine was gone, told by %s", (_, one, machines, owners) => {
  const gone = [{ name: "m", providerID: "x://1", addresses: [], since: 0 }];
  expect(forgottenNodes([one], cluster, machines, gone).map((each) => each.machine)).toEqual(owners);
});
