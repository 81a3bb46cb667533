import { isCapstanError } from "@capstan/contract";
import { Cluster, Machine, MachineDeployment, MachineHealthCheck } from "@capstan/core/api";
import type { Client } from "@capstan/kube";
import type { KubeObject, Resource } from "@capstan/schema";
import { apiVersionOf } from "@capstan/schema";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startInMemory } from "./system-in-memory.ts";

let client: Client;
let stop: () => Promise<void>;
beforeAll(async () => {
  ({ client, stop } = await startInMemory());
});
afterAll(() => stop());

const namespace = "default";
const key = (name: string) => ({ namespace, name });
const object = (kind: Resource, name: string, spec: object, metadata: object = {}): KubeObject => ({
  apiVersion: apiVersionOf(kind),
  kind: kind.kind,
  metadata: { name, namespace, ...metadata },
  spec,
});
const ref = { apiGroup: "infrastructure.cluster.x-k8s.io", kind: "LinodeMachine", name: "m" };
const machine = { clusterName: "prod", bootstrap: { dataSecretName: "d" }, infrastructureRef: ref };

/** The fields that a request is refused for. */
const refusedFor = async (request: Promise<unknown>): Promise<readonly unknown[]> => {
  const error = await request.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!isCapstanError(error, "kube.invalid")) return [error];
  return (error.details["causes"] as readonly { readonly field: string }[]).map(({ field }) => field);
};

describe("admission of core kinds", () => {
  it("refuses what no controller could work with, and names every field", async () => {
    const broken = { ...machine, bootstrap: {}, version: "latest" };
    expect(await refusedFor(client.create(Machine, object(Machine, "broken", broken)))).toEqual([
      "spec.version",
      "spec.bootstrap",
    ]);
    expect(await refusedFor(client.create(Cluster, object(Cluster, "empty", { paused: true })))).toEqual(["spec"]);
  });

  it("judges the older version as the newest one", async () => {
    const older = {
      ...object(MachineHealthCheck, "older", {
        clusterName: "prod",
        selector: { matchLabels: { a: "b" } },
        nodeStartupTimeout: "10s",
      }),
      apiVersion: "cluster.x-k8s.io/v1beta1",
    };
    const v1beta1 = { ...MachineHealthCheck, version: "v1beta1" };
    expect(await refusedFor(client.create(v1beta1, older))).toEqual(["spec.checks.nodeStartupTimeoutSeconds"]);
  });

  it("comes after the defaults, which complete a deployment as people write it", async () => {
    const spec = { clusterName: "prod", selector: {}, template: { spec: { ...machine, version: "1.33.4" } } };
    const created = await client.create(MachineDeployment, object(MachineDeployment, "md", spec));
    expect(created.spec.template.spec.version).toBe("v1.33.4");
    const patch = { type: "merge", body: { spec: { clusterName: "other" } } } as const;
    expect(await refusedFor(client.patch(MachineDeployment, key("md"), patch))).toEqual([
      "spec.clusterName",
      "spec.clusterName",
    ]);
    await client.delete(MachineDeployment, key("md"));
  });
});
