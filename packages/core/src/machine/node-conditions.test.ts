import { describe, expect, it } from "vitest";
import { at, cluster, condition, machine, ms } from "../../test/objects.ts";
import type { NodeConditionFacts } from "./node-conditions.ts";
import { nodeConditions, nodeHealthy, nodeReady } from "./node-conditions.ts";
import type { Node, NodeCondition } from "../object/workload-kinds.ts";

const node = (...conditions: readonly NodeCondition[]): Node => ({
  apiVersion: "v1",
  kind: "Node",
  metadata: { name: "n" },
  status: { conditions },
});
const all = (ready: string, pressure: string): readonly NodeCondition[] => [
  { type: "Ready", status: ready },
  ...["MemoryPressure", "DiskPressure", "PIDPressure"].map((type) => ({ type, status: pressure })),
];

describe("nodeHealthy", () => {
  it.each<[string, Node, object]>([
    ["a healthy Node", node(...all("True", "False")), { status: "True", reason: "NodeHealthy" }],
    [
      "a Node that is not ready",
      node({ type: "Ready", status: "False", message: "no network" }, ...all("True", "False").slice(1)),
      { status: "False", reason: "NodeNotHealthy", message: "* Node.Ready: no network" },
    ],
    [
      "a silent kubelet, said once for all",
      node(
        ...["Ready", "MemoryPressure", "DiskPressure", "PIDPressure"].map((type) => ({
          type,
          status: "Unknown",
          message: "stopped",
        })),
      ),
      {
        status: "Unknown",
        reason: "NodeHealthyUnknown",
        message: "* Node.Ready, Node.MemoryPressure, Node.DiskPressure, Node.PIDPressure: stopped",
      },
    ],
    [
      "one failure among unknowns",
      node({ type: "DiskPressure", status: "True" }),
      { status: "False", reason: "NodeNotHealthy" },
    ],
    ["a Node that reported nothing", node(), { status: "Unknown", reason: "NodeHealthyUnknown" }],
  ])("judges %s", (_, given, expected) => {
    expect(nodeHealthy(given)).toMatchObject(expected);
  });
});

describe("nodeReady", () => {
  it.each<[NodeCondition | undefined, object]>([
    [undefined, { status: "Unknown", reason: "NodeReadyUnknown", message: "* Node.Ready: Condition not yet reported" }],
    [
      { type: "Ready", status: "True", lastTransitionTime: at(3) },
      { status: "True", reason: "NodeReady", lastTransitionTime: at(3) },
    ],
    [
      { type: "Ready", status: "False", message: "m" },
      { status: "False", reason: "NodeNotReady", message: "* Node.Ready: m" },
    ],
    [
      { type: "Ready", status: "Unknown" },
      { status: "Unknown", reason: "NodeReadyUnknown" },
    ],
  ])("mirrors %j", (ready, expected) => {
    expect(nodeReady(ready === undefined ? node() : node(ready))).toMatchObject(expected);
  });
});

describe("nodeConditions", () => {
  const initialized = condition("ControlPlaneInitialized", "True", { since: 0 });
  const running = cluster({
    status: {
      initialization: { infrastructureProvisioned: true, controlPlaneInitialized: true },
      conditions: [initialized],
    },
  });
  const known = machine({
    spec: { providerID: "x://1" },
    status: { nodeRef: { name: "n" }, conditions: [condition("NodeHealthy", "True")] },
  });
  const facts: NodeConditionFacts = {
    machine: known,
    cluster: running,
    node: { state: "found", node: node(...all("True", "False")) },
    lastProbeSuccess: undefined,
    since: ms(0),
    graceMs: 300_000,
    now: ms(100),
  };
  const result = (over: Partial<NodeConditionFacts>) => nodeConditions({ ...facts, ...over });
  const first = (over: Partial<NodeConditionFacts>) => result(over).conditions[0];

  it.each<[string, Partial<NodeConditionFacts>, object]>([
    ["a Node", {}, { status: "True" }],
    [
      "no infrastructure yet",
      { cluster: cluster() },
      {
        status: "Unknown",
        reason: "InspectionFailed",
        message: "Waiting for Cluster status.initialization.infrastructureProvisioned to be true",
      },
    ],
    [
      "no control plane yet",
      { cluster: cluster({ status: { initialization: { infrastructureProvisioned: true } } }) },
      { status: "Unknown", reason: "InspectionFailed", message: "Waiting for Cluster control plane to be initialized" },
    ],
    [
      "no provider id yet",
      { machine: machine(), node: { state: "not-inspected" } },
      { status: "Unknown", reason: "InspectionFailed", message: "Waiting for TestMachine to report spec.providerID" },
    ],
    [
      "no Node yet",
      { machine: machine({ spec: { providerID: "x://1" } }), node: { state: "missing", anonymous: 0 } },
      {
        status: "Unknown",
        reason: "InspectionFailed",
        message: "Waiting for a Node with spec.providerID x://1 to exist",
      },
    ],
    [
      "Nodes that could be it",
      { machine: machine({ spec: { providerID: "x://1" } }), node: { state: "missing", anonymous: 2 } },
      {
        message:
          "Waiting for a Node with spec.providerID x://1 to exist; 2 Nodes have no spec.providerID: check that the cloud controller manager runs in the workload cluster",
      },
    ],
    [
      "a lost Node",
      { node: { state: "missing", anonymous: 0 } },
      { status: "False", reason: "NodeDeleted", message: "Node n has been deleted while the Machine still exists" },
    ],
    [
      "a deleted Node",
      {
        machine: { ...known, metadata: { ...known.metadata, deletionTimestamp: at(1) } },
        node: { state: "missing", anonymous: 0 },
      },
      { status: "False", reason: "NodeDeleted", message: "Node n has been deleted" },
    ],
    ["an error", { node: { state: "unreadable" } }, { status: "Unknown", reason: "InternalError" }],
    [
      "no connection, nothing known",
      { machine: machine(), node: { state: "unreachable" } },
      { status: "Unknown", reason: "ConnectionDown" },
    ],
    [
      "no connection for long",
      { node: { state: "unreachable" }, lastProbeSuccess: ms(50), now: ms(351) },
      {
        status: "Unknown",
        reason: "ConnectionDown",
        message: `The workload cluster does not answer; it last did at ${at(50)}`,
      },
    ],
  ])("with %s", (_, over, expected) => {
    expect(first(over)).toMatchObject({ type: "NodeHealthy", ...expected });
  });

  it("keeps what it knew for the grace period, and says when that ends", () => {
    const down = { node: { state: "unreachable" } } as const;
    expect(result(down)).toEqual({ conditions: [], remainingMs: 200_000 });
    expect(result({ ...down, lastProbeSuccess: ms(90) })).toEqual({ conditions: [], remainingMs: 290_000 });
    expect(result({ ...down, since: ms(95) })).toEqual({ conditions: [], remainingMs: 295_000 });
  });
});
