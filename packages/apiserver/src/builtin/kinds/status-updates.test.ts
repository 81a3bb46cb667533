import { expect, it } from "vitest";
import type { HookContext } from "../../model/types.ts";
import { builtinDefinitions } from "../definitions.ts";

it.each([
  ["services", { spec: { type: "Foo", ports: [] } }],
  ["poddisruptionbudgets", { spec: { minAvailable: -1 } }],
])("what is wrong with a stored object does not stop its status: %s", (resource, fields) => {
  const strategy = builtinDefinitions().find(({ plural }) => plural === resource)?.strategy;
  const object = { apiVersion: "v1", kind: "X", metadata: { name: "n" }, ...fields };
  const before = { ...object, spec: {} };
  const causes = (subresource: string) =>
    strategy?.validateUpdate?.(object, before, {} as HookContext, subresource)?.length;
  expect(causes("")).toBeGreaterThan(0);
  expect(causes("status")).toBe(0);
});
