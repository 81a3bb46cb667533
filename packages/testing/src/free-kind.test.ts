import { Group } from "@capstan/contract";
import { chooseContract } from "@capstan/contract/wire";
import { expect, it } from "vitest";
import { freeKind } from "./free-kind.ts";

it("speaks its contract as v1, and is referred to by what its definition serves", () => {
  const { crd, resource, ref } = freeKind(Group.infrastructure, "AnyMachine", "v1beta1");
  const { name = "", labels = {} } = crd.metadata;
  expect(chooseContract(name, labels)).toEqual({ contract: "v1beta1", version: "v1" });
  expect(name).toBe(`${resource.plural}.${resource.group}`);
  expect(ref).toEqual({ apiGroup: Group.infrastructure, kind: "AnyMachine" });
});
