import { expect, it } from "vitest";
import { hasFinalizer, isBeingDeleted, withFinalizer, withoutFinalizers } from "./finalizers.ts";
import { isOwnedBy, ownerReferenceTo } from "./owner-references.ts";

const owner = (name: string, uid: string) => ({
  apiVersion: "test.capstan.dev/v1",
  kind: "Owner",
  metadata: { name, uid },
});

it("refers to owners that are stored, and knows them by uid", () => {
  const first = ownerReferenceTo(owner("a", "1"), { controller: true });
  expect(first).toEqual({ apiVersion: "test.capstan.dev/v1", kind: "Owner", name: "a", uid: "1", controller: true });
  const ownerReferences = [first, ownerReferenceTo(owner("b", "2"))];
  const owned = { apiVersion: "v1", kind: "Owned", metadata: { ownerReferences } };
  expect(isOwnedBy(owned, owner("b", "2"))).toBe(true);
  expect(isOwnedBy(owned, owner("b", "9"))).toBe(false);
  expect(() => ownerReferenceTo({ apiVersion: "v1", kind: "Owner", metadata: { name: "new" } })).toThrow("no uid");
});

it("adds and removes finalizers without doubling them", () => {
  const plain = { apiVersion: "v1", kind: "X", metadata: { finalizers: ["a"] } };
  expect(hasFinalizer(plain, "a")).toBe(true);
  expect(withFinalizer(plain, "a")).toEqual(["a"]);
  expect(withFinalizer(plain, "b")).toEqual(["a", "b"]);
  expect(withoutFinalizers(plain, "a", "c")).toEqual([]);
  expect(isBeingDeleted(plain)).toBe(false);
  expect(isBeingDeleted({ ...plain, metadata: { deletionTimestamp: "2026-01-01T00:00:00Z" } })).toBe(true);
});
