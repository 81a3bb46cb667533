import type { KubeObject } from "@capstan/schema";
import { describe, expect, it } from "vitest";
import type { TreeNode } from "./tree.ts";
import { objectTree } from "./tree.ts";

const object = (kind: string, name: string, owner?: KubeObject): KubeObject => ({
  apiVersion: "cluster.x-k8s.io/v1beta2",
  kind,
  metadata: {
    name,
    namespace: "default",
    uid: `uid-${name}`,
    ...(owner !== undefined && {
      ownerReferences: [
        {
          apiVersion: owner.apiVersion,
          kind: owner.kind,
          name: owner.metadata.name ?? "",
          uid: owner.metadata.uid ?? "",
          controller: true,
        },
      ],
    }),
  },
  spec: { clusterName: "prod" },
});

const outline = ({ kind, name, children }: TreeNode): unknown => [`${kind}/${name}`, ...children.map(outline)];

it("shows what is left of owners that are not there, as after a restore", () => {
  const deployment = object("MachineDeployment", "md");
  const set = object("MachineSet", "set", deployment);
  const machines = [
    object("Machine", "kept", set),
    object("Machine", "left", object("MachineSet", "gone")),
    object("Machine", "alone"),
  ];
  const tree = objectTree(object("Cluster", "prod"), {
    machines,
    machineSets: [set, object("MachineSet", "orphan", object("MachineDeployment", "lost"))],
    machineDeployments: [deployment],
    machinePools: [],
    healthChecks: [],
    find: () => undefined,
  });
  expect(outline(tree)).toEqual([
    "Cluster/prod",
    [
      "/Workers",
      ["MachineDeployment/md", ["MachineSet/set", ["Machine/kept"]]],
      ["MachineSet/orphan"],
      ["Machine/alone"],
      ["Machine/left"],
    ],
  ]);
});

it("shows a pool with what it refers to and with its Machines", () => {
  const pool = object("MachinePool", "pool");
  const infrastructureRef = { apiGroup: "infrastructure.cluster.x-k8s.io", kind: "ScaleSet", name: "pool" };
  const configRef = { apiGroup: "bootstrap.cluster.x-k8s.io", kind: "Config", name: "pool" };
  const template = { spec: { bootstrap: { configRef }, infrastructureRef } };
  const tree = objectTree(object("Cluster", "prod"), {
    machines: [object("Machine", "pool-1", pool), object("Machine", "alone")],
    machineSets: [],
    machineDeployments: [],
    machinePools: [{ ...pool, spec: { clusterName: "prod", replicas: 1, template } }],
    healthChecks: [],
    find: ({ kind, name }) => object(kind, name),
  });
  expect(outline(tree)).toEqual([
    "Cluster/prod",
    ["/Workers", ["MachinePool/pool", ["Config/pool"], ["ScaleSet/pool"], ["Machine/pool-1"]], ["Machine/alone"]],
  ]);
  expect(tree.children[0]?.children[0]).toMatchObject({ replicas: "0/1", standing: { type: "Available" } });
});

it.each<[string, readonly object[], string]>([
  [
    "the one that is not as it should be",
    [
      { type: "Known", status: "True" },
      { type: "Contactable", status: "False" },
    ],
    "Contactable",
  ],
  [
    "the first",
    [
      { type: "Contactable", status: "True" },
      { type: "Deleting", status: "False" },
    ],
    "Contactable",
  ],
  ["that nothing is known", [], "Ready"],
])("of conditions that none sums up: shows %s", (_, conditions, type) => {
  const machine = { ...object("Machine", "a"), apiVersion: "bmc.tinkerbell.org/v1alpha1", status: { conditions } };
  const none = { machines: [], machineSets: [], machineDeployments: [], machinePools: [], healthChecks: [] };
  expect(objectTree(machine, { ...none, find: () => undefined }).standing).toMatchObject({ type });
});

it("shows the etcd of a control plane with its quorum and its leader", () => {
  const message = "2 of 2 voting members are healthy, 2 required; one leads";
  const controlPlane = {
    ...object("KubeadmControlPlane", "servers"),
    apiVersion: "controlplane.cluster.x-k8s.io/v1beta2",
    status: {
      conditions: [
        { type: "Ready", status: "True", reason: "Ready", message: "" },
        { type: "EtcdClusterHealthy", status: "True", reason: "Healthy", message },
      ],
    },
  };
  const machines = ["True", "False"].map((status, index) => ({
    ...object("Machine", `server-${index}`, controlPlane),
    status: { conditions: [{ type: "EtcdMemberHealthy", status, reason: "Said", message: "" }] },
  }));
  const none = { machineSets: [], machineDeployments: [], machinePools: [], healthChecks: [], find: () => undefined };
  const { children } = objectTree(controlPlane, { ...none, machines });
  const etcd = children.find(({ name }) => name === "etcd");
  expect(etcd).toMatchObject({ replicas: "1/2", standing: { type: "EtcdClusterHealthy", remark: message } });
});

describe("what is paused", () => {
  const paused = (kind: string, metadata: object = {}): KubeObject => {
    const message = "Cluster spec.paused is set to true";
    const conditions = [
      { type: "Ready", status: "True", reason: "Ready", message: "" },
      { type: "Paused", status: "True", reason: "Paused", message },
      { type: "Deleting", status: "False", reason: "NotDeleting", message: "" },
    ];
    const found = object(kind, "a");
    return { ...found, metadata: { ...found.metadata, ...metadata }, status: { conditions } };
  };
  const none = { machines: [], machineSets: [], machineDeployments: [], machinePools: [], healthChecks: [] };
  const standing = (found: KubeObject) => objectTree(found, { ...none, find: () => undefined }).standing;

  it("says that it is not deleted because of that", () => {
    const deletionTimestamp = "2026-01-01T00:00:00Z";
    expect(standing(paused("Machine", { deletionTimestamp }))).toMatchObject({
      type: "Deleting",
      reason: "Paused",
      message: "not deleted while it is paused: Cluster spec.paused is set to true",
    });
  });

  it("says so once for all of a Cluster, and of what is paused by itself", () => {
    const remark = "paused: Cluster spec.paused is set to true";
    expect(standing(paused("Cluster"))).toMatchObject({ type: "Ready", remark });
    expect(standing(paused("Machine"))).not.toHaveProperty("remark");
    const annotations = { "cluster.x-k8s.io/paused": "" };
    expect(standing(paused("Machine", { annotations }))).toMatchObject({ remark });
  });
});

it("does not say of what is being deleted that it is not", () => {
  const machine = object("Machine", "a");
  const deletionTimestamp = "2026-01-01T00:00:00Z";
  const conditions = [{ type: "Deleting", status: "False", reason: "NotDeleting", message: "" }];
  const going = { ...machine, metadata: { ...machine.metadata, deletionTimestamp }, status: { conditions } };
  const none = { machines: [], machineSets: [], machineDeployments: [], machinePools: [], healthChecks: [] };
  expect(objectTree(going, { ...none, find: () => undefined }).standing).toMatchObject({
    type: "Deleting",
    reason: "",
  });
});
