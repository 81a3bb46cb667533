import { Annotation, Label } from "@capstan/contract";
import { describe, expect, it } from "vitest";
import { at, cluster, condition, machine, ms } from "../../test/objects.ts";
import type { Machine } from "../api.ts";
import type { Node } from "../object/workload-kinds.ts";
import type { HealthFacts, NodeSight, Verdict } from "./verdict.ts";
import { judge } from "./verdict.ts";

const ready = cluster({
  status: {
    initialization: { infrastructureProvisioned: true, controlPlaneInitialized: true },
    conditions: [
      condition("InfrastructureReady", "True", { since: 10 }),
      condition("ControlPlaneInitialized", "True", { since: 20 }),
    ],
  },
});

const node = (...conditions: readonly object[]): NodeSight => ({
  state: "found",
  node: { apiVersion: "v1", kind: "Node", metadata: { name: "n" }, status: { conditions } } as unknown as Node,
});

const rules: HealthFacts["rules"] = {
  nodeStartupTimeoutMs: 600_000,
  nodeConditions: [
    { type: "Ready", status: "False", timeoutMs: 300_000 },
    { type: "Ready", status: "Unknown", timeoutMs: 100_000 },
  ],
  machineConditions: [{ type: "InfrastructureReady", status: "False", timeoutMs: 60_000 }],
};

const joined = (parts: Parameters<typeof machine>[0] = {}): Machine =>
  machine({ ...parts, status: { nodeRef: { name: "n" }, ...parts.status } });

const annotated = (key: string): Machine => joined({ metadata: { annotations: { [key]: "" } } });
const labelled = (name: string): Machine => machine({ metadata: { labels: { [name]: "" } } });
const infrastructure = (status: "True" | "False" | "Unknown", since: number, reason = "NotReady") => ({
  conditions: [condition("InfrastructureReady", status, { since, reason })],
});

const given = (over: Partial<HealthFacts>): HealthFacts => ({
  machine: joined(),
  cluster: ready,
  node: node(condition("Ready", "True")),
  rules,
  now: ms(1000),
  ...over,
});

const healthy: Verdict = { kind: "healthy" };
const pending = (recheckMs?: number): Verdict =>
  recheckMs === undefined ? { kind: "pending" } : { kind: "pending", recheckMs };
const unhealthy = (reason: string, ...messages: readonly string[]) => ({
  kind: "unhealthy",
  reason,
  messages: messages.length > 0 ? messages : [expect.any(String)],
});

describe("judge: what counts before any check", () => {
  const starting = cluster({
    status: {
      initialization: { infrastructureProvisioned: true },
      conditions: [condition("InfrastructureReady", "True", { since: 10 })],
    },
  });

  it.each<[string, Partial<HealthFacts>, unknown]>([
    [
      "a Machine that goes is left alone",
      { machine: joined({ metadata: { deletionTimestamp: at(1) } }) },
      { kind: "leaving" },
    ],
    [
      "even when it is marked",
      {
        machine: joined({ metadata: { deletionTimestamp: at(1), annotations: { [Annotation.remediateMachine]: "" } } }),
      },
      { kind: "leaving" },
    ],
    ["a mark is enough", { machine: annotated(Annotation.remediateMachine) }, unhealthy("HasRemediateAnnotation")],
    [
      "also before the Cluster is there",
      { machine: annotated(Annotation.remediateMachine), cluster: cluster() },
      unhealthy("HasRemediateAnnotation"),
    ],
    [
      "without infrastructure nothing is judged",
      { cluster: cluster(), machine: machine(), node: { state: "none" } },
      pending(),
    ],
    [
      "without control plane no worker is",
      { cluster: starting, machine: machine(), node: { state: "none" } },
      pending(),
    ],
    [
      "but the Machines that should become one are",
      { cluster: starting, machine: labelled(Label.controlPlane), node: { state: "none" } },
      unhealthy("NodeStartupTimeout"),
    ],
  ])("%s", (_, over, expected) => expect(judge(given(over))).toEqual(expected));
});

describe("judge: the start of a Node", () => {
  const none = { state: "none" } as const;
  it.each<[string, Partial<HealthFacts>, unknown]>([
    ["within its time", { machine: machine(), node: none, now: ms(600) }, pending(21_000)],
    ["when the last second is reached", { machine: machine(), node: none, now: ms(620) }, pending(1000)],
    [
      "one second later",
      { machine: machine(), node: none, now: ms(621) },
      unhealthy("NodeStartupTimeout", "Node failed to report startup in 10m0s"),
    ],
    [
      "measured from the Machine's infrastructure",
      { machine: machine({ status: infrastructure("True", 500) }), node: none, now: ms(621) },
      pending(480_000),
    ],
    [
      "measured from the Machine's creation",
      { machine: machine({ metadata: { creationTimestamp: at(300) } }), node: none, now: ms(621) },
      pending(280_000),
    ],
    ["without limit", { machine: machine(), node: none, rules: { ...rules, nodeStartupTimeoutMs: 0 } }, pending()],
    ["while its cluster is silent", { machine: machine(), node: { state: "unknown" } }, { kind: "unknown" }],
  ])("%s", (_, over, expected) => expect(judge(given(over))).toEqual(expected));
});

describe("judge: conditions", () => {
  const nodeIs = (status: "True" | "False" | "Unknown", since: number) => node(condition("Ready", status, { since }));
  it.each<[string, Partial<HealthFacts>, unknown]>([
    ["nothing amiss", {}, healthy],
    ["no conditions reported", { node: node() }, healthy],
    ["a Node not ready for a while", { node: nodeIs("False", 800) }, pending(101_000)],
    ["a Node not ready, just at the limit", { node: nodeIs("False", 700) }, pending(1000)],
    [
      "a Node not ready for too long",
      { node: nodeIs("False", 699) },
      unhealthy(
        "UnhealthyNode",
        "Condition Ready on Node is reporting status False with reason Because for more than 5m0s",
      ),
    ],
    ["a Node unheard of for too long", { node: nodeIs("Unknown", 800) }, unhealthy("UnhealthyNode")],
    ["a Node that does not say since when", { node: node({ type: "Ready", status: "False" }) }, pending(301_000)],
    ["a Node that is gone", { node: { state: "gone" } }, unhealthy("NodeDeleted", "Node n has been deleted")],
    ["a cluster that does not answer", { node: { state: "unknown" } }, { kind: "unknown" }],
    [
      "a Machine's condition for a while",
      { machine: joined({ status: infrastructure("False", 950) }) },
      pending(11_000),
    ],
    [
      "a Machine's condition for too long",
      { machine: joined({ status: infrastructure("False", 900) }) },
      unhealthy(
        "UnhealthyMachine",
        "Condition InfrastructureReady on Machine is reporting status False with reason NotReady for more than 1m0s",
      ),
    ],
    [
      "a Machine's condition while its cluster is silent",
      { machine: joined({ status: infrastructure("False", 900) }), node: { state: "unknown" } },
      unhealthy("UnhealthyMachine"),
    ],
    [
      "what is only lost sight of",
      { machine: joined({ status: infrastructure("False", 900, "ConnectionDown") }), node: { state: "unknown" } },
      { kind: "unknown" },
    ],
    [
      "both: the Machine gives the reason, both are told",
      { machine: joined({ status: infrastructure("False", 900) }), node: nodeIs("False", 1) },
      unhealthy(
        "UnhealthyMachine",
        "Condition InfrastructureReady on Machine is reporting status False with reason NotReady for more than 1m0s",
        "Condition Ready on Node is reporting status False with reason Because for more than 5m0s",
      ),
    ],
    [
      "one over its time, one not",
      { machine: joined({ status: infrastructure("False", 950) }), node: nodeIs("False", 1) },
      unhealthy(
        "UnhealthyNode",
        "Condition Ready on Node is reporting status False with reason Because for more than 5m0s",
      ),
    ],
    [
      "the one that is due first decides when to look again",
      { machine: joined({ status: infrastructure("False", 990) }), node: nodeIs("False", 701) },
      pending(2000),
    ],
  ])("%s", (_, over, expected) => expect(judge(given(over))).toEqual(expected));
});
