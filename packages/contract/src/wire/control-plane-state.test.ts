import type { KubeObject } from "@capstan/schema";
import { describe, expect, it } from "vitest";
import { isScaling, isUpgrading } from "./control-plane-state.ts";
import { objectReferencePatch, readReference, referencePatch } from "./reference.ts";

const plane = (spec: object, status?: object): KubeObject => ({
  apiVersion: "controlplane.example.com/v1",
  kind: "Plane",
  metadata: { name: "p" },
  spec,
  ...(status === undefined ? {} : { status }),
});
const versions = (...list: readonly (readonly [string, number?])[]): object => ({
  versions: list.map(([version, replicas]) => ({ version, ...(replicas === undefined ? {} : { replicas }) })),
});
const spec = { version: "v1.33.4", replicas: 3 };

describe("isUpgrading", () => {
  it.each([
    ["no status", undefined, false],
    ["equal", versions(["v1.33.4", 3]), false],
    ["lowest lower", versions(["v1.32.1", 1], ["v1.33.4", 2]), true],
    ["an entry with zero replicas", versions(["v1.32.1", 0], ["v1.33.4", 3]), true],
    ["an entry without replicas", versions(["v1.32.1"]), true],
    ["newer than wanted", versions(["v1.34.0", 3]), false],
    ["order unknowable", versions(["v1.33.4+b", 1], ["v1.33.4+a", 2]), false],
    ["the single version", { version: "v1.32.0" }, true],
    ["the list before the single version", { version: "v1.32.0", ...versions(["v1.33.4", 3]) }, false],
  ] as const)("%s", (_case, status, expected) => {
    expect(isUpgrading(plane(spec, status), "v1beta2")).toBe(expected);
  });
  it.each([
    ["not semantic", versions(["latest", 3])],
    ["unordered", versions(["v1.33.4", 1], ["v1.32.0", 2])],
    ["negative", versions(["v1.33.4", -1])],
  ])("refuses versions that are %s", (_case, status) => {
    expect(() => isUpgrading(plane(spec, status), "v1beta2")).toThrow(
      expect.objectContaining({ code: "wire.field_invalid" }),
    );
  });
});

describe("isScaling", () => {
  const full = { replicas: 3, readyReplicas: 3, availableReplicas: 3, upToDateReplicas: 3 };
  const old = { replicas: 3, readyReplicas: 3, updatedReplicas: 3 };
  it.each([
    ["settled", "v1beta2", full, false],
    ["too few", "v1beta2", { ...full, replicas: 2 }, true],
    ["not up to date", "v1beta2", { ...full, upToDateReplicas: 2 }, true],
    ["not available", "v1beta2", { ...full, availableReplicas: 2 }, true],
    ["a missing counter", "v1beta2", { replicas: 3, readyReplicas: 3, availableReplicas: 3 }, true],
    ["older, unavailable absent", "v1beta1", old, false],
    ["older, one unavailable", "v1beta1", { ...old, unavailableReplicas: 1 }, true],
    ["older, not updated", "v1beta1", { ...old, updatedReplicas: 0 }, true],
  ] as const)("%s", (_case, contract, status, expected) => {
    expect(isScaling(plane(spec, status), contract)).toBe(expected);
  });
});

const holding = (ref: unknown): KubeObject => plane({ machineTemplate: { ref } });

describe("references", () => {
  const reference = { apiGroup: "infrastructure.example.com", kind: "T", name: "t" };
  const path = "spec.machineTemplate.ref";
  it.each([
    ["today's", reference, reference],
    [
      "the older",
      { apiVersion: "infrastructure.example.com/v1beta1", kind: "T", name: "t", namespace: "n" },
      reference,
    ],
    ["absent", undefined, undefined],
    ["empty", {}, undefined],
  ])("reads %s shape", (_case, raw, expected) => {
    expect(readReference(holding(raw), path)).toEqual(expected);
  });
  it.each([[{ kind: "T", name: "t" }], [{ ...reference, name: "" }], [{ apiGroup: "g", name: "t" }]])(
    "refuses %j",
    (raw) => {
      expect(() => readReference(holding(raw), path)).toThrow(expect.objectContaining({ code: "wire.field_invalid" }));
    },
  );
  it("writes both shapes", () => {
    expect(referencePatch("spec.ref", reference)).toEqual({ spec: { ref: reference } });
    expect(objectReferencePatch("spec.ref", reference, { version: "v1", namespace: "n" })).toEqual({
      spec: { ref: { apiVersion: "infrastructure.example.com/v1", kind: "T", name: "t", namespace: "n" } },
    });
  });
});
