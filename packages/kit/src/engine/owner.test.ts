import { expect, it } from "vitest";
import { marksIn, mintedOwner, ownerIdAnnotation, ownerIn, ownerOf, ownerTag, ownerText } from "./owner.ts";

const object = (namespace: string, uid: string, annotations?: Readonly<Record<string, string>>) => ({
  apiVersion: "v1",
  kind: "Thing",
  metadata: { namespace, name: "pine", uid, ...(annotations && { annotations }) },
});

it("an owner stays the same when it is moved, and is another one where it is copied to", () => {
  const first = object("red", "u1");
  expect(mintedOwner(first)).toEqual({ metadata: { annotations: { [ownerIdAnnotation]: "u1" } } });
  const annotations = { [ownerIdAnnotation]: "u1" };
  const kept = object("red", "u1", annotations);
  expect(mintedOwner(kept)).toEqual({});
  expect(ownerOf(kept)).toEqual(ownerOf(first));
  const moved = object("red", "u2", annotations);
  expect(mintedOwner(moved)).toEqual({});
  expect(ownerOf(moved)).toEqual(ownerOf(first));
  const marks = [first, object("blue", "u3", annotations), object("red", "u4")].map((each) => ownerOf(each).mark);
  expect(new Set(marks).size).toBe(3);
  for (const mark of marks) expect(mark).toMatch(/^[0-9a-f]{20}$/);
});

it("is read from tags and texts", () => {
  const owner = ownerOf(object("red", "u1"));
  expect(marksIn(["prod", ownerTag(owner), "capstan-uid=u1"])).toEqual([owner.mark]);
  expect(ownerIn(ownerText(owner))).toEqual({ namespace: "red", name: "pine", mark: owner.mark });
  for (const text of [undefined, "", "red/pine", "a/b/c/d"]) expect(ownerIn(text)).toBeUndefined();
});
