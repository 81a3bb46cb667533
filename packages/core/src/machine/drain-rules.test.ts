import { describe, expect, it } from "vitest";
import { cluster, drainRule, machine } from "../../test/objects.ts";
import type { MachineDrainRule } from "../api.ts";
import { behaviourByRule, needsNamespaces, rulesForMachine } from "./drain-rules.ts";
import type { Pod } from "../object/workload-kinds.ts";

const worker = machine({ metadata: { labels: { role: "worker" } } });
const prod = cluster({ metadata: { labels: { stage: "prod" } } });
const has = (key: string, value: string) => ({ matchLabels: { [key]: value } });

type Spec = MachineDrainRule["spec"];

describe("rulesForMachine", () => {
  it.each<[string, Spec["machines"], boolean]>([
    ["none given", undefined, true],
    ["an empty selector", [{ selector: {} }], true],
    ["a Machine's label", [{ selector: has("role", "worker") }], true],
    ["another label", [{ selector: has("role", "db") }], false],
    ["the Cluster's label", [{ clusterSelector: has("stage", "prod") }], true],
    ["both", [{ selector: has("role", "worker"), clusterSelector: has("stage", "prod") }], true],
    ["only half of one", [{ selector: has("role", "worker"), clusterSelector: has("stage", "test") }], false],
    ["halves of two", [{ selector: has("role", "db") }, { clusterSelector: has("stage", "prod") }], true],
  ])("selects by %s", (_, machines, expected) => {
    const rule = drainRule("r", machines === undefined ? {} : { machines });
    expect(rulesForMachine([rule], worker, prod).length === 1).toBe(expected);
  });

  it("asks them by name", () => {
    const names = rulesForMachine(
      ["b", "a-2", "a"].map((name) => drainRule(name)),
      worker,
      prod,
    );
    expect(names.map(({ metadata }) => metadata.name)).toEqual(["a", "a-2", "b"]);
  });

  it.each<[string, Partial<Spec>, string]>([
    ["a behaviour", { drain: { behavior: "Never" as "Skip" } }, "spec.drain.behavior"],
    [
      "an operator",
      { machines: [{ selector: { matchExpressions: [{ key: "a", operator: "Like" }] } }] },
      "spec.machines[0].selector",
    ],
    [
      "an operator without values",
      { pods: [{}, { namespaceSelector: { matchExpressions: [{ key: "a", operator: "In" }] } }] },
      "spec.pods[1].namespaceSelector",
    ],
  ])("does not guess at %s it does not know", (_, spec, field) => {
    expect(() => rulesForMachine([drainRule("r", spec)], worker, prod)).toThrow(
      `MachineDrainRule default/r: ${field} cannot be read`,
    );
  });
});

describe("behaviourByRule", () => {
  const pod = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "p", namespace: "apps", labels: { app: "web" } },
  } as Pod;
  const namespaces = new Map([["apps", { team: "blue" }]]);
  it.each<[string, Spec["pods"], boolean]>([
    ["none given", undefined, true],
    ["an empty selector", [{ selector: {} }], true],
    ["a Pod's label", [{ selector: has("app", "web") }], true],
    ["another label", [{ selector: has("app", "db") }], false],
    ["its Namespace's label", [{ namespaceSelector: has("team", "blue") }], true],
    ["only half of one", [{ selector: has("app", "web"), namespaceSelector: has("team", "red") }], false],
  ])("selects by %s", (_, pods, expected) => {
    const rule = drainRule("r", pods === undefined ? {} : { pods });
    expect(behaviourByRule([rule], pod, namespaces) !== undefined).toBe(expected);
  });

  it("takes the first that is about the Pod, and an order only where Pods are drained", () => {
    const rules = [
      drainRule("a", { pods: [{ selector: has("app", "db") }] }),
      drainRule("b", { drain: { behavior: "WaitCompleted", order: 9 } }),
      drainRule("c", { drain: { behavior: "Drain", order: 9 } }),
    ];
    expect(behaviourByRule(rules, pod, namespaces)).toEqual({ behaviour: "WaitCompleted", order: 0 });
    expect(behaviourByRule(rules.slice(2), pod, namespaces)).toEqual({ behaviour: "Drain", order: 9 });
    expect(behaviourByRule([], pod, namespaces)).toBeUndefined();
  });
});

it("asks for Namespaces only where a rule selects by them", () => {
  expect(needsNamespaces([drainRule("a"), drainRule("b", { pods: [{ selector: {} }] })])).toBe(false);
  expect(needsNamespaces([drainRule("a", { pods: [{ namespaceSelector: {} }] })])).toBe(true);
});
