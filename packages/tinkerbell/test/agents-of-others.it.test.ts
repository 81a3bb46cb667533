import { apiVersionOf } from "@capstan/schema";
import type { ConformanceEnvironment } from "@capstan/testing/environment";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Hardware, Template, Workflow } from "../src/api.ts";
import type { WorkerPolicy } from "../src/worker/identity.ts";
import { workerService } from "../src/worker/messages.ts";
import { client, startEnvironment, TinkerbellWorld } from "./world.ts";

const mac = "52:54:00:00:00:01";
const elsewhere = "127.0.0.77";
const notFound = { code: 5 };

const template = (image: string): string =>
  `name: x\ntasks:\n  - {name: t, worker: "{{.device_1}}", actions: [{name: a, image: ${image}, environment: {PASSWORD: p}}]}\n`;

let environment: ConformanceEnvironment;
let world: TinkerbellWorld;
/** The namespace of another user. */
let other: string;
beforeEach(async () => {
  environment = await startEnvironment();
  other = await environment.namespace();
});
afterEach(async () => {
  await world.crash();
  await environment.stop();
});

const start = async (workerPolicy: WorkerPolicy): Promise<void> => {
  world = await TinkerbellWorld.start(environment, { workerPolicy }, { boardManagement: true, everywhere: true });
};

const create = (
  kind: typeof Hardware | typeof Template | typeof Workflow,
  namespace: string,
  name: string,
  spec: object,
) =>
  environment.client.create(kind as typeof Workflow, {
    apiVersion: apiVersionOf(kind),
    kind: kind.kind,
    metadata: { namespace, name },
    spec,
  });

/** A machine with a Workflow that is due. */
const install = async (namespace: string, hardware: object, workflow: object = {}): Promise<void> => {
  await create(Hardware, namespace, "machine", hardware);
  await create(Template, namespace, "install", { data: template(`example/${namespace}`) });
  const hardwareMap = { device_1: mac };
  await create(Workflow, namespace, "w", { templateRef: "install", hardwareRef: "machine", hardwareMap, ...workflow });
  await environment.pass(2000);
};

const interfaces = (address: string, own: string) => [{ dhcp: { mac: own, ip: { address } } }];

describe("a machine at its own address", () => {
  it.each([
    ["agentID", { agentID: mac, interfaces: interfaces(client, "52:54:00:00:00:02") }],
    ["MAC address", { interfaces: interfaces(client, mac) }],
    ["instance id", { metadata: { instance: { id: mac } }, interfaces: interfaces(client, "52:54:00:00:00:02") }],
  ])("neither gets nor reports actions of a machine in another namespace by its %s", async (_, spec) => {
    await start("ip");
    // Registered before the other one, with addresses of its own at first.
    await create(Hardware, other, "own", { interfaces: interfaces(client, "52:54:00:00:00:02") });
    await environment.pass(2000);
    await install(world.namespace, { interfaces: interfaces(elsewhere, mac) });
    const { status } = await world.settled("w", (of) => of.status?.state === "PENDING");
    const claims = {
      labels: { "v1alpha1.tinkerbell.org/ownerName": "m", "v1alpha1.tinkerbell.org/ownerNamespace": other },
      annotations: { "v1alpha1.tinkerbell.org/provisioned": "true" },
    };
    const key = { namespace: other, name: "own" };
    await environment.client.patch(Hardware, key, { type: "merge", body: { metadata: claims, spec } });
    await environment.pass(5000);
    expect(await world.call("GetAction", { agentId: mac })).toMatchObject(notFound);
    const workflowId = `${world.namespace}/w`;
    expect(await world.call("GetWorkflowActions", { workflowId })).toMatchObject(notFound);
    expect(await world.call("GetWorkflowActions", { workflowId: "w" }, workerService)).toMatchObject(notFound);
    const [task] = status?.tasks ?? [];
    const ids = { workflowId, agentId: mac, taskId: task?.id, actionId: task?.actions[0]?.id };
    expect(await world.call("ReportActionStatus", { ...ids, actionState: "SUCCESS" })).toMatchObject(notFound);
    expect((await world.workflow("w")).status?.state).toBe("PENDING");
  });
});

describe.each<WorkerPolicy>(["ip", "off"])("under the policy %s a machine", (policy) => {
  it.each([
    ["that names Hardware with its id", { hardwareRef: "machine" }],
    ["without Hardware", { hardwareRef: "" }],
  ])("does not run a Workflow of another namespace %s", async (_, workflow) => {
    await start(policy);
    await create(Hardware, world.namespace, "machine", { interfaces: interfaces(client, mac) });
    await environment.pass(2000);
    await install(other, { agentID: mac, interfaces: interfaces(elsewhere, "52:54:00:00:00:02") }, workflow);
    expect(await world.call("GetAction", { agentId: mac })).toMatchObject(notFound);
  });
});

describe("a Workflow for a machine of another namespace", () => {
  /** What a user there wrote, made here by a controller for their machine on the Hardware `machine`. */
  const made = async (worker: string, labels: object): Promise<void> => {
    await start("ip");
    const macs = ["52:54:00:00:00:0a", mac] as const;
    await create(Hardware, world.namespace, "machine", { interfaces: interfaces(elsewhere, macs[0]) });
    await create(Hardware, world.namespace, "another", { interfaces: interfaces(client, macs[1]) });
    const data = `name: x\ntasks:\n  - {name: t, worker: "${worker}", actions: [{name: a, image: evil}]}\n`;
    await create(Template, world.namespace, "m", { data });
    const spec = { templateRef: "m", hardwareRef: "machine", hardwareMap: { device_1: macs[0] } };
    await world.create(Workflow, "m", spec, { labels: { "capt.tinkerbell.org/machine-name": "m", ...labels } });
  };
  const from = (namespace: string) => ({ "capt.tinkerbell.org/machine-namespace": namespace });

  it("runs on no other Hardware of the namespace, whatever its Template says", async () => {
    await made(mac, from(other));
    const { status } = await world.settled("m", (of) => of.status?.templateRendering === "failed");
    expect(status?.conditions?.[0]?.message).toContain('the worker of the task "t" is not the agent of Hardware');
    expect(await world.call("GetAction", { agentId: mac })).toMatchObject(notFound);
  });

  it("runs on its own", async () => {
    await made("{{.device_1}}", from(other));
    await world.settled("m", (of) => of.status?.state === "PENDING");
  });

  it("of the same namespace may have another work as well", async () => {
    await made(mac, {});
    await world.settled("m", (of) => of.status?.state === "PENDING");
  });
});
