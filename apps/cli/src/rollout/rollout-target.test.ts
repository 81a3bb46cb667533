import { expect, it } from "vitest";
import { rolloutTarget } from "./rollout-target.ts";

const history = (...[value, word]: readonly [value: string, word?: string]) =>
  rolloutTarget(["machinedeployment"], value, word);

it("takes every spelling of a kind, with the name behind a slash or as a word of its own", () => {
  expect(history("md/workers")).toEqual({ kind: "machinedeployment", name: "workers" });
  expect(history("MachineDeployments", "workers")).toEqual({ kind: "machinedeployment", name: "workers" });
});

it.each<[value: string, word: string | undefined, message: string]>([
  ["kcp/control", undefined, "a kubeadmcontrolplane keeps no revisions; revert its change instead"],
  ["workers", undefined, "workers: must be machinedeployment/NAME"],
  ["md/", undefined, "md/: must be machinedeployment/NAME"],
  ["md/a", "b", "md/a b: must be machinedeployment/NAME"],
  ["ms", "a", "ms a: must be machinedeployment/NAME"],
])("says what is wrong with %s %s", (value, word, message) => {
  expect(history(value, word)).toBe(message);
});
