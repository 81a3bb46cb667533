import { Annotation, Label, NodeSyncDomain, SecretPurpose } from "@capstan/contract";
import { clusterSecretName, NodeResource, SecretResource } from "@capstan/contract/wire";
import { createCertificateAuthority, parseKubeconfig, readCertificate } from "@capstan/pki";
import { apiVersionOf, type KubeObject, type Resource } from "@capstan/schema";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Cluster, Machine } from "../src/api.ts";
import { findCondition } from "../src/object/conditions.ts";
import {
  bootstrap,
  clusterNamed,
  createCluster,
  createMachine,
  giveKubeconfig,
  hold,
  join,
  key,
  machineNamed,
  namespace,
  provideInfrastructure,
  providerIDOf,
  providerObject,
  provision,
  provisionCluster,
  release,
} from "./hand-provider.ts";
import { providerKinds } from "./provider-kinds.ts";
import type { World } from "./world.ts";
import { set, setStatus, startWorld } from "./world.ts";

/** Real time: generous, for machines that are busy with other things. */
const timeout = 120_000;

let world: World;
beforeEach(async () => {
  world = await startWorld();
});
afterEach(async () => {
  await world.stop();
});

const becomes = (name: string, phase: string): Promise<void> =>
  world.until(async () => (await machineNamed(world, name))?.status?.phase === phase);
const conditionOf = async (name: string, type: string) =>
  findCondition(await world.api.get<KubeObject>(Machine, key(name)), type);
const clusterConditionOf = async (type: string) =>
  findCondition(await world.api.get<KubeObject>(Cluster, key("prod")), type);
const owners = async (kind: Resource, name: string): Promise<readonly string[]> =>
  ((await world.api.get(kind, key(name))).metadata.ownerReferences ?? []).map((owner) => `${owner.kind} ${owner.name}`);

/** A Machine that runs. */
const run = async (name: string, labels: Readonly<Record<string, string>> = {}): Promise<void> => {
  await createMachine(world, name, { labels });
  await bootstrap(world, name);
  await provision(world, name);
  await join(world, name);
  await becomes(name, "Running");
};

describe("providers of contract v1beta1", { timeout }, () => {
  it("are read where they write", async () => {
    await createCluster(world);
    await provisionCluster(world);
    const { oldConfig, oldMachine } = providerKinds;
    await world.api.create(oldConfig.resource, providerObject(oldConfig, "old"));
    await world.api.create(oldMachine.resource, providerObject(oldMachine, "old"));
    await createMachine(world, "old", {
      spec: {
        bootstrap: { configRef: { ...oldConfig.ref, name: "old" } },
        infrastructureRef: { ...oldMachine.ref, name: "old" },
      },
    });
    await becomes("old", "Pending");
    expect((await conditionOf("old", "InfrastructureReady"))?.message).toBe("OldMachine status.ready is false");
    const config = await world.api.get(oldConfig.resource, key("old"));
    await setStatus(world, oldConfig.resource, config, { ready: true, dataSecretName: "old-data" });
    await becomes("old", "Provisioning");
    const infra = await set(world, oldMachine.resource, await world.api.get(oldMachine.resource, key("old")), {
      spec: { providerID: "test://old", failureDomain: "b" },
    });
    const conditions = [
      {
        type: "Ready",
        status: "False",
        severity: "Info",
        reason: "Warming",
        lastTransitionTime: "2026-01-01T00:00:00Z",
      },
    ];
    await setStatus(world, oldMachine.resource, infra, {
      ready: true,
      conditions,
      failureReason: "Odd",
      failureMessage: "quite",
    });
    await becomes("old", "Provisioned");
    const machine = await world.api.get(Machine, key("old"));
    expect(machine.spec).toMatchObject({ failureDomain: "b", bootstrap: { dataSecretName: "old-data" } });
    expect(machine.status?.failureDomain).toBe("b");
    expect(findCondition(machine, "InfrastructureReady")).toMatchObject({ status: "False", reason: "Warming" });
    expect(machine.status?.deprecated?.v1beta1).toMatchObject({ failureReason: "Odd", failureMessage: "quite" });
  });
});

describe("a Cluster with a control plane object", { timeout }, () => {
  const { controlPlane } = providerKinds;
  beforeEach(async () => {
    await createCluster(world, "prod", { controlPlaneRef: { ...controlPlane.ref, name: "prod" } });
  });

  it("waits for it, follows it, and counts what it reports", async () => {
    await world.until(async () => (await clusterConditionOf("ControlPlaneAvailable"))?.reason === "ObjectDoesNotExist");
    await world.api.create(
      controlPlane.resource,
      providerObject(controlPlane, "prod", { replicas: 3, version: "v1.33.4" }),
    );
    await world.until(async () => (await owners(controlPlane.resource, "prod")).includes("Cluster prod"));
    await provideInfrastructure(world);
    await giveKubeconfig(world);
    const object = await world.api.get(controlPlane.resource, key("prod"));
    await setStatus(world, controlPlane.resource, object, {
      initialization: { controlPlaneInitialized: true },
      replicas: 3,
      readyReplicas: 2,
      versions: [{ version: "v1.33.4", replicas: 3 }],
      conditions: [
        { type: "Available", status: "True", reason: "Fine", message: "", lastTransitionTime: "2026-01-01T00:00:00Z" },
        {
          type: "ScalingUp",
          status: "True",
          reason: "Up",
          message: "2 to 3",
          lastTransitionTime: "2026-01-01T00:00:00Z",
        },
      ],
    });
    await world.until(async () => (await clusterConditionOf("Available"))?.status === "True");
    const cluster = await world.api.get(Cluster, key("prod"));
    expect(cluster.status).toMatchObject({
      phase: "Provisioned",
      initialization: { controlPlaneInitialized: true },
      controlPlane: {
        desiredReplicas: 3,
        replicas: 3,
        readyReplicas: 2,
        versions: [{ version: "v1.33.4", replicas: 3 }],
      },
    });
    expect(cluster.status?.controlPlane).not.toHaveProperty("availableReplicas");
    expect(findCondition(cluster, "ScalingUp")).toMatchObject({ message: "* TestControlPlane prod: 2 to 3" });
    await setStatus(world, controlPlane.resource, object, { initialization: { controlPlaneInitialized: false } });
    await world.settle();
    expect(await clusterConditionOf("ControlPlaneInitialized")).toMatchObject({ status: "True" });
  });

  it("is taken down in order: workers, control plane, infrastructure", async () => {
    await world.api.create(controlPlane.resource, providerObject(controlPlane, "prod"));
    await createMachine(world, "worker");
    await createMachine(world, "master", { labels: { [Label.controlPlane]: "", [Label.controlPlaneName]: "prod" } });
    await becomes("master", "Pending");
    await hold(world, providerKinds.machine, "worker");
    await hold(world, controlPlane, "prod");
    await hold(world, providerKinds.cluster, "prod");
    await world.settle();
    await world.api.delete(Cluster, key("prod"));
    const stage = (reason: string): Promise<void> =>
      world.until(async () => (await clusterConditionOf("Deleting"))?.reason === reason);
    const going = async (kind: { readonly resource: Resource }): Promise<boolean> =>
      (await world.api.get(kind.resource, key("prod"))).metadata.deletionTimestamp !== undefined;
    await stage("WaitingForWorkersDeletion");
    await world.settle();
    expect([await going(controlPlane), await going(providerKinds.cluster)]).toEqual([false, false]);
    await release(world, providerKinds.machine, "worker");
    await stage("WaitingForControlPlaneDeletion");
    await world.settle();
    expect([await going(controlPlane), await going(providerKinds.cluster)]).toEqual([true, false]);
    expect((await machineNamed(world, "master"))?.metadata.deletionTimestamp).toBeUndefined();
    await release(world, controlPlane, "prod");
    const told = async (): Promise<string> => (await clusterConditionOf("Deleting"))?.message ?? "";
    await world.until(async () => (await told()).includes("to be deleted by hand: Machine master"));
    await world.settle();
    expect(await going(providerKinds.cluster)).toBe(false);
    await world.api.delete(Machine, key("master"));
    await stage("WaitingForInfrastructureDeletion");
    await release(world, providerKinds.cluster, "prod");
    await world.until(async () => (await clusterNamed(world)) === undefined);
  });
});

it("a Cluster with a topology waits for what that is to bring", { timeout }, async () => {
  await world.api.create(Cluster, {
    apiVersion: apiVersionOf(Cluster),
    kind: Cluster.kind,
    metadata: { name: "prod", namespace },
    spec: { topology: { classRef: { name: "small" }, version: "v1.33.4" } },
  });
  await world.until(async () => (await clusterConditionOf("InfrastructureReady"))?.reason === "ObjectDoesNotExist");
  expect(await clusterConditionOf("ControlPlaneAvailable")).toMatchObject({
    status: "False",
    message: "spec.controlPlaneRef is not set, and spec.topology is not acted on here; set spec.controlPlaneRef",
  });
  expect((await clusterNamed(world))?.status).not.toHaveProperty("initialization");
  const { cluster: kind } = providerKinds;
  await world.api.create(kind.resource, providerObject(kind, "prod"));
  await set(world, Cluster, await world.api.get(Cluster, key("prod")), {
    spec: { infrastructureRef: { ...kind.ref, name: "prod" } },
  });
  await world.until(async () => (await clusterConditionOf("InfrastructureReady"))?.reason === "NotReady");
  expect((await clusterNamed(world))?.status).not.toHaveProperty("initialization");
});

const encode = (text: string): string => Buffer.from(text).toString("base64");

describe("a Cluster without a control plane object", { timeout }, () => {
  const name = clusterSecretName("prod", SecretPurpose.kubeconfig);
  it("gets a kubeconfig signed by its own authority", async () => {
    await createCluster(world);
    await provideInfrastructure(world);
    await world.settle();
    expect(await world.api.find(SecretResource, key(name))).toBeUndefined();
    const authority = await createCertificateAuthority({ now: world.clock.now(), algorithm: "ECDSA-P256" });
    await world.api.create(SecretResource, {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: "prod-ca", namespace },
      data: { "tls.crt": encode(authority.certificate), "tls.key": encode(authority.key) },
    });
    await world.until(async () => (await world.api.find(SecretResource, key(name))) !== undefined);
    const secret = await world.api.get(SecretResource, key(name));
    expect(secret).toMatchObject({
      type: "cluster.x-k8s.io/secret",
      metadata: { labels: { [Label.clusterName]: "prod" } },
    });
    expect(await owners(SecretResource, name)).toEqual(["Cluster prod"]);
    const data = secret["data"] as Readonly<Record<string, string>>;
    const kubeconfig = parseKubeconfig(Buffer.from(data["value"] ?? "", "base64").toString());
    expect(kubeconfig).toMatchObject({
      server: "https://203.0.113.40:6443",
      clusterName: "prod",
      userName: "prod-admin",
      certificateAuthority: authority.certificate,
    });
    const certificate = readCertificate(kubeconfig.clientCertificate ?? "");
    expect(certificate.subject).toContain("CN=kubernetes-admin");
    expect(certificate.verify(readCertificate(authority.certificate).publicKey)).toBe(true);
  });

  it("leaves a kubeconfig alone that is there", async () => {
    await createCluster(world);
    await giveKubeconfig(world);
    const before = await world.api.get(SecretResource, key(name));
    await provideInfrastructure(world);
    await world.settle();
    expect(await world.api.get(SecretResource, key(name))).toEqual(before);
  });
});

describe("pausing and moving", { timeout }, () => {
  it("does nothing while the Cluster is paused, and rebuilds lost owners afterwards", async () => {
    await createCluster(world);
    await provisionCluster(world);
    await run("cp", { [Label.controlPlane]: "" });
    await world.settle();
    const pause = async (paused: boolean): Promise<void> => {
      await set(world, Cluster, await world.api.get(Cluster, key("prod")), { spec: { paused } });
      const status = paused ? "True" : "False";
      await world.until(async () => (await conditionOf("cp", "Paused"))?.status === status);
    };
    await pause(true);
    expect(await clusterConditionOf("Paused")).toMatchObject({
      status: "True",
      message: "Cluster spec.paused is set to true",
    });
    const kinds = [Machine, providerKinds.machine.resource, providerKinds.config.resource];
    for (const kind of kinds) {
      await set(world, kind, await world.api.get<KubeObject>(kind, key("cp")), { metadata: { ownerReferences: null } });
    }
    await world.settle();
    for (const kind of kinds) expect(await owners(kind, "cp")).toEqual([]);
    await pause(false);
    await world.settle();
    expect(await owners(Machine, "cp")).toEqual(["Cluster prod"]);
    expect(await owners(providerKinds.machine.resource, "cp")).toEqual(["Machine cp"]);
    expect(await owners(providerKinds.config.resource, "cp")).toEqual(["Machine cp"]);
  });
});

describe("what goes wrong", { timeout }, () => {
  beforeEach(async () => {
    await createCluster(world);
    await provisionCluster(world);
  });

  it("infrastructure that vanishes is reported, and does not take the Machine back", async () => {
    await run("cp", { [Label.controlPlane]: "" });
    await world.api.delete(providerKinds.machine.resource, key("cp"));
    await world.until(async () => (await conditionOf("cp", "InfrastructureReady"))?.reason === "ObjectDeleted");
    const machine = await world.api.get(Machine, key("cp"));
    expect(machine.status).toMatchObject({
      phase: "Running",
      initialization: { infrastructureProvisioned: true },
      deprecated: { v1beta1: { failureReason: "InvalidConfiguration" } },
    });
  });

  it("a Node that vanishes is reported, and comes back when it does", async () => {
    await run("cp", { [Label.controlPlane]: "" });
    await world.workload.delete(NodeResource, { name: "node-cp" });
    await world.until(async () => (await conditionOf("cp", "NodeHealthy"))?.reason === "NodeDeleted");
    await join(world, "cp");
    await world.until(async () => (await conditionOf("cp", "NodeHealthy"))?.status === "True");
  });

  it("two Nodes of one machine are an error that names both", async () => {
    await run("cp", { [Label.controlPlane]: "" });
    await world.workload.create(NodeResource, {
      apiVersion: "v1",
      kind: "Node",
      metadata: { name: "twin" },
      spec: { providerID: providerIDOf("cp") },
    });
    await world.until(async () => (await conditionOf("cp", "NodeHealthy"))?.reason === "InternalError");
  });

  it("a kind that is not installed is waited for", async () => {
    await createMachine(world, "m", {
      spec: { infrastructureRef: { ...providerKinds.machine.ref, kind: "NoSuchMachine", name: "m" } },
    });
    await world.until(async () => (await conditionOf("m", "InfrastructureReady"))?.reason === "InternalError");
    await bootstrap(world, "m");
    await becomes("m", "Provisioning");
  });

  it("labels follow the Machine to its Node, and go again", async () => {
    const label = `${NodeSyncDomain.managed}/color`;
    await run("cp", { [Label.controlPlane]: "" });
    const node = () => world.workload.get(NodeResource, { name: "node-cp" });
    const color = async (value: string | null): Promise<void> => {
      await set(world, Machine, await world.api.get(Machine, key("cp")), { metadata: { labels: { [label]: value } } });
    };
    await color("blue");
    await world.until(async () => (await node()).metadata.labels?.[label] === "blue");
    await color(null);
    await world.until(async () => (await node()).metadata.labels?.[label] === undefined);
    expect((await node()).metadata.annotations?.[Annotation.nodeLabelsFromMachine]).toBe("");
  });

  it("a workload cluster that does not answer holds a deletion for as long as the Machine says, and no longer", async () => {
    await run("cp", { [Label.controlPlane]: "" });
    await run("worker");
    const spec = { deletion: { nodeDrainTimeoutSeconds: 60, nodeVolumeDetachTimeoutSeconds: 30 } };
    await set(world, Machine, await world.api.get(Machine, key("worker")), { spec });
    await world.until(async () => (await clusterConditionOf("RemoteConnectionProbe"))?.status === "True");
    const secret = await world.api.get(SecretResource, key(clusterSecretName("prod", SecretPurpose.kubeconfig)));
    const deaf = world.workloadKubeconfig.replace(/server: .*/, "server: https://127.0.0.1:1");
    await set(world, SecretResource, secret, { data: { value: Buffer.from(deaf).toString("base64") } });
    await world.until(async () => (await clusterConditionOf("RemoteConnectionProbe"))?.status === "False");
    await world.api.delete(Machine, key("worker"));
    await world.until(async () => (await conditionOf("worker", "Deleting"))?.reason === "DrainingNode");
    const begun = world.clock.now();
    expect(await world.api.find(providerKinds.machine.resource, key("worker"))).toBeDefined();
    await world.until(async () => (await machineNamed(world, "worker")) === undefined);
    const seconds = (world.clock.now() - begun) / 1000;
    expect(seconds).toBeGreaterThanOrEqual(90);
    expect(seconds).toBeLessThan(180);
  });
});
