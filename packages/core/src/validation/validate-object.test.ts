import { Group } from "@capstan/contract";
import { describe, expect, it } from "vitest";
import { at, machine } from "../../test/objects.ts";
import { validateObject } from "./validate-object.ts";

const broken = machine({ spec: { version: "latest" } });

describe("validateObject", () => {
  it("says what is wrong, in the words of the API", () => {
    expect(validateObject(broken, undefined)).toEqual([
      {
        reason: "FieldValueInvalid",
        field: "spec.version",
        message: 'Invalid value: "latest": must be a semantic version such as v1.33.4',
      },
    ]);
  });

  it("says that a variable of the file was not replaced", () => {
    const template = machine({ spec: { version: "${KUBERNETES_VERSION:=v1.35.4}" } });
    expect(validateObject(template, undefined)).toMatchObject([
      { message: expect.stringMatching(/; replace its variable first, for example by capstan generate yaml$/) },
    ]);
  });

  it("does not judge what an update leaves alone, so that old objects can be worked on", () => {
    const finalized = { ...broken, metadata: { ...broken.metadata, finalizers: ["x"] } };
    expect(validateObject(finalized, broken)).toEqual([]);
    expect(validateObject({ ...finalized, spec: { ...broken.spec, failureDomain: "a" } }, broken)).toHaveLength(1);
  });

  it("does not judge what is on its way out", () => {
    const leaving = { ...broken, metadata: { ...broken.metadata, deletionTimestamp: at(1) } };
    expect(validateObject({ ...leaving, spec: { ...broken.spec, failureDomain: "a" } }, broken)).toEqual([]);
  });

  it("wants a spec", () => {
    const { spec: _, ...empty } = broken;
    expect(validateObject(empty, undefined)).toMatchObject([{ reason: "FieldValueRequired", field: "spec" }]);
  });

  it.each([
    ["another version", { ...broken, apiVersion: `${Group.core}/v1beta1` }],
    ["another kind", { ...broken, kind: "Other" }],
    ["a kind by another name", { ...broken, kind: "constructor" }],
  ])("says nothing of %s", (_, object) => expect(validateObject(object, undefined)).toEqual([]));
});
