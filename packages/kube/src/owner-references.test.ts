import { expect, it } from "vitest";
import { hasFinalizer, isBeingDeleted, withFinalizer, withoutFinalizers } from "./finalizers.ts";
import { controllerOf, isOwnedBy, ownerReferenceTo, withoutOwner, withOwner } from "./owner-references.ts";

const owner = (name: string, uid: string, version = "v1") => ({
  apiVersion: `test.capstan.dev/${version}`,
  kind: "Owner",
  metadata: { name, uid },
});

it("adds an owner once, whatever its version, and replaces an older uid in its place", () => {
  const first = ownerReferenceTo(owner("a", "1"), { controller: true });
  const second = ownerReferenceTo(owner("b", "2"));
  const both = withOwner(withOwner(undefined, first), second);
  expect(both).toEqual([first, second]);
  const renewed = ownerReferenceTo(owner("a", "3", "v2"), { controller: true });
  expect(withOwner(both, renewed)).toEqual([renewed, second]);
  expect(withoutOwner(both, owner("b", "2"))).toEqual([first]);
  const owned = { apiVersion: "v1", kind: "Owned", metadata: { ownerReferences: both } };
  expect(isOwnedBy(owned, owner("b", "2"))).toBe(true);
  expect(isOwnedBy(owned, owner("b", "9"))).toBe(false);
  expect(controllerOf(owned)).toEqual(first);
  expect(() => ownerReferenceTo({ apiVersion: "v1", kind: "Owner", metadata: { name: "new" } })).toThrow("no uid");
});

it("adds and removes finalizers without doubling them", () => {
  const plain = { apiVersion: "v1", kind: "X", metadata: { finalizers: ["a"] } };
  expect(hasFinalizer(plain, "a")).toBe(true);
  expect(withFinalizer(plain, "a")).toEqual(["a"]);
  expect(withFinalizer(plain, "b")).toEqual(["a", "b"]);
  expect(withoutFinalizers(plain, "a", "c")).toEqual([]);
  expect(isBeingDeleted(plain)).toBe(false);
});
