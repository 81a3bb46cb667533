import { conditionOf, CustomResourceDefinitionResource } from "@capstan/contract/wire";
import { Cluster } from "@capstan/core/api";
import { apiVersionOf, crdOf } from "@capstan/schema";
import { expect, it } from "vitest";
import { upFieldManager } from "../src/up/apply.ts";
import { startDownWorld } from "./down-world.ts";

const key = { namespace: "default", name: "orchid" };

it("says of what is still there that it is paused, before what else is said of its deletion", async () => {
  await using world = await startDownWorld();
  const { client } = world;
  const definition = crdOf(Cluster);
  await client.create(CustomResourceDefinitionResource, definition);
  await world.until(async () => {
    const now = await client.get(CustomResourceDefinitionResource, { name: definition.metadata.name });
    return conditionOf(now, "Established")?.status === "True";
  });
  const body = {
    apiVersion: apiVersionOf(Cluster),
    kind: Cluster.kind,
    metadata: { ...key, finalizers: ["cluster.cluster.x-k8s.io"] },
    spec: { paused: true },
  };
  await client.patch(Cluster, key, { type: "apply", body }, { fieldManager: upFieldManager });
  const say = (status: string) => {
    const lastTransitionTime = "2026-01-01T00:00:00Z";
    const conditions = [
      { type: "Paused", status, reason: "Said", message: "Cluster spec.paused is set to true", lastTransitionTime },
      { type: "Deleting", status: "True", reason: "Said", message: "waiting for its Machines", lastTransitionTime },
    ];
    return client.patch(Cluster, key, { type: "merge", body: { status: { conditions } } }, { subresource: "status" });
  };
  const first = "1 object still there after 60 s; rerun capstan down to keep waiting\n  Cluster default/orchid: ";
  const kept = "; kept by cluster.cluster.x-k8s.io";
  await say("True");
  expect(await world.down()).toBe(`${first}paused: Cluster spec.paused is set to true${kept}`);
  await say("False");
  expect(await world.down()).toBe(`${first}waiting for its Machines${kept}`);
});
