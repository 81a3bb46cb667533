import { Taint } from "@capstan/contract";
import { describe, expect, it } from "vitest";
import type { NodeTaint } from "../object/workload-kinds.ts";
import { syncedTaints } from "./node-taints.ts";

const effect = "NoSchedule" as const;
const a = { key: "team/a", value: "1", effect } as const;
const b = { key: "b", effect } as const;
const foreign: NodeTaint = {
  key: "node.kubernetes.io/not-ready",
  effect: "NoExecute",
  timeAdded: "2026-01-01T00:00:00Z",
};
const always = { ...a, propagation: "Always" } as const;
const once = { ...a, propagation: "OnInitialization" } as const;

type Input = Parameters<typeof syncedTaints>[0];

/** The outcome, and proof that a second sync has nothing to say. */
const synced = (over: Partial<Input>) => {
  const input: Input = { taints: [], wanted: [], tracked: "", outdated: undefined, ...over };
  const result = syncedTaints(input);
  const again = syncedTaints({ ...input, ...result });
  expect(again.taints).toBe(result.taints);
  expect(again.tracked).toBe(result.tracked);
  return result;
};

describe("syncedTaints of a Machine", () => {
  it.each<[string, Partial<Input>, readonly NodeTaint[], string]>([
    ["nothing wanted, new Node", { tracked: undefined, taints: [foreign] }, [foreign], ""],
    [
      "Always on a new Node",
      { tracked: undefined, wanted: [always], taints: [foreign] },
      [foreign, a],
      "team/a:NoSchedule",
    ],
    ["OnInitialization on a new Node", { tracked: undefined, wanted: [once] }, [a], ""],
    [
      "both on a new Node",
      { tracked: undefined, wanted: [once, { ...b, propagation: "Always" }] },
      [b, a],
      "b:NoSchedule",
    ],
    ["Always added later", { wanted: [always] }, [a], "team/a:NoSchedule"],
    ["OnInitialization added later", { wanted: [once] }, [], ""],
    ["Always taken away by somebody", { wanted: [always], tracked: "team/a:NoSchedule" }, [a], "team/a:NoSchedule"],
    ["OnInitialization taken away by somebody", { wanted: [once] }, [], ""],
    ["Always dropped", { tracked: "team/a:NoSchedule", taints: [a, foreign] }, [foreign], ""],
    ["OnInitialization dropped", { taints: [a] }, [a], ""],
    ["Always becomes OnInitialization", { wanted: [once], tracked: "team/a:NoSchedule", taints: [a] }, [a], ""],
    ["OnInitialization becomes Always", { wanted: [always], taints: [a] }, [a], "team/a:NoSchedule"],
    [
      "another value of Always",
      { wanted: [{ ...always, value: "2" }], taints: [a] },
      [{ ...a, value: "2" }],
      "team/a:NoSchedule",
    ],
    ["another value of OnInitialization", { wanted: [{ ...once, value: "2" }], taints: [a] }, [a], ""],
    [
      "another effect of Always",
      { wanted: [{ ...always, effect: "NoExecute" }], tracked: "team/a:NoSchedule", taints: [a] },
      [{ ...a, effect: "NoExecute" }],
      "team/a:NoExecute",
    ],
    [
      "Always that is there already",
      { tracked: undefined, wanted: [always], taints: [a, foreign] },
      [a, foreign],
      "team/a:NoSchedule",
    ],
    [
      "a broken annotation",
      { wanted: [always], tracked: ",,:,x:y:z", taints: [foreign] },
      [foreign, a],
      "team/a:NoSchedule",
    ],
    [
      "an annotation that names a foreign taint that is wanted by nobody",
      { tracked: "b:NoSchedule", taints: [b] },
      [],
      "",
    ],
  ])("%s", (_, over, taints, tracked) => expect(synced(over)).toEqual({ taints, tracked }));

  it("keeps since when a taint stands", () => {
    const standing = { ...a, timeAdded: "2026-01-01T00:00:00Z" };
    expect(synced({ wanted: [always], taints: [standing] }).taints[0]).toBe(standing);
  });
});

describe("syncedTaints of the controllers", () => {
  it.each<[string, Partial<Input>, readonly NodeTaint[]]>([
    ["a Node that is no longer new", { taints: [Taint.uninitialized, foreign] }, [foreign]],
    ["an outdated Machine", { outdated: true }, [Taint.outdatedRevision]],
    [
      "an outdated Machine that is marked",
      { outdated: true, taints: [Taint.outdatedRevision, foreign] },
      [Taint.outdatedRevision, foreign],
    ],
    ["a Machine that is current again", { outdated: false, taints: [Taint.outdatedRevision] }, []],
    [
      "a Machine of which it cannot be told",
      { outdated: undefined, taints: [Taint.outdatedRevision] },
      [Taint.outdatedRevision],
    ],
  ])("%s", (_, over, taints) => expect(synced(over).taints).toEqual(taints));
});
