import { Annotation } from "@capstan/contract";
import { conditionOf, machine as machineFields, MachineResource } from "@capstan/contract/wire";
import { defineProvider } from "@capstan/kit";
import { controlPlane, hasNode, nameOfMember } from "@capstan/kit/control-plane";
import type { ControlPlaneAuthor } from "@capstan/kit/control-plane";
import { isBeingDeleted } from "@capstan/kube-values";
import type { ControlPlaneSubject } from "@capstan/testing/conformance";
import { ConformanceEnvironment, ControlPlaneScene } from "@capstan/testing/environment";
import { MemoryMachine, MemoryMachineTemplate } from "@capstan/testing/infra-memory";
import { PlainConfig, PlainControlPlane, plainControlPlaneAuthor } from "@capstan/testing/plain-control-plane";
import { afterEach, beforeEach, expect, it } from "vitest";

const kinds = [PlainConfig, PlainControlPlane];
const hook = `${Annotation.preTerminateHookPrefix}plain`;

let environment: ConformanceEnvironment;
let scene: ControlPlaneScene;
/** What the author was asked, in order. */
let asked: string[];
/** Answers that hold something back, by what is asked. */
let refused: Set<string>;

const waitingFor = (what: string) =>
  refused.has(what) ? { reason: `WaitingFor${what}`, message: `${what} is not there` } : undefined;

/** A control plane with everything an author can say. */
const author = (): ControlPlaneAuthor<PlainControlPlane> => ({
  ...plainControlPlaneAuthor,
  annotations: () => ({ "plain.example/made-for": "always" }),
  certificates: async () => {
    asked.push("certificates");
    return waitingFor("Certificates");
  },
  kubeconfig: async () => waitingFor("Kubeconfig"),
  observe: async ({ members }) => ({
    machines: Object.fromEntries(
      members.map((member) => [
        nameOfMember(member),
        [{ type: "EngineHealthy", status: hasNode(member) ? "True" : "Unknown", reason: "Seen" } as const],
      ]),
    ),
    unavailable: refused.has("Quorum") ? ["the quorum is lost"] : [],
  }),
  preflight: async ({ action, members }) => {
    if (refused.has(action)) return [`${action} is not wanted`];
    return members.every(hasNode) ? [] : ["somebody joins"];
  },
  beforeRollout: async () => void asked.push("beforeRollout"),
  beforeDeletion: async ({ member }) => {
    asked.push(`beforeDeletion ${nameOfMember(member)}`);
    return waitingFor("Leader");
  },
  terminationHook: {
    name: "plain",
    run: async ({ member }) => {
      asked.push(`leave ${nameOfMember(member)}`);
      return waitingFor("Member");
    },
  },
  beforeRemediation: async () => (refused.has("remediation") ? ["the quorum would be lost"] : []),
  upkeep: async () => void asked.push("upkeep"),
});

const subject: ControlPlaneSubject = {
  kinds,
  controlPlaneKind: PlainControlPlane,
  configKind: PlainConfig,
  provider: () =>
    defineProvider({ name: "controlplane-plain", kinds, register: (host) => host.add(controlPlane(author())) }),
  spec: ({ replicas, version, maxSurge, labels, infrastructureRef }) => ({
    replicas,
    version,
    machineTemplate: { metadata: { labels }, spec: { infrastructureRef } },
    ...(maxSurge === undefined ? {} : { rollout: { maxSurge } }),
  }),
  roleOf: () => "join",
};

beforeEach(async () => {
  asked = [];
  refused = new Set();
  environment = await ConformanceEnvironment.start([...kinds, MemoryMachine, MemoryMachineTemplate]);
  scene = new ControlPlaneScene(environment, subject, await environment.namespace());
});
afterEach(async () => {
  await scene.managers.stopAll();
  await environment.stop();
});

const messageOf = async (type: string): Promise<string> => conditionOf(await scene.object(), type)?.message ?? "";

it("makes no Machine before the certificates, and says why", async () => {
  refused.add("Certificates");
  await scene.create();
  await scene.managers.start();
  await scene.until(async () => (await scene.saidOf("Ready")) === "False/WaitingForCertificates");
  expect(await scene.members()).toEqual([]);
  refused.clear();
  await scene.core.patch(PlainControlPlane, "cp", { metadata: { labels: { again: "1" } } });
  await scene.settled();
});

it("marks Machines for the author, and says on them what the author has seen", async () => {
  await scene.create({ replicas: 3 });
  await scene.managers.start();
  await scene.settled();
  await scene.until(async () => asked.includes("upkeep"));
  for (const machine of await scene.members()) {
    expect(machine.metadata.annotations).toMatchObject({ [hook]: "", "plain.example/made-for": "always" });
    expect(conditionOf(machine, "EngineHealthy")?.status).toBe("True");
  }
  refused.add("Quorum");
  await scene.core.patch(PlainControlPlane, "cp", { metadata: { labels: { again: "1" } } });
  await scene.until(async () => (await scene.saidOf("Available")) === "False/NotAvailable");
  expect(await messageOf("Available")).toBe("* the quorum is lost");
});

it("holds back a step, and says why where people look", async () => {
  refused.add("scaleUp");
  await scene.create({ replicas: 3 });
  await scene.managers.start();
  await scene.until(async () => (await messageOf("ScalingUp")).includes("scaleUp is not wanted"));
  expect(await messageOf("ScalingUp")).toBe(
    "Scaling up from 1 to 3 replicas is blocked because:\n* scaleUp is not wanted",
  );
  refused.clear();
  await scene.settled();
});

it("has every Machine leave the cluster before its infrastructure goes, the last once another is in its place", async () => {
  await scene.create({ replicas: 3 });
  await scene.managers.start();
  await scene.settled();
  refused.add("Leader");
  await scene.want({ replicas: 1 });
  await scene.until(async () => (await scene.saidOf("Ready")) === "False/WaitingForLeader");
  expect((await scene.members()).filter(isBeingDeleted)).toEqual([]);
  refused = new Set(["Member"]);
  await scene.core.patch(PlainControlPlane, "cp", { metadata: { labels: { again: "1" } } });
  await scene.until(async () => (await scene.saidOf("Ready")) === "False/WaitingForMember");
  await scene.pass(60_000);
  const held = (await scene.members()).filter(isBeingDeleted);
  expect(held.map(({ metadata }) => metadata.annotations?.[hook])).toEqual([""]);
  refused.clear();
  await scene.settled();
  const [only] = await scene.members();
  const left = new Set(asked.filter((question) => question.startsWith("leave ")));
  expect(left.size).toBe(2);
  expect(left).not.toContain(`leave ${only?.metadata.name}`);
  refused.add("scaleUp");
  await environment.client.delete(MachineResource, scene.core.key(only?.metadata.name ?? ""));
  await scene.until(async () => (await scene.saidOf("Ready")) === "False/WaitingForReplacement");
  await scene.pass(60_000);
  expect((await scene.members()).map(({ metadata }) => metadata.name)).toEqual([only?.metadata.name]);
  expect(asked).not.toContain(`leave ${only?.metadata.name}`);
  refused.clear();
  await scene.until(async () => (await scene.members())[0]?.metadata.name !== only?.metadata.name);
  await scene.settled();
  expect(asked).toContain(`leave ${only?.metadata.name}`);
});

it("lets all Machines go at once with the object, without asking anybody to leave", async () => {
  await scene.create({ replicas: 3 });
  await scene.managers.start();
  await scene.settled();
  asked = [];
  await environment.client.delete(PlainControlPlane, scene.core.key("cp"));
  await scene.until(async () => (await scene.find()) === undefined);
  expect(asked.filter((question) => question.startsWith("leave "))).toEqual([]);
});

it("prepares the cluster before each step of a rollout, and asks before each deletion", async () => {
  await scene.create();
  await scene.managers.start();
  await scene.settled();
  const [before] = await scene.members();
  asked = [];
  await scene.want({ version: "v1.35.0" });
  await scene.settled();
  expect(asked.filter((question) => question === "beforeRollout")).toHaveLength(2);
  expect(asked).toContain(`beforeDeletion ${before?.metadata.name}`);
  expect(machineFields.version.get((await scene.members())[0] as never)).toBe("v1.35.0");
});

it("leaves an unhealthy Machine where its author says so, and says it there", async () => {
  await scene.create({ replicas: 3 });
  await scene.managers.start();
  await scene.settled();
  refused.add("remediation");
  const [sick] = await scene.members();
  const key = scene.core.key(sick?.metadata.name ?? "");
  const ill = ["HealthCheckSucceeded", "OwnerRemediated"].map(
    (type) => ({ type, status: "False", reason: "Because" }) as const,
  );
  await scene.machines.say(await environment.client.get(MachineResource, key), ill);
  const said = async () => conditionOf(await environment.client.get(MachineResource, key), "OwnerRemediated");
  await scene.until(async () => (await said())?.reason === "CannotBeRemediated");
  expect((await said())?.message).toBe("* the quorum would be lost");
  refused.clear();
  await scene.core.patch(PlainControlPlane, "cp", { metadata: { labels: { again: "1" } } });
  await scene.until(async () => (await environment.client.find(MachineResource, key)) === undefined);
  await scene.settled();
  const records = (await scene.members()).flatMap(
    ({ metadata }) => metadata.annotations?.[Annotation.remediationFor] ?? [],
  );
  expect(records.map((record) => (JSON.parse(record) as { machine: string }).machine)).toEqual([sick?.metadata.name]);
  expect((await scene.object()).metadata.annotations?.[Annotation.remediationInProgress]).toBeUndefined();
});
