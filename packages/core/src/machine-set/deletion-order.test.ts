import { Annotation } from "@capstan/contract";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { at, condition, machine, ms } from "../../test/objects.ts";
import type { Machine } from "../api.ts";
import { deletionPriority, inDeletionOrder } from "./deletion-order.ts";
import type { DeletionOrder } from "./deletion-order.ts";
import { planScale } from "./scale-plan.ts";

const day = 86_400;
const healthy = { nodeRef: { name: "n" } };
const named = (name: string, parts: Parameters<typeof machine>[0] = {}): Machine =>
  machine({ status: healthy, ...parts, metadata: { name, ...parts?.metadata } });

const unhealthy = (name: string, type: string): Machine =>
  named(name, { status: { ...healthy, conditions: [condition(type, "False")] } });

describe("deletionPriority", () => {
  const now = ms(10 * day);
  it.each<[string, Machine, DeletionOrder, number]>([
    ["deleting", named("m", { metadata: { deletionTimestamp: at(1) } }), "Oldest", 100],
    [
      "deleting, and annotated",
      named("m", { metadata: { deletionTimestamp: at(1), annotations: { [Annotation.deleteMachine]: "" } } }),
      "Random",
      100,
    ],
    ["annotated", named("m", { metadata: { annotations: { [Annotation.deleteMachine]: "" } } }), "Newest", 80],
    [
      "updating in place",
      named("m", { status: { ...healthy, conditions: [condition("Updating", "True")] } }),
      "Newest",
      75,
    ],
    ["without a Node", machine(), "Oldest", 50],
    ["with a sick Node", unhealthy("m", "NodeHealthy"), "Oldest", 50],
    ["failing its health check", unhealthy("m", "HealthCheckSucceeded"), "Random", 50],
    ["healthy, in any order", named("m"), "Random", 20],
    ["ten days old, oldest first", named("m"), "Oldest", 50 * (1 - 1 / Math.E)],
    ["ten days old, newest first", named("m"), "Newest", 50 / Math.E],
    ["from the future, oldest first", named("m", { metadata: { creationTimestamp: at(20 * day) } }), "Oldest", 0],
    ["from the future, newest first", named("m", { metadata: { creationTimestamp: at(20 * day) } }), "Newest", 50],
  ])("of a Machine that is %s", (_, object, order, priority) => {
    expect(deletionPriority(object, order, now)).toBeCloseTo(priority, 10);
  });
});

describe("inDeletionOrder", () => {
  it("breaks ties by name", () => {
    const names = inDeletionOrder([named("c"), named("a"), named("b")], "Random", ms(1)).map((m) => m.metadata.name);
    expect(names).toEqual(["a", "b", "c"]);
  });

  it("takes what is not available before its equals", () => {
    const machines = [named("a"), unhealthy("b", "Available"), unhealthy("c", "Ready")];
    expect(inDeletionOrder(machines, "Random", ms(1)).map((m) => m.metadata.name)).toEqual(["b", "a", "c"]);
  });

  it.each<[DeletionOrder, readonly string[]]>([
    ["Oldest", ["old", "middle", "new"]],
    ["Newest", ["new", "middle", "old"]],
  ])("goes by age: %s", (order, expected) => {
    const age = (name: string, days: number): Machine =>
      named(name, { metadata: { creationTimestamp: at(days * day) } });
    const machines = [age("middle", 5), age("new", 9), age("old", 1)];
    expect(inDeletionOrder(machines, order, ms(10 * day)).map((m) => m.metadata.name)).toEqual(expected);
  });
});

describe("planScale", () => {
  const state = fc.constantFrom("healthy", "sick", "annotated", "deleting", "unborn");
  const machines = fc.array(fc.tuple(state, fc.nat(30)), { maxLength: 12 }).map((entries) =>
    entries.map(([kind, age], index) => {
      const creationTimestamp = at(age * day);
      const name = `m${index}`;
      if (kind === "deleting") return named(name, { metadata: { creationTimestamp, deletionTimestamp: at(1) } });
      if (kind === "annotated") {
        return named(name, { metadata: { creationTimestamp, annotations: { [Annotation.deleteMachine]: "" } } });
      }
      if (kind === "sick") {
        return { ...unhealthy(name, "NodeHealthy"), metadata: { ...named(name).metadata, creationTimestamp } };
      }
      if (kind === "unborn") return machine({ metadata: { name, creationTimestamp } });
      return named(name, { metadata: { creationTimestamp } });
    }),
  );
  const order = fc.constantFrom<DeletionOrder>("Random", "Newest", "Oldest");

  it("never deletes below the desired number, never twice, and always the most dispensable first", () => {
    fc.assert(
      fc.property(machines, fc.nat(14), order, (present, desired, by) => {
        const now = ms(30 * day);
        const plan = planScale({ desired, machines: present, order: by, now });
        const leaving = present.filter(({ metadata }) => metadata.deletionTimestamp !== undefined);
        if (plan.action === "create") {
          expect(present.length + plan.count).toBe(desired);
          return;
        }
        const chosen = plan.action === "delete" ? plan.machines : [];
        expect(chosen.every((m) => !leaving.includes(m))).toBe(true);
        expect(new Set(chosen).size).toBe(chosen.length);
        const staying = present.filter((m) => !leaving.includes(m) && !chosen.includes(m));
        // Deleting Machines fill the quota first, so more than needed is lost only where they already were.
        expect(staying.length).toBe(Math.min(present.length - leaving.length, desired));
        const lowest = Math.min(...chosen.map((m) => deletionPriority(m, by, now)));
        for (const kept of staying) expect(deletionPriority(kept, by, now)).toBeLessThanOrEqual(lowest);
      }),
    );
  });

  it("deletes nothing for fewer than none", () => {
    const plan = planScale({ desired: -1, machines: [named("a"), named("b")], order: "Random", now: ms(day) });
    expect(plan).toEqual({ action: "none" });
  });

  it("is settled once it has been carried out", () => {
    fc.assert(
      fc.property(machines, fc.nat(14), order, (present, desired, by) => {
        const now = ms(30 * day);
        const plan = planScale({ desired, machines: present, order: by, now });
        if (plan.action !== "delete") return;
        const gone = present.map((m) =>
          plan.machines.includes(m) ? { ...m, metadata: { ...m.metadata, deletionTimestamp: at(2) } } : m,
        );
        expect(planScale({ desired, machines: gone, order: by, now })).toEqual({ action: "none" });
      }),
    );
  });
});
