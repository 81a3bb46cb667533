import { expect, it } from "vitest";
import { heldFinalizers, isHeld, releasedFinalizers } from "./finalizers.ts";

const holder = { finalizer: "new", oldFinalizers: ["old", "older"] };

it.each([
  [undefined, false, ["new"], []],
  [["other"], false, ["other", "new"], ["other"]],
  [["new", "other"], true, ["new", "other"], ["other"]],
  [["old", "other"], true, ["other", "new"], ["other"]],
  [["older", "new", "old"], true, ["new"], []],
])("an object with the finalizers %j is held: %s", (finalizers, held, kept, released) => {
  const object = { apiVersion: "x/v1", kind: "X", metadata: finalizers === undefined ? {} : { finalizers } };
  expect(isHeld(object, holder)).toBe(held);
  expect(heldFinalizers(object, holder)).toEqual(kept);
  expect(releasedFinalizers(object, holder)).toEqual(released);
});
