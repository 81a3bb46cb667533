import { describe, expect, it } from "vitest";
import { builtinOwner, createRegistry } from "./registry.ts";
import type { ResourceDefinition } from "../model/types.ts";

const definition = (path: string, more: Partial<ResourceDefinition> = {}): ResourceDefinition => {
  const [group = "", version = "", plural = ""] = path.split("/");
  return {
    group,
    version,
    plural,
    kind: `${plural}-kind`,
    listKind: `${plural}-list`,
    singular: plural,
    shortNames: [],
    categories: [],
    namespaced: true,
    verbs: [],
    origin: "builtin",
    schema: {},
    subresources: [],
    selectableFields: {},
    columns: [],
    strategy: {},
    storage: { store: `${group}/${plural}`, apiVersion: version },
    ...more,
  };
};

const paths = (definitions: readonly ResourceDefinition[]): readonly string[] =>
  definitions.map(({ group, version, plural }) => `${group}/${version}/${plural}`);

describe("registry", () => {
  it("keeps the order of built-in groups and sorts the others behind them", () => {
    const registry = createRegistry();
    registry.replace("z", [definition("zoo/v1beta1/cats"), definition("zoo/v1/cats"), definition("zoo/v1/apes")]);
    registry.replace("a", [definition("arts/v1/works")]);
    registry.replace(builtinOwner, [definition("/v1/pods"), definition("apps/v1/sets"), definition("/v1/maps")]);
    expect(paths(registry.snapshot.definitions)).toEqual([
      "/v1/maps",
      "/v1/pods",
      "apps/v1/sets",
      "arts/v1/works",
      "zoo/v1/apes",
      "zoo/v1/cats",
      "zoo/v1beta1/cats",
    ]);
    expect(registry.snapshot.groups.at(-1)).toEqual({ group: "zoo", versions: ["v1", "v1beta1"] });
  });

  it("has groups of the Kubernetes community before others, whose kinds may have the same names", () => {
    const registry = createRegistry();
    for (const name of ["bmc.acme.org", "cluster.x-k8s.io", "addons.x-k8s.io", "notk8s.io"]) {
      registry.replace(name, [definition(`${name}/v1/machines`)]);
    }
    const groups = registry.snapshot.groups.map(({ group }) => group);
    expect(groups).toEqual(["addons.x-k8s.io", "cluster.x-k8s.io", "bmc.acme.org", "notk8s.io"]);
  });

  it("finds by path, kind and preference", () => {
    const registry = createRegistry();
    registry.replace("z", [definition("zoo/v1beta1/cats"), definition("zoo/v1/cats")]);
    const { snapshot } = registry;
    expect(snapshot.find("zoo", "v1beta1", "cats")?.version).toBe("v1beta1");
    expect(snapshot.findKind("zoo", "v1", "cats-kind")?.plural).toBe("cats");
    expect(snapshot.resolve({ group: "zoo", plural: "cats" })?.version).toBe("v1");
    expect(snapshot.resolve({ group: "zoo", version: "v1beta1", plural: "cats" })?.version).toBe("v1beta1");
    expect(snapshot.resolve({ group: "zoo", plural: "dogs" })).toBeUndefined();
  });

  it("replaces atomically, reports it, and leaves old snapshots alone", () => {
    const registry = createRegistry();
    const seen: number[] = [];
    const stop = registry.onChange(({ definitions }) => seen.push(definitions.length));
    registry.replace("z", [definition("zoo/v1/cats"), definition("zoo/v1/apes")]);
    const before = registry.snapshot;
    registry.replace("z", [definition("zoo/v1/cats", { closedForCreate: "closing" })]);
    registry.replace("z", []);
    stop();
    registry.replace("z", [definition("zoo/v1/cats")]);
    expect(seen).toEqual([2, 1, 0]);
    expect(before.definitions).toHaveLength(2);
    expect(registry.snapshot.revision).toBe(4);
  });

  it("lets a later owner win", () => {
    const registry = createRegistry();
    registry.replace(builtinOwner, [definition("/v1/pods", { kind: "Old" })]);
    registry.replace("other", [definition("/v1/pods", { kind: "New" })]);
    expect(registry.snapshot.find("", "v1", "pods")?.kind).toBe("New");
    registry.replace("other", []);
    expect(registry.snapshot.find("", "v1", "pods")?.kind).toBe("Old");
  });
});
