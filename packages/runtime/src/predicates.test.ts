import type { CacheEvent } from "@capstan/kube";
import type { KubeObject, ObjectMeta } from "@capstan/schema";
import { expect, it } from "vitest";
import {
  allOf,
  annotationsChanged,
  anyOf,
  finalizersChanged,
  generationChanged,
  labelsChanged,
  not,
  objectChanged,
} from "./predicates.ts";

const object = (metadata: ObjectMeta): KubeObject => ({ apiVersion: "v1", kind: "X", metadata });
const update = (before: ObjectMeta, after: ObjectMeta): CacheEvent<KubeObject> => ({
  type: "updated",
  previous: object(before),
  object: object(after),
  initial: false,
});

it.each([
  ["generation", generationChanged, { generation: 1 }, { generation: 2 }, true],
  [
    "status only",
    generationChanged,
    { generation: 1, resourceVersion: "1" },
    { generation: 1, resourceVersion: "2" },
    false,
  ],
  ["deletion", generationChanged, { generation: 1 }, { generation: 1, deletionTimestamp: "now" }, true],
  ["no generation", generationChanged, { resourceVersion: "1" }, { resourceVersion: "2" }, true],
  ["label", labelsChanged, { labels: { a: "1" } }, { labels: { a: "2" } }, true],
  ["label removed", labelsChanged, { labels: { a: "1" } }, {}, true],
  ["same labels", labelsChanged, { labels: { a: "1", b: "2" } }, { labels: { b: "2", a: "1" } }, false],
  ["other label", labelsChanged, { labels: { a: "1" } }, { labels: { b: "1" } }, true],
  ["annotation", annotationsChanged, {}, { annotations: { a: "1" } }, true],
  ["finalizer", finalizersChanged, { finalizers: ["a"] }, { finalizers: ["a", "b"] }, true],
  ["same finalizers", finalizersChanged, { finalizers: ["a"] }, { finalizers: ["a"] }, false],
  ["nothing", objectChanged, { resourceVersion: "1" }, { resourceVersion: "1" }, false],
] as const)("%s", (_name, predicate, before, after, passes) => {
  expect(predicate(update(before, after))).toBe(passes);
  expect(not(predicate)(update(before, after))).toBe(!passes);
});

it("lets creations and deletions pass, and combines", () => {
  const added: CacheEvent<KubeObject> = { type: "added", object: object({}), initial: true };
  expect(generationChanged(added)).toBe(true);
  expect(labelsChanged({ type: "deleted", object: object({}) })).toBe(true);
  const labelled = update({ generation: 1 }, { generation: 1, labels: { a: "1" } });
  expect(anyOf(generationChanged, labelsChanged)(labelled)).toBe(true);
  expect(allOf(generationChanged, labelsChanged)(labelled)).toBe(false);
});
