import { isDeepStrictEqual } from "node:util";
import { clusterSecretType, Label, SecretPurpose } from "@capstan/contract";
import { clusterSecretName, SecretResource } from "@capstan/contract/wire";
import { createCertificateAuthority, parseKubeconfig, readCertificate } from "@capstan/pki";
import { apiVersionOf, type Resource } from "@capstan/schema";
import { findCondition } from "@capstan/kit/machines";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Cluster, Machine } from "../src/api.ts";
import {
  clusterNamed,
  conditionOfCluster,
  createCluster,
  createMachine,
  giveKubeconfig,
  hold,
  key,
  machineNamed,
  namespace,
  ownersOf,
  provideInfrastructure,
  providerObject,
  release,
} from "./hand-provider.ts";
import { providerKinds } from "./provider-kinds.ts";
import type { World } from "./world.ts";
import { set, setStatus, startWorld } from "./world.ts";

let world: World;
beforeEach(async () => {
  world = await startWorld();
});
afterEach(async () => {
  await world.stop();
});

const clusterConditionOf = (type: string) => conditionOfCluster(world, type);
const deletionMessage = async (): Promise<string> => (await clusterConditionOf("Deleting"))?.message ?? "";
const owners = (kind: Resource, name: string) => ownersOf(world, kind, name);

describe("a Cluster with a control plane object", () => {
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
    await world.until(async () => (await machineNamed(world, "master"))?.status?.phase === "Pending");
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
    await world.until(async () => (await deletionMessage()).includes("to be deleted by hand: Machine master"));
    await world.settle();
    expect(await going(providerKinds.cluster)).toBe(false);
    await world.api.delete(Machine, key("master"));
    await stage("WaitingForInfrastructureDeletion");
    await release(world, providerKinds.cluster, "prod");
    await world.until(async () => (await clusterNamed(world)) === undefined);
  });
});

it("a Cluster with a topology waits for what that is to bring", async () => {
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

describe("a Cluster without a control plane object", () => {
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
      metadata: { name: "prod-ca", namespace, labels: { [Label.clusterName]: "prod" } },
      type: clusterSecretType,
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

  it("gets a kubeconfig signed by the authority for clients, where there is one", async () => {
    const [servers, clients] = await Promise.all(
      [1, 2].map(() => createCertificateAuthority({ now: world.clock.now(), algorithm: "ECDSA-P256" })),
    );
    for (const [purpose, authority] of [
      [SecretPurpose.clientCA, clients!],
      [SecretPurpose.ca, servers!],
    ] as const) {
      await world.api.create(SecretResource, {
        apiVersion: "v1",
        kind: "Secret",
        metadata: { name: clusterSecretName("prod", purpose), namespace, labels: { [Label.clusterName]: "prod" } },
        type: clusterSecretType,
        data: { "tls.crt": encode(authority.certificate), "tls.key": encode(authority.key) },
      });
    }
    await createCluster(world);
    await provideInfrastructure(world);
    await world.until(async () => (await world.api.find(SecretResource, key(name))) !== undefined);
    const { value = "" } = (await world.api.get(SecretResource, key(name)))["data"] as Readonly<Record<string, string>>;
    const kubeconfig = parseKubeconfig(Buffer.from(value, "base64").toString());
    expect(kubeconfig.certificateAuthority).toBe(servers!.certificate);
    const certificate = readCertificate(kubeconfig.clientCertificate ?? "");
    expect(certificate.verify(readCertificate(clients!.certificate).publicKey)).toBe(true);
  });

  it("gets none from an authority that lacks its key, until that is there", async () => {
    await createCluster(world);
    await provideInfrastructure(world);
    const authority = await createCertificateAuthority({ now: world.clock.now(), algorithm: "ECDSA-P256" });
    const ca = await world.api.create(SecretResource, {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: "prod-ca", namespace, labels: { [Label.clusterName]: "prod" } },
      type: clusterSecretType,
      data: { "tls.crt": encode(authority.certificate) },
    });
    await world.settle();
    expect(await world.api.find(SecretResource, key(name))).toBeUndefined();
    expect((await clusterNamed(world))?.status).toMatchObject({ initialization: { infrastructureProvisioned: true } });
    await set(world, SecretResource, ca, { data: { "tls.key": encode(authority.key) } });
    await world.until(async () => (await world.api.find(SecretResource, key(name))) !== undefined);
  });

  it("follows the failure domains of its infrastructure, and keeps them when it cannot read them", async () => {
    await createCluster(world);
    await provideInfrastructure(world);
    const { resource } = providerKinds.cluster;
    const give = async (failureDomains: unknown): Promise<void> =>
      void (await setStatus(world, resource, await world.api.get(resource, key("prod")), { failureDomains }));
    const has = async (wanted: unknown): Promise<boolean> =>
      isDeepStrictEqual((await clusterNamed(world))?.status?.failureDomains, wanted);
    await world.until(() => has([{ name: "a", controlPlane: true }]));
    const second = [{ name: "b", attributes: { rack: "7" } }];
    await give(second);
    await world.until(() => has([{ ...second[0], controlPlane: false }]));
    await give({ c: { controlPlane: true } });
    await world.settle();
    expect(await has([{ ...second[0], controlPlane: false }])).toBe(true);
    await give(null);
    await world.until(() => has(undefined));
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
