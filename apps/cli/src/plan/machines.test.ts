import type { KubeObject } from "@capstan/schema";
import { groupOf } from "@capstan/kube-values";
import { describe, expect, it } from "vitest";
import { planMachines } from "./machines.ts";
import type { World } from "./world.ts";

const namespace = "default";
const core = "cluster.x-k8s.io/v1beta2";
const infrastructure = "infrastructure.cluster.x-k8s.io";
const ref = (kind: string, name: string, apiGroup = infrastructure) => ({ apiGroup, kind, name });

const object = (kind: string, name: string, spec: object, labels: object = {}, apiVersion = core): KubeObject =>
  ({ apiVersion, kind, metadata: { name, namespace, labels }, spec }) as KubeObject;

const acme = (kind: string, name: string, spec: object): KubeObject =>
  object(kind, name, spec, {}, `${infrastructure}/v1`);

/** Objects as they are, and as they will be. */
const worldOf = (before: readonly KubeObject[], after: readonly KubeObject[]): World => {
  const same = (one: KubeObject) => (other: KubeObject) =>
    one.kind === other.kind && one.metadata.name === other.metadata.name;
  const pairs = after.map((each) => ({ before: before.find(same(each)), after: each }));
  const left = before.filter((each) => !after.some(same(each))).map((each) => ({ before: each, after: each }));
  const all = [...pairs, ...left];
  return {
    list: async ({ kind }) => all.filter((pair) => pair.after.kind === kind),
    find: async ({ kind, name, apiGroup }) =>
      all.find(
        ({ after: each }) => each.kind === kind && each.metadata.name === name && groupOf(each.apiVersion) === apiGroup,
      ) ?? { before: undefined, after: undefined },
  };
};

const cluster = object("Cluster", "orchid", {
  infrastructureRef: ref("AcmeCluster", "orchid"),
  controlPlaneRef: ref("RoyalControlPlane", "throne", "controlplane.cluster.x-k8s.io"),
});

const controlPlane = (replicas: number, version: string): KubeObject =>
  object(
    "RoyalControlPlane",
    "throne",
    { replicas, version, machineTemplate: { spec: { infrastructureRef: ref("AcmeMachineTemplate", "big") } } },
    {},
    "controlplane.cluster.x-k8s.io/v1",
  );

const base = [
  acme("AcmeCluster", "orchid", { region: "mars" }),
  acme("AcmeMachineTemplate", "big", { template: { spec: { size: "big" } } }),
];

const member = (name: string): readonly KubeObject[] => [
  object(
    "Machine",
    name,
    { clusterName: "orchid", infrastructureRef: ref("AcmeMachine", name) },
    { "cluster.x-k8s.io/cluster-name": "orchid", "cluster.x-k8s.io/control-plane": "" },
  ),
  acme("AcmeMachine", name, { size: "small" }),
];

describe("a control plane object in a plan", () => {
  it("makes as many Machines as it says, from its template", async () => {
    const { machines, items } = await planMachines(worldOf([], [...base, cluster, controlPlane(3, "v1")]));
    expect(machines).toMatchObject([
      { action: "create", count: 3, object: { apiVersion: core, kind: "Machine", metadata: { name: "throne-*" } } },
    ]);
    expect(items).toMatchObject([
      {
        count: 3,
        after: { kind: "AcmeMachine", metadata: { name: "throne-*" }, spec: { size: "big" } },
        infraCluster: { kind: "AcmeCluster" },
      },
      { count: 1, after: { kind: "AcmeCluster" } },
    ]);
  });

  it("replaces those that it has when its version changes, and removes what is too much", async () => {
    const before = [...base, cluster, controlPlane(2, "v1"), ...member("a"), ...member("b")];
    const { machines, items } = await planMachines(worldOf(before, [controlPlane(1, "v2")]));
    expect(machines).toMatchObject([
      { action: "replace", note: "spec.version changed", object: { metadata: { name: "a" } } },
      { action: "delete", object: { metadata: { name: "b" } } },
    ]);
    expect(items.slice(0, 2)).toMatchObject([
      { replaced: true, before: { spec: { size: "small" } }, after: { spec: { size: "big" } } },
      { replaced: false, before: { metadata: { name: "b" } }, after: undefined },
    ]);
  });
});

it("one that is a Cluster of its own, without machines of a template, makes none", async () => {
  const managed = object("RoyalControlPlane", "throne", { version: "v1" }, {}, "controlplane.cluster.x-k8s.io/v1");
  expect((await planMachines(worldOf([], [...base, cluster, managed]))).machines).toEqual([]);
});

it("finds what stands beside the infrastructure of a Cluster, for machines of its kind", async () => {
  const labels = { "cluster.x-k8s.io/cluster-name": "orchid" };
  const group = `${infrastructure}/v1`;
  const beside = object("OtherCluster", "orchid", { region: "venus" }, labels, group);
  const machines = [
    object("Machine", "w", { clusterName: "orchid", infrastructureRef: ref("OtherMachine", "w") }, labels),
    object("OtherMachine", "w", {}, labels, group),
    object("Machine", "m", { clusterName: "orchid", infrastructureRef: ref("AcmeMachine", "m") }, labels),
    acme("AcmeMachine", "m", {}),
  ];
  const { items } = await planMachines(worldOf([], [...base, cluster, beside, ...machines]));
  expect(items).toMatchObject([
    { after: { kind: "OtherMachine" }, infraCluster: { kind: "OtherCluster" } },
    { after: { kind: "AcmeMachine" }, infraCluster: { kind: "AcmeCluster" } },
    { after: { kind: "AcmeCluster" } },
    { after: { kind: "OtherCluster" }, additional: true },
  ]);
  expect(items.map(({ additional = false }) => additional)).toEqual([false, false, false, true]);
});

it("has the infrastructure of a MachinePool, with the MachinePool as it will be", async () => {
  const spec = (replicas: number) => ({
    clusterName: "orchid",
    replicas,
    template: { spec: { infrastructureRef: ref("AcmeMachinePool", "workers") } },
  });
  const before = [...base, cluster, acme("AcmeMachinePool", "workers", {}), object("MachinePool", "w", spec(1))];
  const { items, machines } = await planMachines(worldOf(before, [object("MachinePool", "w", spec(3))]));
  expect(machines).toEqual([]);
  expect(items).toMatchObject([
    {
      before: { kind: "AcmeMachinePool" },
      after: { kind: "AcmeMachinePool" },
      infraCluster: { kind: "AcmeCluster" },
      machinePool: { spec: { replicas: 3 } },
    },
    { after: { kind: "AcmeCluster" } },
  ]);
});
