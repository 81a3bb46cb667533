import { Label } from "@capstan/contract";
import { describe, expect, it } from "vitest";
import { at, ms } from "../../test/objects.ts";
import { daemonSetOf, decidePod, drainMessage, drainText } from "./drain-plan.ts";
import type { PodDecision } from "./drain-plan.ts";
import type { Pod } from "./workload-kinds.ts";

const owner = (kind: string) => [{ apiVersion: "apps/v1", kind, name: "o", uid: "u", controller: true }];
const pod = (parts: { metadata?: object; spec?: object; status?: object } = {}): Pod => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "p", namespace: "ns", ownerReferences: owner("ReplicaSet"), ...parts.metadata },
  spec: { ...parts.spec },
  status: { phase: "Running", ...parts.status },
});

const world = { nodeUnreachable: false, now: ms(100), daemonSets: new Set(["ns/o"]) };
const daemon = { metadata: { ownerReferences: owner("DaemonSet") } };
const drain = (value: string) => ({ metadata: { labels: { [Label.drain]: value } } });
const deleted = (second: number) => ({ metadata: { deletionTimestamp: at(second) } });

describe("decidePod", () => {
  it.each<[string, Pod, Partial<typeof world>, PodDecision]>([
    ["an ordinary Pod", pod(), {}, { action: "evict" }],
    ["a Pod being deleted", pod(deleted(1)), {}, { action: "await-deletion" }],
    ["a Pod deleted long ago on an unreachable Node", pod(deleted(98)), { nodeUnreachable: true }, { action: "skip" }],
    [
      "a Pod just deleted on an unreachable Node",
      pod(deleted(99)),
      { nodeUnreachable: true },
      { action: "await-deletion" },
    ],
    ["a Pod of a DaemonSet", pod(daemon), {}, { action: "skip" }],
    ["a finished Pod of a DaemonSet", pod({ ...daemon, status: { phase: "Succeeded" } }), {}, { action: "evict" }],
    [
      "a Pod whose DaemonSet is gone",
      pod(daemon),
      { daemonSets: new Set<string>() },
      { action: "evict", warning: "evicting a Pod whose DaemonSet does not exist" },
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
      { action: "evict", warning: "evicting a Pod that uses emptyDir volumes" },
    ],
    [
      "a Pod of nobody with emptyDir",
      pod({ metadata: { ownerReferences: [] }, spec: { volumes: [{ name: "v", emptyDir: {} }] } }),
      {},
      { action: "evict", warning: "evicting a Pod that uses emptyDir volumes, evicting a Pod without a controller" },
    ],
    ["a Pod that asks to be skipped", pod(drain("Skip")), {}, { action: "skip" }],
    ["a Pod that asks to complete", pod(drain("wait-completed")), {}, { action: "await-completion" }],
    ["a Pod that asks for what is unknown", pod(drain("never")), {}, { action: "evict" }],
  ])("%s", (_, given, over, expected) => {
    expect(decidePod(given, { ...world, ...over })).toEqual(expected);
  });

  it("names the DaemonSet to look up", () => {
    expect(daemonSetOf(pod(daemon))).toBe("ns/o");
    expect(daemonSetOf(pod())).toBeUndefined();
  });
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
});
