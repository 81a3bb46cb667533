import { isCapstanError } from "@capstan/contract";
import { ClusterResource, ConfigMapResource, MachineDeploymentResource, valueAt } from "@capstan/contract/wire";
import { apiVersionOf } from "@capstan/schema";
import { freePort } from "@capstan/testing";
import { expect } from "vitest";
import { webhookOptions } from "../src/webhooks/webhook-options.ts";
import { createProviders } from "../src/modules/providers.ts";
import { names, nothingOutside, type ManagedWorld } from "./managed-world.ts";

/** Installs for one account, and starts a manager with webhooks that has only what this account was given. */
export const startWithWebhooks = async (
  world: ManagedWorld,
  run: readonly string[] = names,
  extra: Pick<Parameters<ManagedWorld["start"]>[1], "variables" | "wrapConnection"> = {},
): Promise<void> => {
  const webhookUrl = `https://127.0.0.1:${await freePort()}`;
  const webhooks = webhookOptions({ webhookUrl }, "capstan-system");
  const providers = await createProviders(run, nothingOutside);
  await world.install({ serviceAccount: "capstan", webhooks, providers });
  const started = await world.start(
    { providers: run, webhookUrl },
    { ...extra, access: await world.accessOf("capstan") },
  );
  await started.manager.ready();
};

// A reference without a version means the one that the contract names on the definition.
const infrastructureRef = { apiGroup: "infrastructure.cluster.x-k8s.io", kind: "LinodeCluster", name: "orchid" };

const deployment = (name: string, clusterName: string) => ({
  apiVersion: apiVersionOf(MachineDeploymentResource),
  kind: "MachineDeployment",
  metadata: { namespace: "default", name },
  spec: {
    clusterName: "orchid",
    template: { spec: { clusterName, bootstrap: { dataSecretName: "data" }, infrastructureRef } },
  },
});

/** References that are not set come from the default templates of the namespace; a name that leads nowhere is refused. */
const expectDefaultTemplates = async ({ admin }: ManagedWorld): Promise<void> => {
  const key = "capstan.dev/default-templates";
  await admin.create(ConfigMapResource, {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { namespace: "default", name: "default-templates", labels: { [key]: "" } },
    data: { infrastructure: `LinodeMachineTemplate.${infrastructureRef.apiGroup}/small` },
  });
  const bare = (name: string, annotations: Readonly<Record<string, string>>) => ({
    apiVersion: apiVersionOf(MachineDeploymentResource),
    kind: "MachineDeployment",
    metadata: { namespace: "default", name, annotations },
    spec: {
      clusterName: "orchid",
      template: { spec: { clusterName: "orchid", bootstrap: { dataSecretName: "data" } } },
    },
  });
  const filled = await admin.create(MachineDeploymentResource, bare("bare", {}));
  expect(valueAt(filled, "spec.template.spec.infrastructureRef")).toMatchObject({
    kind: "LinodeMachineTemplate",
    name: "small",
  });
  expect(filled.metadata.annotations?.["capstan.dev/defaulted-from"]).toContain("ConfigMap default-templates");
  await expect(admin.create(MachineDeploymentResource, bare("odd", { [key]: "nowhere" }))).rejects.toThrow(
    "names ConfigMap nowhere, which does not exist",
  );
};

/** Resolves when the API server heeds the webhooks: a real one does a moment after they were written. */
export const areHeeded = async ({ admin }: ManagedWorld): Promise<void> => {
  const tried = (clusterName: string) =>
    admin.create(MachineDeploymentResource, deployment("tried", clusterName), { dryRun: true }).then(
      (filled) => valueAt(filled, "spec.replicas"),
      (error: unknown) => isCapstanError(error) && error.code,
    );
  await expect.poll(() => tried("orchid")).toBe(1);
  await expect.poll(() => tried("tulip")).toBe("kube.invalid");
};

/** Conversion, defaults and checks, as upstream's core has them. */
export const expectWebhooks = async (world: ManagedWorld): Promise<void> => {
  const { admin } = world;
  await areHeeded(world);
  await admin.create(ClusterResource, {
    apiVersion: apiVersionOf(ClusterResource),
    kind: "Cluster",
    metadata: { namespace: "default", name: "converted" },
    spec: { infrastructureRef, paused: true },
  });
  const older = { ...ClusterResource, version: "v1beta1" };
  const read = () => admin.get(older, { namespace: "default", name: "converted" });
  const wanted = { apiVersion: `${infrastructureRef.apiGroup}/v1alpha2`, kind: "LinodeCluster" };
  await expect.poll(async () => valueAt(await read(), "spec.infrastructureRef")).toMatchObject(wanted);
  const stored = await admin.create(MachineDeploymentResource, deployment("workers", "orchid"));
  expect(valueAt(stored, "spec.replicas")).toBe(1);
  expect(valueAt(stored, "spec.rollout.strategy.type")).toBe("RollingUpdate");
  await expectDefaultTemplates(world);
  await expect(admin.create(MachineDeploymentResource, deployment("wrong", "tulip"))).rejects.toMatchObject({
    code: "kube.invalid",
    message: expect.stringContaining("spec.template.spec.clusterName"),
  });
};
