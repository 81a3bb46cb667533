import { Annotation, Group, Label, silentLogger } from "@capstan/contract";
import { KubeadmConfig, KubeadmConfigV1Beta1 } from "@capstan/bootstrap-kubeadm/api";
import { RKE2ConfigTemplate, RKE2ConfigTemplateV1Beta1 } from "@capstan/bootstrap-rke2-k3s/api";
import {
  Cluster,
  ClusterV1Beta1,
  Machine,
  MachineDeployment,
  MachineDeploymentV1Beta1,
  MachineV1Beta1,
} from "@capstan/core/api";
import type { Client } from "@capstan/kube";
import type { KubeObject, Resource } from "@capstan/schema";
import { recentClock, seededRandom } from "@capstan/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openDataFolder, silentView, simulatedLinode, startSystem } from "../src/embedded-up.ts";

const namespace = "default";
const infrastructure = (kind: string, name: string) => ({
  apiVersion: `${Group.infrastructure}/v1alpha2`,
  kind,
  name,
  namespace,
});
const configRef = {
  apiVersion: `${Group.bootstrap}/v1beta1`,
  kind: "KubeadmConfigTemplate",
  name: "worker",
  namespace,
};

let client: Client;
const stops: (() => Promise<void>)[] = [];

beforeAll(async () => {
  const clock = recentClock();
  const data = openDataFolder("", { temporary: true });
  stops.push(async () => data.close());
  let settled = false;
  const started = startSystem(
    { ...simulatedLinode([]), simulate: [] },
    { clock, random: seededRandom(7), log: silentLogger, view: silentView, data, variables: () => undefined },
  );
  const settle = (): void => {
    settled = true;
  };
  started.then(settle, settle);
  await clock.advanceUntil(() => settled, { stepMs: 50 });
  const running = await started;
  client = running.client;
  stops.push(() => running.stop());
});

afterAll(async () => {
  for (const stop of stops.toReversed()) await stop();
});

/** Applies a manifest of v1beta1 as `kubectl apply --server-side` does. */
const apply = async ({ group, version, kind, plural, namespaced }: Resource, name: string, spec: object) =>
  client.patch<KubeObject>(
    { group, version, kind, plural, namespaced },
    { namespace, name },
    {
      type: "apply",
      body: { apiVersion: `${group}/${version}`, kind, metadata: { name, namespace }, spec },
      force: true,
    },
    { fieldManager: "test" },
  );

const machineSpec = (infrastructureRef: object) => ({
  clusterName: "old",
  version: "v1.33.4",
  nodeDrainTimeout: "1m30s",
  bootstrap: { configRef },
  infrastructureRef,
});

describe("a manifest of v1beta1", () => {
  it("makes a Cluster that both versions show", async () => {
    const infrastructureRef = infrastructure("LinodeCluster", "old");
    const sent = { paused: true, infrastructureRef, controlPlaneEndpoint: { host: "", port: 0 } };
    // The answer has what was sent too, by which a dry run tells what would change.
    expect((await apply(ClusterV1Beta1, "old", sent))["spec"]).toEqual(sent);
    const key = { namespace, name: "old" };
    const { spec } = await client.get(Cluster, key);
    expect(spec).toEqual({
      paused: true,
      infrastructureRef: { apiGroup: Group.infrastructure, kind: "LinodeCluster", name: "old" },
    });
    const older = await client.get(ClusterV1Beta1, key);
    // As Go's types write it, whether it is set or not.
    const controlPlaneEndpoint = { host: "", port: 0 };
    expect(older.spec).toEqual({ paused: true, infrastructureRef, controlPlaneEndpoint });
    expect(JSON.parse(older.metadata.annotations?.[Annotation.conversionData] ?? "")).toMatchObject({ spec });
  });

  it("makes a Machine with the defaults of v1beta2", async () => {
    const infrastructureRef = infrastructure("LinodeMachine", "old-0");
    await apply(MachineV1Beta1, "old-0", { ...machineSpec(infrastructureRef), bootstrap: { dataSecretName: "data" } });
    const { spec, metadata } = await client.get(Machine, { namespace, name: "old-0" });
    expect(spec).toMatchObject({
      deletion: { nodeDrainTimeoutSeconds: 90, nodeDeletionTimeoutSeconds: 10 },
      infrastructureRef: { apiGroup: Group.infrastructure, kind: "LinodeMachine", name: "old-0" },
    });
    expect(metadata.labels).toMatchObject({ [Label.clusterName]: "old" });
    expect(metadata.annotations?.[Annotation.conversionData]).toBeUndefined();
    const older = await client.get(MachineV1Beta1, { namespace, name: "old-0" });
    expect(older.spec).toMatchObject({ nodeDrainTimeout: "1m30s", nodeDeletionTimeout: "10s", infrastructureRef });
  });

  it("makes a MachineDeployment, and keeps what only v1beta2 has when v1beta1 is written", async () => {
    const spec = {
      clusterName: "old",
      replicas: 0,
      minReadySeconds: 5,
      selector: { matchLabels: { pool: "a" } },
      strategy: { rollingUpdate: { maxSurge: 2, deletePolicy: "Oldest" } },
      template: {
        metadata: { labels: { pool: "a" } },
        spec: machineSpec(infrastructure("LinodeMachineTemplate", "worker")),
      },
    };
    const answer = await apply(MachineDeploymentV1Beta1, "old-a", spec);
    const key = { namespace, name: "old-a" };
    expect((await client.get(MachineDeploymentV1Beta1, key)).spec).toEqual(answer["spec"]);
    expect((await client.get(MachineDeployment, key)).spec).toMatchObject({
      rollout: { strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 2 } } },
      deletion: { order: "Oldest" },
      template: { spec: { minReadySeconds: 5, deletion: { nodeDrainTimeoutSeconds: 90 } } },
    });
    await client.patch(MachineDeployment, key, { type: "merge", body: { spec: { paused: false } } });
    await client.patch(MachineDeploymentV1Beta1, key, { type: "merge", body: { spec: { minReadySeconds: 7 } } });
    const { spec: stored, metadata } = await client.get(MachineDeployment, key);
    expect(stored).toMatchObject({ paused: false, template: { spec: { minReadySeconds: 7 } } });
    expect(metadata.annotations?.[Annotation.conversionData]).toBeUndefined();
    expect((await client.get(MachineDeploymentV1Beta1, key)).spec).toMatchObject({
      minReadySeconds: 7,
      strategy: spec.strategy,
    });
  });

  it("makes a KubeadmConfig whose arguments are a list in v1beta2", async () => {
    const nodeRegistration = { kubeletExtraArgs: { v: "4", "node-labels": "a=b" } };
    await apply(KubeadmConfigV1Beta1, "old-0", {
      joinConfiguration: { nodeRegistration, discovery: { timeout: "5m" } },
    });
    const key = { namespace, name: "old-0" };
    expect((await client.get(KubeadmConfig, key)).spec).toEqual({
      joinConfiguration: {
        nodeRegistration: {
          kubeletExtraArgs: [
            { name: "node-labels", value: "a=b" },
            { name: "v", value: "4" },
          ],
        },
        timeouts: { tlsBootstrapSeconds: 300 },
      },
    });
    expect((await client.get(KubeadmConfigV1Beta1, key)).spec).toEqual({
      joinConfiguration: { nodeRegistration, discovery: { timeout: "5m0s" } },
    });
  });

  it("is not shown while the kind it refers to has no definition", async () => {
    const infrastructureRef = { apiGroup: "toys.example.io", kind: "Toy", name: "bear" };
    const object = { apiVersion: `${Group.core}/v1beta2`, kind: "Cluster", metadata: { name: "toy", namespace } };
    await client.create(Cluster, { ...object, spec: { paused: true, infrastructureRef } });
    await expect(client.get(ClusterV1Beta1, { namespace, name: "toy" })).rejects.toThrow(
      `conversion of Cluster to ${Group.core}/v1beta1 failed: CustomResourceDefinition for kind Toy in group toys.example.io not found`,
    );
  });

  it("may be applied again although it says nothing where one of several words is expected", async () => {
    const spec = { template: { spec: { agentConfig: { cisProfile: "", nodeLabels: ["pool=a"] } } } };
    await apply(RKE2ConfigTemplateV1Beta1, "rke2", spec);
    await apply(RKE2ConfigTemplateV1Beta1, "rke2", spec);
    const { agentConfig } = (await client.get(RKE2ConfigTemplate, { namespace, name: "rke2" })).spec.template.spec;
    expect(agentConfig).toEqual({ format: "cloud-config", nodeLabels: ["pool=a"] });
  });
});
