import { expect, it } from "vitest";
import { blockersIn, scalingConditions } from "./conditions.ts";

const object = (message: string) => ({
  apiVersion: "cluster.x-k8s.io/v1beta2",
  kind: "MachineSet",
  metadata: { name: "workers" },
  status: { conditions: [{ type: "ScalingUp", status: "True", reason: "ScalingUp", message }] },
});

it("finds what keeps an object from making its Machines, each with the lines that belong to it", () => {
  const blockers = ["no such plan", "Machine a:\n  * no Node\n  * no address"];
  const facts = { desired: 3, present: 1, deleting: false, blockers, stale: "" };
  const message = scalingConditions(facts).find(({ type }) => type === "ScalingUp")?.message ?? "";
  expect(blockersIn(object(message))).toEqual(blockers);
});

it("finds those that a Cluster collects from several objects", () => {
  const message = [
    "* MachineDeployment blue: Scaling up from 0 to 3 replicas is blocked because:",
    "    * no such plan",
    "    * no such region",
    "* MachineDeployment green: Scaling up from 1 to 3 replicas",
    "* MachineDeployment red:",
    "  * Scaling up from 0 to 1 replicas is blocked because:",
    "      * Machine a:",
    "        * no Node",
  ].join("\n");
  expect(blockersIn(object(message))).toEqual(["no such plan", "no such region", "Machine a:\n  * no Node"]);
});

it.each(["Scaling up from 1 to 3 replicas", ""])("finds nothing in %j", (message) =>
  expect(blockersIn(object(message))).toEqual([]),
);
