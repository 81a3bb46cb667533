import { ownerReference } from "@capstan/contract/wire";
import { describe, expect, it } from "vitest";
import { at, condition, machine, machineDeployment, machineSet } from "../../test/objects.ts";
import type { Machine } from "../api.ts";
import { MachineSet } from "../api.ts";
import { planReplicas } from "./set-sizes.ts";

const set = (name: string, replicas: number, present = replicas, available = present): MachineSet =>
  machineSet({
    metadata: { name, creationTimestamp: at(name.charCodeAt(0)) },
    spec: { replicas: replicas },
    status: { replicas: present, availableReplicas: available },
  });

const machinesOf = (owner: MachineSet, count: number, available = count, deleted = 0): readonly Machine[] =>
  Array.from({ length: count }, (_, index) =>
    machine({
      metadata: {
        name: `${owner.metadata.name}-${index}`,
        ownerReferences: [ownerReference(MachineSet, owner, { controller: true })],
        ...(index < deleted ? { deletionTimestamp: at(1) } : {}),
      },
      status: { conditions: [condition("Available", index < available ? "True" : "False")] },
    }),
  );

const old = set("a", 3);
const current = set("b", 1);

const plan = (
  machines: readonly Machine[],
  given: { readonly old?: MachineSet; readonly current?: MachineSet; readonly leaving?: readonly MachineSet[] } = {},
  more: Parameters<typeof machineDeployment>[0] = {},
): string => {
  const outdated = given.old ?? old;
  const { leaving = [] } = given;
  const deployment = machineDeployment({
    spec: {
      rollout: { strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } },
      ...more?.spec,
    },
  });
  const held = deployment.spec.paused === true;
  const result = planReplicas({
    deployment,
    current: given.current ?? current,
    old: [outdated],
    leaving,
    held,
    machines,
  });
  return `${result.old.get(outdated.metadata.name ?? "")} ${result.current}`;
};

describe("planReplicas", () => {
  const all = [...machinesOf(old, 3), ...machinesOf(current, 1)];
  const two = set("b", 2);
  const pair = machinesOf(two, 2);
  it.each<[string, string, string]>([
    ["takes a step when all is as it should be", plan(all), "2 1"],
    ["waits for Machines that are not seen yet", plan(all.slice(0, 3)), "3 1"],
    ["waits for a report of their set", plan(all, { current: set("b", 1, 0) }), "3 1"],
    [
      "believes the Machines when a report is older",
      plan([...machinesOf(old, 3, 2), ...pair], { current: two }),
      "2 2",
    ],
    [
      "takes no Machine that is being deleted for available",
      plan([...machinesOf(old, 3, 3, 1), ...machinesOf(current, 1)]),
      "2 1",
    ],
    [
      "counts Machines of sets that are being deleted",
      plan(all, { current: set("b", 0), leaving: [set("x", 2)] }),
      "3 0",
    ],
    ["changes nothing for fewer than none", plan(all, {}, { spec: { replicas: -1 } }), "3 1"],
    ["replaces nothing while it is paused", plan(all, {}, { spec: { paused: true } }), "3 1"],
    [
      "follows deletions with OnDelete",
      plan(all.slice(1), { old: set("a", 3, 2) }, { spec: { rollout: { strategy: { type: "OnDelete" } } } }),
      "2 1",
    ],
    [
      "waits for their set's report, too",
      plan(all.slice(1), {}, { spec: { rollout: { strategy: { type: "OnDelete" } } } }),
      "2 1",
    ],
  ])("%s", (_, result, expected) => {
    expect(result).toBe(expected);
  });
});
