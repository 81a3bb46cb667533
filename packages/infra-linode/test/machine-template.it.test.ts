import { Annotation, Group } from "@capstan/contract";
import { ClusterResource, conditionOf } from "@capstan/contract/wire";
import { apiVersionOf } from "@capstan/schema";
import { afterAll, beforeAll, expect, it } from "vitest";
import { LinodeMachine, LinodeMachineTemplate } from "../src/api.ts";
import { createCluster, createSecret, namespace, startWorld } from "./management.ts";
import type { World } from "./management.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

type Spec = Partial<LinodeMachine["spec"]>;

const spec = { type: "g6-standard-1", region: "us-ord" };

const makeTemplate = (name: string, fields: Spec) =>
  world.api.create(LinodeMachineTemplate, {
    apiVersion: apiVersionOf(LinodeMachineTemplate),
    kind: LinodeMachineTemplate.kind,
    metadata: { namespace, name },
    spec: { template: { spec: { ...spec, ...fields } } },
  });

const makeClone = (name: string, template: string, fields: Spec, kind = LinodeMachineTemplate.kind) =>
  world.api.create(LinodeMachine, {
    apiVersion: apiVersionOf(LinodeMachine),
    kind: LinodeMachine.kind,
    metadata: {
      namespace,
      name,
      annotations: {
        [Annotation.clonedFromName]: template,
        [Annotation.clonedFromGroupKind]: `${kind}.${Group.infrastructure}`,
      },
    },
    spec: { ...spec, ...fields },
  });

const machine = (name: string) => world.api.get(LinodeMachine, { namespace, name });
const template = (name: string) => world.api.get(LinodeMachineTemplate, { namespace, name });

const change = (name: string, fields: Readonly<Record<string, unknown>>) => {
  const body = { spec: { template: { spec: fields } } };
  return world.api.patch(LinodeMachineTemplate, { namespace, name }, { type: "merge", body });
};

const handedOver = (name: string, fields: Readonly<Record<string, unknown>>) =>
  world.until(async () => {
    const { status } = await template(name);
    return (
      JSON.stringify([status?.tags, status?.firewallID]) === JSON.stringify([fields["tags"], fields["firewallID"]]) &&
      conditionOf(await template(name), "Ready")?.status === "True"
    );
  });

it("hands changed tags and firewallID to the machines made from it, and to no others", async () => {
  await makeTemplate("workers", { tags: ["a"] });
  await makeClone("one", "workers", { tags: ["a"] });
  await makeClone("two", "workers", { tags: ["a"] });
  await makeClone("stranger", "others", { tags: ["a"] });
  await makeClone("namesake", "workers", { tags: ["a"] }, "OtherTemplate");
  await handedOver("workers", { tags: ["a"] });
  await change("workers", { tags: ["a", "b"], firewallID: 7 });
  await handedOver("workers", { tags: ["a", "b"], firewallID: 7 });
  for (const name of ["one", "two"]) {
    expect((await machine(name)).spec).toMatchObject({ tags: ["a", "b"], firewallID: 7 });
  }
  for (const name of ["stranger", "namesake"]) expect((await machine(name)).spec).toMatchObject({ tags: ["a"] });
});

it("leaves alone what was changed on a machine, until the template changes there", async () => {
  await makeTemplate("pool", { tags: ["a"], firewallID: 1 });
  await makeClone("own", "pool", { tags: ["a"], firewallID: 1 });
  await handedOver("pool", { tags: ["a"], firewallID: 1 });
  const body = { spec: { tags: ["mine"] } };
  await world.api.patch(LinodeMachine, { namespace, name: "own" }, { type: "merge", body });
  await change("pool", { firewallID: 2 });
  await handedOver("pool", { tags: ["a"], firewallID: 2 });
  expect((await machine("own")).spec).toMatchObject({ tags: ["mine"], firewallID: 2 });
  await change("pool", { tags: null });
  await handedOver("pool", { firewallID: 2 });
  expect((await machine("own")).spec.tags).toBeUndefined();
});

it("writes nothing once every machine has it, and nothing while it is paused", async () => {
  await makeTemplate("quiet", { tags: ["a"] });
  await makeClone("still", "quiet", { tags: ["a"] });
  await handedOver("quiet", { tags: ["a"] });
  const before = (await template("quiet")).metadata.resourceVersion;
  await world.pass(60_000);
  expect((await template("quiet")).metadata.resourceVersion).toBe(before);
  const annotations = { [Annotation.paused]: "" };
  const key = { namespace, name: "quiet" };
  await world.api.patch(LinodeMachineTemplate, key, { type: "merge", body: { metadata: { annotations } } });
  await change("quiet", { tags: ["b"] });
  await world.pass(30_000);
  expect((await machine("still")).spec.tags).toEqual(["a"]);
});

it("says what a machine would have, asking once", async () => {
  const before = world.simulator.requests.count("GET linode/types");
  await makeTemplate("sized", { type: "g1-gpu-rtx6000-1" });
  await world.until(async () => (await template("sized")).status?.capacity !== undefined);
  expect((await template("sized")).status).toMatchObject({
    capacity: { cpu: "8", memory: "32Gi", "ephemeral-storage": "640Gi", "nvidia.com/gpu": "1" },
    nodeInfo: { architecture: "amd64", operatingSystem: "linux" },
  });
  const asked = world.simulator.requests.count("GET linode/types");
  await change("sized", { tags: ["b"] });
  await handedOver("sized", { tags: ["b"] });
  expect(world.simulator.requests.count("GET linode/types")).toBe(asked);
  expect(asked - before).toBeLessThanOrEqual(1);
});

it("uses the credentials of its cluster, once there are some", async () => {
  await createCluster(world, "prod", { credentialsRef: { name: "own" } });
  const cluster = await world.api.get(ClusterResource, { namespace, name: "prod" });
  await makeTemplate("owned", { tags: ["a"] });
  const owner = { apiVersion: cluster.apiVersion, kind: cluster.kind, name: "prod", uid: cluster.metadata.uid ?? "" };
  const body = { metadata: { ownerReferences: [owner] }, status: { capacity: null } };
  await world.api.patch(LinodeMachineTemplate, { namespace, name: "owned" }, { type: "merge", body });
  await world.api.patch(
    LinodeMachineTemplate,
    { namespace, name: "owned" },
    { type: "merge", body },
    { subresource: "status" },
  );
  await handedOver("owned", { tags: ["a"] });
  await createSecret(world, "own", { apiToken: world.simulator.token });
  await world.until(async () => (await template("owned")).status?.capacity?.["cpu"] === "1");
});
