import { Annotation, Label, rfc3339, SecretPurpose } from "@capstan/contract";
import { clusterSecretName, NodeResource, SecretResource } from "@capstan/contract/wire";
import { byText } from "@capstan/kube-values";
import { resource } from "@capstan/schema";
import { findCondition } from "@capstan/kit/machines";
import { afterEach, describe, expect, it } from "vitest";
import { Machine, MachineHealthCheck } from "../src/api.ts";
import { checkOf, createCheck, nodeBecomes, pass, saidOf, startHealthWorld } from "./health-check-world.ts";
import { createMachine, key, providerObject } from "./hand-provider.ts";
import { providerKinds } from "./provider-kinds.ts";
import type { World } from "./world.ts";
import { set, setStatus } from "./world.ts";

const Events = resource({ group: "", version: "v1", kind: "Event", plural: "events" });

let world: World;
afterEach(async () => {
  await world.stop();
});

const reasons = async (about: string): Promise<readonly unknown[]> =>
  (await world.api.list(Events, { namespace: "default" })).items
    .filter((event) => (event["involvedObject"] as { kind?: string }).kind === about)
    .map((event) => event["reason"]);

/** In steps of a second: time limits are minutes. */
const says = (name: string, type: string, expected: string): Promise<void> =>
  world.clock.advanceUntil(async () => (await saidOf(world, name, type)) === expected, { stepMs: 1000 });

describe("a MachineHealthCheck", () => {
  it("knows its Machines, and then writes nothing", async () => {
    world = await startHealthWorld(["a", "b"]);
    await createCheck(world);
    await says("b", "HealthCheckSucceeded", "True/HealthCheckSucceeded");
    await world.settle();
    const check = await checkOf(world);
    expect(check.metadata).toMatchObject({
      labels: { [Label.clusterName]: "prod" },
      ownerReferences: [{ kind: "Cluster", name: "prod" }],
    });
    expect(check.spec.checks?.nodeStartupTimeoutSeconds).toBe(600);
    expect(check.status).toMatchObject({
      expectedMachines: 2,
      currentHealthy: 2,
      remediationsAllowed: 2,
      targets: ["a", "b"],
      observedGeneration: check.metadata.generation,
    });
    expect(findCondition(check, "RemediationAllowed")).toMatchObject({ status: "True", reason: "RemediationAllowed" });
    expect(check.status?.deprecated?.v1beta1?.conditions).toMatchObject([
      { type: "RemediationAllowed", status: "True" },
    ]);
    expect(await saidOf(world, "cp", "HealthCheckSucceeded")).toBeUndefined();
    world.requests.length = 0;
    await pass(world, 120);
    expect(world.requests).toEqual([]);
    await world.restart();
    await world.settle();
    expect(world.requests.filter((request) => !request.startsWith("GET"))).toEqual([]);
  });

  it("asks the owner once a Node is ill for too long, neither earlier nor by looking again and again", async () => {
    world = await startHealthWorld(["a", "b"]);
    await createCheck(world);
    await says("a", "HealthCheckSucceeded", "True/HealthCheckSucceeded");
    const since = world.clock.now();
    await nodeBecomes(world, "a", "Unknown");
    await world.settle();
    await world.until(async () => (await checkOf(world)).status?.currentHealthy === 1);
    await world.settle();
    world.requests.length = 0;
    await pass(world, 295, since);
    expect(world.requests).toEqual([]);
    expect(await saidOf(world, "a", "HealthCheckSucceeded")).toBe("True/HealthCheckSucceeded");
    await says("a", "OwnerRemediated", "False/WaitingForRemediation");
    await world.settle();
    const machine = await world.api.get(Machine, key("a"));
    expect(findCondition(machine, "HealthCheckSucceeded")).toMatchObject({
      reason: "UnhealthyNode",
      message: expect.stringMatching(
        /^Health check failed:\n {2}\* Condition Ready on Node is reporting status Unknown with reason .* for more than 5m0s$/,
      ),
    });
    expect(findCondition(machine, "Ready")?.message).toContain("* HealthCheckSucceeded:\n  * Health check failed");
    const older = machine.status?.deprecated?.v1beta1?.conditions ?? [];
    expect(older.find(({ type }) => type === "Ready")).toMatchObject({ status: "False", reason: "UnhealthyNode" });
    expect(older.find(({ type }) => type === "OwnerRemediated")).toMatchObject({
      status: "False",
      severity: "Warning",
      reason: "WaitingForRemediation",
    });
    expect(await reasons("Machine")).toContain("MachineMarkedUnhealthy");
    expect(await saidOf(world, "b", "OwnerRemediated")).toBeUndefined();

    await nodeBecomes(world, "a", "True");
    await says("a", "HealthCheckSucceeded", "True/HealthCheckSucceeded");
    expect(await saidOf(world, "a", "OwnerRemediated")).toBeUndefined();
  });

  it("asks for nothing while too many are ill, and says so", async () => {
    world = await startHealthWorld(["a", "b", "c"]);
    await createCheck(world, { remediation: { triggerIf: { unhealthyLessThanOrEqualTo: "40%" } } });
    for (const name of ["a", "b"]) await nodeBecomes(world, name, "False");
    await says("a", "HealthCheckSucceeded", "False/UnhealthyNode");
    await world.settle();
    for (const name of ["a", "b"]) expect(await saidOf(world, name, "OwnerRemediated")).toBeUndefined();
    const check = await checkOf(world);
    expect(findCondition(check, "RemediationAllowed")).toMatchObject({
      status: "False",
      reason: "TooManyUnhealthy",
      message:
        "Remediation is not allowed: 2 of 3 Machines are not started or unhealthy, which is more than spec.remediation.triggerIf.unhealthyLessThanOrEqualTo 40%",
    });
    expect(check.status).toMatchObject({ remediationsAllowed: 0 });
    expect((await reasons("MachineHealthCheck")).filter((reason) => reason === "RemediationRestricted")).toHaveLength(
      1,
    );

    await nodeBecomes(world, "b", "True");
    await says("a", "OwnerRemediated", "False/WaitingForRemediation");
    await world.until(async () => findCondition(await checkOf(world), "RemediationAllowed")?.status === "True");
  });

  it("leaves to its owner what it has asked for before too many were ill, and asks for no more", async () => {
    world = await startHealthWorld(["a", "b", "c"]);
    await createCheck(world, { remediation: { triggerIf: { unhealthyLessThanOrEqualTo: 1 } } });
    await nodeBecomes(world, "a", "False");
    await says("a", "OwnerRemediated", "False/WaitingForRemediation");
    await nodeBecomes(world, "b", "False");
    await says("b", "HealthCheckSucceeded", "False/UnhealthyNode");
    await world.settle();
    expect(findCondition(await checkOf(world), "RemediationAllowed")).toMatchObject({ reason: "TooManyUnhealthy" });
    expect(await saidOf(world, "a", "OwnerRemediated")).toBe("False/WaitingForRemediation");
    expect(await saidOf(world, "b", "OwnerRemediated")).toBeUndefined();
    // Whoever gets well meanwhile is no longer replaced.
    await nodeBecomes(world, "a", "True");
    await world.until(async () => (await saidOf(world, "a", "OwnerRemediated")) === undefined);
    await says("b", "OwnerRemediated", "False/WaitingForRemediation");
  });

  it("sees Nodes that vanish, Machines that never become one, and marks of people", async () => {
    world = await startHealthWorld(["gone", "marked", "skipped", "paused"]);
    await createCheck(world);
    for (const name of ["gone", "marked", "skipped", "paused"]) {
      await says(name, "HealthCheckSucceeded", "True/HealthCheckSucceeded");
    }
    const annotate = async (name: string, annotation: string): Promise<unknown> =>
      set(world, Machine, await world.api.get(Machine, key(name)), { metadata: { annotations: { [annotation]: "" } } });
    await annotate("skipped", Annotation.skipRemediation);
    await annotate("paused", Annotation.paused);
    await annotate("marked", Annotation.remediateMachine);
    for (const name of ["skipped", "paused"]) await nodeBecomes(world, name, "False");
    await world.workload.delete(NodeResource, { name: "node-gone" });
    await says("marked", "OwnerRemediated", "False/WaitingForRemediation");
    await says("gone", "HealthCheckSucceeded", "False/NodeDeleted");
    await createMachine(world, "slow", { labels: { role: "worker" } });
    await pass(world, 590);
    expect(await saidOf(world, "slow", "HealthCheckSucceeded")).toBeUndefined();
    await says("slow", "HealthCheckSucceeded", "False/NodeStartupTimeout");
    expect((await checkOf(world)).status).toMatchObject({ targets: ["gone", "marked", "slow"], currentHealthy: 0 });
    for (const name of ["skipped", "paused"]) expect(await saidOf(world, name, "OwnerRemediated")).toBeUndefined();
    // What no one checks any more is not to be replaced either.
    await annotate("gone", Annotation.skipRemediation);
    await world.until(async () => (await saidOf(world, "gone", "OwnerRemediated")) === undefined);
    expect(await saidOf(world, "gone", "HealthCheckSucceeded")).toBeUndefined();
    expect(await saidOf(world, "paused", "HealthCheckSucceeded")).toBe("True/HealthCheckSucceeded");
  });

  it("keeps its verdict of Nodes that cannot be asked, but not of what the infrastructure says", async () => {
    world = await startHealthWorld(["a", "b"]);
    await createCheck(world, {
      checks: {
        unhealthyNodeConditions: [{ type: "Ready", status: "Unknown", timeoutSeconds: 60 }],
        unhealthyMachineConditions: [
          { type: "InfrastructureReady", status: "False", timeoutSeconds: 60 },
          { type: "NodeReady", status: "Unknown", timeoutSeconds: 60 },
        ],
      },
    });
    for (const name of ["a", "b"]) await says(name, "HealthCheckSucceeded", "True/HealthCheckSucceeded");
    await world.workload.delete(NodeResource, { name: "node-a" });
    await says("a", "HealthCheckSucceeded", "False/NodeDeleted");
    // From now on no one answers at the address of the cluster.
    const secret = key(clusterSecretName("prod", SecretPurpose.kubeconfig));
    const nowhere = world.workloadKubeconfig.replaceAll(/https:\/\/[^\s"]+/g, "https://127.0.0.1:1");
    const data = { value: Buffer.from(nowhere).toString("base64") };
    await world.api.patch(SecretResource, secret, { type: "merge", body: { data } });
    const { resource: infrastructure } = providerKinds.machine;
    await says("b", "NodeReady", "Unknown/ConnectionDown");
    await pass(world, 120);
    expect(await saidOf(world, "b", "HealthCheckSucceeded")).toBe("True/HealthCheckSucceeded");
    expect(await checkOf(world)).toMatchObject({ status: { expectedMachines: 2, currentHealthy: 1 } });
    await setStatus(world, infrastructure, await world.api.get(infrastructure, key("b")), {
      conditions: [
        { type: "Ready", status: "False", reason: "Stopped", lastTransitionTime: rfc3339(world.clock.now()) },
      ],
    });
    await says("b", "HealthCheckSucceeded", "False/UnhealthyMachine");
  });

  it("is quiet while it or its Cluster is paused", async () => {
    world = await startHealthWorld(["a"]);
    const check = await createCheck(world);
    await says("a", "HealthCheckSucceeded", "True/HealthCheckSucceeded");
    await set(world, MachineHealthCheck, check, { metadata: { annotations: { [Annotation.paused]: "" } } });
    await world.until(async () => findCondition(await checkOf(world), "Paused")?.status === "True");
    await nodeBecomes(world, "a", "False");
    await pass(world, 400);
    expect(await saidOf(world, "a", "HealthCheckSucceeded")).toBe("True/HealthCheckSucceeded");
    await set(world, MachineHealthCheck, check, { metadata: { annotations: { [Annotation.paused]: null } } });
    await says("a", "OwnerRemediated", "False/WaitingForRemediation");
    await world.until(async () => findCondition(await checkOf(world), "Paused")?.reason === "NotPaused");
  });

  it("takes no turns with another check of the same Machines", async () => {
    world = await startHealthWorld(["a", "b"]);
    await createCheck(world);
    const { kind, group, version } = MachineHealthCheck;
    const create = (name: string, checks: object): Promise<MachineHealthCheck> =>
      world.api.create(MachineHealthCheck, {
        apiVersion: `${group}/${version}`,
        kind,
        metadata: { name, namespace: "default" },
        spec: { clusterName: "prod", selector: { matchLabels: { role: "worker" } }, ...checks },
      });
    const strict = { unhealthyNodeConditions: [{ type: "Ready", status: "False", timeoutSeconds: 10 }] };
    await create("strict", { checks: strict });
    await create("lenient", {});
    await says("a", "HealthCheckSucceeded", "True/HealthCheckSucceeded");
    await nodeBecomes(world, "a", "False");
    await says("a", "HealthCheckSucceeded", "False/UnhealthyNode");
    // One of the others still gives the Node time, and then agrees; the other one minds nothing.
    for (const seconds of [60, 300]) {
      await pass(world, seconds);
      await world.settle();
      world.requests.length = 0;
      await pass(world, 60);
      expect(world.requests).toEqual([]);
      const machine = await world.api.get(Machine, key("a"));
      expect(findCondition(machine, "HealthCheckSucceeded")?.message).toContain("for more than 10s");
    }
    // When it goes, the next one has the word.
    await world.api.delete(MachineHealthCheck, key("strict"));
    await world.until(async () => {
      const machine = await world.api.get(Machine, key("a"));
      return findCondition(machine, "HealthCheckSucceeded")?.message.includes("for more than 5m0s") === true;
    });
    await nodeBecomes(world, "a", "True");
    await says("a", "HealthCheckSucceeded", "True/HealthCheckSucceeded");
  });

  it("looks at many Nodes that change together only now and then", async () => {
    const names = Array.from({ length: 12 }, (_, index) => `m${index}`);
    world = await startHealthWorld(names);
    await createCheck(world);
    await says("m9", "HealthCheckSucceeded", "True/HealthCheckSucceeded");
    await world.settle();
    world.requests.length = 0;
    for (const name of names) await nodeBecomes(world, name, "False");
    await says("m11", "OwnerRemediated", "False/WaitingForRemediation");
    for (const name of names) await says(name, "OwnerRemediated", "False/WaitingForRemediation");
    await world.settle();
    const statuses = world.requests.filter((request) => request.includes("/machinehealthchecks/"));
    // As they fall ill: at once and after the interval; as their time is over: the same.
    expect(statuses.length).toBeLessThanOrEqual(6);
    expect((await checkOf(world)).status).toMatchObject({ expectedMachines: 12, currentHealthy: 0 });
  });
});

describe("a MachineHealthCheck with a remediation template", () => {
  const { remediation, remediationTemplate } = providerKinds;
  const templateRef = {
    apiVersion: `${remediationTemplate.resource.group}/${remediationTemplate.resource.version}`,
    kind: remediationTemplate.resource.kind,
    name: "reboot",
  };
  const requests = async (): Promise<readonly string[]> =>
    (await world.api.list(remediation.resource, { namespace: "default" })).items
      .map(({ metadata }) => metadata.name ?? "")
      .sort(byText);
  const createTemplate = () =>
    world.api.create(
      remediationTemplate.resource,
      providerObject(remediationTemplate, "reboot", { template: { spec: { strategy: "Reboot" } } }),
    );

  it("asks for each ill Machine by an object, and takes it back", async () => {
    world = await startHealthWorld(["a", "b"]);
    await createTemplate();
    await createCheck(world, { remediation: { templateRef } });
    await nodeBecomes(world, "a", "False");
    await says("a", "ExternallyRemediated", "False/WaitingForRemediation");
    expect(await requests()).toEqual(["a"]);
    const request = await world.api.get(remediation.resource, key("a"));
    expect(request["spec"]).toEqual({ strategy: "Reboot" });
    expect(request.metadata).toMatchObject({
      labels: { [Label.clusterName]: "prod" },
      annotations: { [Annotation.clonedFromName]: "reboot" },
      ownerReferences: [{ kind: "Machine", name: "a" }],
    });
    expect(request.metadata.ownerReferences?.[0]).not.toHaveProperty("controller");
    expect(await saidOf(world, "a", "OwnerRemediated")).toBeUndefined();

    // The request that exists already keeps none of the others from theirs.
    await nodeBecomes(world, "b", "False");
    await says("b", "ExternallyRemediated", "False/WaitingForRemediation");
    expect(await requests()).toEqual(["a", "b"]);

    await world.settle();
    world.requests.length = 0;
    await pass(world, 60);
    expect(world.requests).toEqual([]);

    await nodeBecomes(world, "a", "True");
    await says("a", "HealthCheckSucceeded", "True/HealthCheckSucceeded");
    await world.until(async () => (await requests()).join() === "b");
    expect(await saidOf(world, "a", "ExternallyRemediated")).toBeUndefined();

    // A request that vanishes while it is needed is made again.
    await world.api.delete(remediation.resource, key("b"));
    await world.until(async () => (await requests()).join() === "b");
  });

  it("reports on every Machine that the template is missing, and goes on when it comes", async () => {
    world = await startHealthWorld(["a", "b"]);
    await createCheck(world, { remediation: { templateRef } });
    for (const name of ["a", "b"]) await nodeBecomes(world, name, "False");
    for (const name of ["a", "b"]) {
      await says(name, "ExternallyRemediated", "False/RemediationTemplateNotFound");
      expect(await saidOf(world, name, "HealthCheckSucceeded")).toBe("False/UnhealthyNode");
    }
    await world.settle();
    expect((await checkOf(world)).status?.deprecated?.v1beta1?.conditions).toContainEqual(
      expect.objectContaining({
        type: "ExternalRemediationTemplateAvailable",
        status: "False",
        severity: "Error",
        reason: "ExternalRemediationTemplateNotFound",
        message: expect.stringContaining("does not exist"),
      }),
    );
    await createTemplate();
    for (const name of ["a", "b"]) await says(name, "ExternallyRemediated", "False/WaitingForRemediation");
    expect(await requests()).toEqual(["a", "b"]);
    await world.settle();
    expect((await checkOf(world)).status?.deprecated?.v1beta1?.conditions?.map(({ type }) => type)).toEqual([
      "RemediationAllowed",
    ]);
  });

  it("reports that a request could not be made", async () => {
    world = await startHealthWorld(["a"]);
    await createCheck(world, { remediation: { templateRef: { ...templateRef, kind: "NoSuchTemplate" } } });
    await nodeBecomes(world, "a", "False");
    await says("a", "ExternallyRemediated", "False/RemediationRequestCreationFailed");
    const machine = await world.api.get(Machine, key("a"));
    expect(findCondition(machine, "ExternallyRemediated")?.message).toContain("NoSuchTemplate of");
    expect(await saidOf(world, "a", "HealthCheckSucceeded")).toBe("False/UnhealthyNode");
  });
});
