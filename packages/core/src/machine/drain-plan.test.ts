import { Label } from "@capstan/contract";
import { drainText } from "@capstan/kit/machines";
import { describe, expect, it } from "vitest";
import { at, drainRule, ms } from "../../test/objects.ts";
import type { MachineDrainRule } from "../api.ts";
import { currentOrder, daemonSetOf, decidePod, drainMessage } from "./drain-plan.ts";
import type { PodDecision } from "./drain-plan.ts";
import type { Pod } from "../object/workload-kinds.ts";

const owner = (kind: string) => [{ apiVersion: "apps/v1", kind, name: "o", uid: "u", controller: true }];
const pod = (parts: { metadata?: object; spec?: object; status?: object } = {}): Pod => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "p", namespace: "ns", ownerReferences: owner("ReplicaSet"), ...parts.metadata },
  spec: { ...parts.spec },
  status: { phase: "Running", ...parts.status },
});

const world: Parameters<typeof decidePod>[1] = {
  nodeUnreachable: false,
  now: ms(100),
  daemonSets: new Set(["ns/o"]),
  rules: [],
  namespaceLabels: new Map(),
};
const evict = { action: "evict", order: 0 } as const;
const rule = (drain: MachineDrainRule["spec"]["drain"]): MachineDrainRule => drainRule("r", { drain });
const daemon = { metadata: { ownerReferences: owner("DaemonSet") } };
const drain = (value: string) => ({ metadata: { labels: { [Label.drain]: value } } });
const deleted = (second: number) => ({ metadata: { deletionTimestamp: at(second) } });

describe("decidePod", () => {
  it.each<[string, Pod, Partial<typeof world>, PodDecision]>([
    ["an ordinary Pod", pod(), {}, evict],
    ["a Pod being deleted", pod(deleted(1)), {}, { action: "await-deletion", order: 0 }],
    ["a Pod deleted long ago on an unreachable Node", pod(deleted(98)), { nodeUnreachable: true }, { action: "skip" }],
    [
      "a Pod just deleted on an unreachable Node",
      pod(deleted(99)),
      { nodeUnreachable: true },
      { action: "await-deletion", order: 0 },
    ],
    ["a Pod of a DaemonSet", pod(daemon), {}, { action: "skip" }],
    ["a finished Pod of a DaemonSet", pod({ ...daemon, status: { phase: "Succeeded" } }), {}, evict],
    [
      "a Pod whose DaemonSet is gone",
      pod(daemon),
      { daemonSets: new Set<string>() },
      { ...evict, warning: "evicting a Pod whose DaemonSet does not exist" },
    ],
    [
      "a mirror Pod",
      pod({ metadata: { annotations: { "kubernetes.io/config.mirror": "x" } } }),
      {},
      { action: "skip" },
    ],
    [
      "a Pod with emptyDir",
      pod({ spec: { volumes: [{ name: "v", emptyDir: {} }] } }),
      {},
      { ...evict, warning: "evicting a Pod that uses emptyDir volumes" },
    ],
    [
      "a Pod of nobody with emptyDir",
      pod({ metadata: { ownerReferences: [] }, spec: { volumes: [{ name: "v", emptyDir: {} }] } }),
      {},
      { ...evict, warning: "evicting a Pod that uses emptyDir volumes, evicting a Pod without a controller" },
    ],
    ["a Pod that asks for something with a name that objects inherit", pod(drain("constructor")), {}, evict],
    ["a Pod that asks to be skipped", pod(drain("Skip")), {}, { action: "skip" }],
    ["a Pod that asks to complete", pod(drain("wait-completed")), {}, { action: "await-completion", order: 0 }],
    [
      "a Pod that asked to complete, and has",
      pod({ ...drain("wait-completed"), status: { phase: "Succeeded" } }),
      {},
      { action: "completed" },
    ],
    [
      "one that did so without success",
      pod({ ...drain("wait-completed"), status: { phase: "Failed" } }),
      {},
      { action: "completed" },
    ],
    ["a Pod that asks for what is unknown", pod(drain("never")), {}, evict],
  ])("%s", (_, given, over, expected) => {
    expect(decidePod(given, { ...world, ...over })).toEqual(expected);
  });

  it.each<[string, Pod, readonly MachineDrainRule[], PodDecision]>([
    ["to be drained later", pod(), [rule({ behavior: "Drain", order: 5 })], { action: "evict", order: 5 }],
    ["to be left alone", pod(), [rule({ behavior: "Skip" })], { action: "skip" }],
    ["to complete", pod(), [rule({ behavior: "WaitCompleted" })], { action: "await-completion", order: 0 }],
    [
      "to complete, and has",
      pod({ status: { phase: "Succeeded" } }),
      [rule({ behavior: "WaitCompleted" })],
      { action: "completed" },
    ],
    [
      "of an order, and goes",
      pod(deleted(1)),
      [rule({ behavior: "Drain", order: -3 })],
      { action: "await-deletion", order: -3 },
    ],
    ["but says otherwise itself", pod(drain("skip")), [rule({ behavior: "Drain", order: 5 })], { action: "skip" }],
    ["but is of a DaemonSet", pod(daemon), [rule({ behavior: "Drain", order: 5 })], { action: "skip" }],
  ])("a Pod that a rule tells %s", (_, given, rules, expected) => {
    expect(decidePod(given, { ...world, rules })).toEqual(expected);
  });

  it("names the DaemonSet to look up", () => {
    expect(daemonSetOf(pod(daemon))).toBe("ns/o");
    expect(daemonSetOf(pod())).toBeUndefined();
  });
});

describe("currentOrder", () => {
  it.each<[readonly PodDecision[], number]>([
    [[{ action: "skip" }, evict], 0],
    [
      [
        { action: "evict", order: 7 },
        { action: "evict", order: -1 },
      ],
      -1,
    ],
    [
      [
        { action: "evict", order: 7 },
        { action: "await-deletion", order: -5 },
      ],
      -5,
    ],
    [[{ action: "evict", order: 7 }, { action: "await-completion", order: 0 }, { action: "completed" }], 0],
  ])("of %j is %s", (decisions, expected) => expect(currentOrder(decisions)).toBe(expected));
});

describe("drainMessage", () => {
  it("groups by reason, with at most three names a line", () => {
    const remaining = [
      ...["d", "c", "b", "a"].map((name) => ({ pod: `ns/${name}`, why: drainText.terminating })),
      { pod: "ns/z", why: `${drainText.disruptionBudget} The budget needs 2.` },
    ];
    expect(drainMessage(remaining, at(0))).toBe(
      [
        "Drain not completed yet (started at 2026-01-01T00:00:00Z):",
        "* Pods ns/a, ns/b, ns/c, ... (1 more): deletionTimestamp set, but still not removed from the Node",
        "* Pod ns/z: cannot evict pod as it would violate the pod's disruption budget. The budget needs 2.",
      ].join("\n"),
    );
  });

  it("ends with those whose turn comes later", () => {
    const remaining = [
      { pod: "ns/b", why: "", later: "evict" },
      { pod: "ns/job", why: "", later: "await-completion" },
      { pod: "ns/now", why: drainText.terminating },
      { pod: "ns/a", why: "", later: "evict" },
    ] as const;
    expect(drainMessage(remaining, at(0)).split("\n").slice(1)).toEqual([
      "* Pod ns/now: deletionTimestamp set, but still not removed from the Node",
      "After above Pods have been removed from the Node, the following Pods will be evicted: ns/a, ns/b",
      "After above Pods have been removed from the Node, the following Pods will be waited for until they complete: ns/job",
    ]);
  });
});
