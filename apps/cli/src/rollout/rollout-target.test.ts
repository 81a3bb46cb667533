import { expect, it } from "vitest";
import { rolloutTarget } from "./rollout-target.ts";

const history = rolloutTarget(["machinedeployment"]);

it("takes every spelling of a kind", () => {
  expect(history("md/workers")).toEqual({ kind: "machinedeployment", name: "workers" });
});

it.each([
  ["kcp/control", "revisions of a kubeadmcontrolplane are not kept"],
  ["workers", "must be machinedeployment/NAME"],
  ["md/", "must be machinedeployment/NAME"],
])("says what is wrong with %s", (value, message) => {
  expect(() => history(value)).toThrow(message);
});
