import { conditionOf, MachineDeploymentResource } from "@capstan/contract/wire";
import { MachineDeployment, MachineSet } from "@capstan/core/api";
import { condensed, readTree, rolloutStatus } from "@capstan/inspect";
import { createDiscovery, type Client } from "@capstan/kube";
import type { Resource } from "@capstan/schema";
import { expect } from "vitest";
import { renderTree } from "../src/describe/render.ts";

const namespace = "default";

/** What `capstan describe` prints. */
export const described = async (client: Client, resource: Resource, name: string, now: number): Promise<string> => {
  const source = { list: async (kind: Parameters<typeof client.list>[0]) => (await client.list(kind)).items };
  const tree = await readTree(source, createDiscovery(client), { resource, namespace, name });
  return renderTree(condensed(tree, { grouping: true, echo: false }), { now, colour: false, showConditions: [] });
};

/** What everybody who reads the management API says of a MachineDeployment. */
export const answersAbout = async (client: Client, name: string, now: number) => {
  const found = await client.get(MachineDeployment, { namespace, name });
  const sets = (await client.list(MachineSet, { namespace })).items;
  const conditions = ["ScalingUp", "MachinesReady", "Available"].map((type) => conditionOf(found, type)?.message ?? "");
  return {
    describe: await described(client, MachineDeploymentResource, name, now),
    rollout: rolloutStatus(found, sets, now).text,
    conditions: conditions.join("\n"),
  };
};

/** Each of the answers names the cause, and none a request, which means nothing to people. */
export const expectCause = (answers: Readonly<Record<string, string>>, says: string): void => {
  const named = Object.keys(answers).map((who) => [who, expect.stringContaining(says) as string]);
  expect(answers).toEqual(Object.fromEntries(named));
  expect(Object.values(answers).join("\n")).not.toMatch(/\b[A-Z]{3,6} \/apis?\//);
};
