import { expect, it } from "vitest";
import { hasFinalizer, isBeingDeleted, withFinalizer, withoutFinalizers } from "./finalizers.ts";

const object = (metadata: object) => ({ apiVersion: "v1", kind: "ConfigMap", metadata });

it.each([
  [undefined, false, ["a"], []],
  [["a"], true, ["a"], []],
  [["b", "a", "c"], true, ["b", "a", "c"], ["b"]],
  [["b"], false, ["b", "a"], ["b"]],
])("of an object with the finalizers %j", (finalizers, has, added, left) => {
  const held = object({ finalizers });
  expect(hasFinalizer(held, "a")).toBe(has);
  expect(withFinalizer(held, "a")).toEqual(added);
  expect(withoutFinalizers(held, "a", "c")).toEqual(left);
});

it("knows by the deletion timestamp that an object is being deleted", () => {
  expect(isBeingDeleted(object({}))).toBe(false);
  expect(isBeingDeleted(object({ deletionTimestamp: "2026-01-01T00:00:00Z" }))).toBe(true);
});
