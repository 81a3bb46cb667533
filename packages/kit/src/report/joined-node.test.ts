import type { KubeObject } from "@capstan/schema";
import { expect, it } from "vitest";
import { joinedNode } from "./joined-node.ts";

const machine = (status: object): KubeObject => ({
  apiVersion: "cluster.x-k8s.io/v1beta2",
  kind: "Machine",
  metadata: { name: "m" },
  status,
});

it.each([
  [{}, undefined],
  [{ nodeRef: { name: "n" } }, { state: "succeeded" }],
])("a Machine with the status %j: %j", async (status, expected) => {
  expect(await joinedNode().read({ machine: machine(status) })).toEqual(expected);
});
