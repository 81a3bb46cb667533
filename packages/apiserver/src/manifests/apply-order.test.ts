import type { KubeObject } from "@capstan/schema";
import { expect, it } from "vitest";
import { inApplyOrder } from "./apply-order.ts";

const object = (kind: string, name: string, spec: object = {}): KubeObject => ({
  apiVersion: "example.test/v1",
  kind,
  metadata: { name },
  spec,
});

const ordered = (...objects: readonly KubeObject[]): readonly string[] =>
  inApplyOrder(objects, (each) => each).map(({ kind, metadata }) => `${kind} ${metadata.name}`);

it("puts what is referred to before what refers to it, and keeps the order of the file otherwise", () => {
  const template = (configRef: string) => ({ template: { spec: { ref: { kind: "Config", name: configRef } } } });
  expect(
    ordered(
      object("Cluster", "red", { infrastructureRef: { kind: "Cloud", name: "red" } }),
      object("Deployment", "b", { clusterName: "green", ...template("b") }),
      object("Cloud", "red", { identityRef: { kind: "Identity", name: "i" } }),
      object("Config", "other"),
      object("Config", "b"),
      object("Identity", "i"),
      object("Cluster", "green"),
      object("Secret", "s"),
      object("Namespace", "n"),
    ),
  ).toEqual([
    "Namespace n",
    "Secret s",
    "Identity i",
    "Cloud red",
    "Cluster red",
    "Cluster green",
    "Config b",
    "Deployment b",
    "Config other",
  ]);
});

it("ends where objects refer to each other or to themselves, and keeps objects of one name", () => {
  const to = (name: string) => ({ ref: { kind: "Thing", name } });
  expect(ordered(object("Thing", "a", to("b")), object("Thing", "b", to("a")), object("Thing", "b", to("b")))).toEqual([
    "Thing b",
    "Thing b",
    "Thing a",
  ]);
});
