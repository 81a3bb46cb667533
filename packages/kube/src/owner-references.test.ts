import { expect, it } from "vitest";
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
