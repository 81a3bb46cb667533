import type { KubeObject } from "@capstan/schema";
import type { ConformanceEnvironment } from "@capstan/testing/environment";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { BmcJob, BmcTask, Hardware, Template, Workflow } from "../src/api.ts";
import { client, startEnvironment, TinkerbellWorld, type Answer } from "./world.ts";

const mac = "52:54:00:00:00:01";

const task = (name: string, worker: string): string =>
  `  - {name: ${name}, worker: "${worker}", actions: [{name: ${name}-a, image: example/a}, {name: ${name}-b, image: example/b}]}\n`;
const template = (...tasks: readonly string[]): object => ({
  data: `name: x\nglobal_timeout: 100\ntasks:\n${tasks.join("")}`,
});

let environment: ConformanceEnvironment;
let world: TinkerbellWorld;
beforeAll(async () => {
  environment = await startEnvironment();
});
afterAll(() => environment.stop());

const machine = {
  bmcRef: { kind: "Machine", name: "bmc" },
  interfaces: [{ dhcp: { mac, uefi: true, ip: { address: client } } }, {}],
};
const spec = { templateRef: "t", hardwareRef: "m", hardwareMap: { device_1: mac } };

beforeEach(async () => {
  // Board management is played by the tests.
  world = await TinkerbellWorld.start(environment, { workerPolicy: "off" }, { boardManagement: false });
});
afterEach(() => world.crash());

const state =
  (wanted: string) =>
  ({ status }: Workflow) =>
    status?.state === wanted;
const conditionOf = ({ status }: Workflow, type: string) => status?.conditions?.find((each) => each.type === type);

const interfacesOf = async () => (await environment.client.get(Hardware, world.key("m"))).spec?.interfaces ?? [];
const job = (name: string) => environment.eventually<BmcJob>(BmcJob, world.key(name), (of) => of !== undefined);
const finishJob = async (name: string, type: "Completed" | "Failed" = "Completed") => {
  await job(name);
  const conditions = [{ type, status: "True", message: "as it said" }];
  const body = { status: { conditions } };
  await environment.client.patch(BmcJob, world.key(name), { type: "merge", body }, { subresource: "status" });
};

const runActions = async (agentId: string, count: number) => {
  for (let index = 0; index < count; index += 1) {
    const action = await world.answer("GetAction", { agentId });
    const ids = { workflowId: action["workflowId"], taskId: action["taskId"], actionId: action["actionId"], agentId };
    await world.answer("ReportActionStatus", { ...ids, actionState: "RUNNING" });
    await world.answer("ReportActionStatus", { ...ids, actionState: "SUCCESS" });
  }
};

describe("a Template", () => {
  it("that is missing is named, and the workflow begins when it comes", async () => {
    await world.create(Workflow, "w", spec);
    const missing = await world.settled("w", (of) => conditionOf(of, "TemplateRenderedSuccess") !== undefined);
    expect(missing.status).toMatchObject({ templateRendering: "failed" });
    expect(conditionOf(missing, "TemplateRenderedSuccess")).toMatchObject({
      status: "False",
      reason: "Error",
      message: `spec.templateRef: Template ${world.namespace}/t does not exist; create it`,
    });
    await world.create(Template, "t", template(task("one", "{{.device_1}}")));
    const other = await world.settled("w", (of) =>
      /Hardware/.test(conditionOf(of, "TemplateRenderedSuccess")?.message ?? ""),
    );
    expect(conditionOf(other, "TemplateRenderedSuccess")?.message).toBe(
      `spec.hardwareRef: Hardware ${world.namespace}/m does not exist; create it`,
    );
    await world.create(Hardware, "m", machine);
    const { status } = await world.settled("w", state("PENDING"));
    expect(status).toMatchObject({ agentID: mac, templateRendering: "successful", globalTimeout: 100 });
    const ids = [status?.tasks?.[0]?.id, ...(status?.tasks?.[0]?.actions ?? []).map(({ id }) => id)];
    expect(new Set(ids).size).toBe(3);
    for (const id of ids) expect(id).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/);
  });

  it("that gives no workflow is named with the place", async () => {
    await world.create(Template, "t", { data: "name: x\ntasks: [{name: a, worker: w, actions: [{name: b}]}]" });
    await world.create(Workflow, "w", { templateRef: "t" });
    const failed = await world.settled("w", (of) => of.status?.templateRendering === "failed");
    expect(conditionOf(failed, "TemplateRenderedSuccess")?.message).toContain(
      `Template ${world.namespace}/t, spec.data: tasks[0].actions[0].image must be the reference of an image`,
    );
    await environment.client.patch(Template, world.key("t"), {
      type: "merge",
      body: { spec: template(task("one", "w")) },
    });
    await world.settled("w", state("PENDING"));
  });

  it("is rendered once: nothing is written when it or the Hardware changes later", async () => {
    await world.create(Template, "t", template(task("one", "w")));
    await world.create(Hardware, "m", machine);
    await world.create(Workflow, "w", spec);
    const { metadata } = await world.settled("w", state("PENDING"));
    await environment.client.patch(Hardware, world.key("m"), { type: "merge", body: { spec: { userData: "x" } } });
    await environment.client.patch(Template, world.key("t"), { type: "merge", body: { spec: { data: "bad" } } });
    await environment.pass(120_000);
    expect((await world.workflow("w")).metadata.resourceVersion).toBe(metadata.resourceVersion);
  });
});

describe("a workflow that boots its machine", () => {
  beforeEach(async () => {
    await world.create(Template, "t", template(task("one", mac)));
    await world.create(Hardware, "m", machine);
  });

  const begin = (bootOptions: object) => world.create(Workflow, "w", { ...spec, bootOptions });

  it("allows the network boot, has board management boot it, and forbids it in the end", async () => {
    await begin({ toggleAllowNetboot: true, bootMode: "netboot" });
    const made = await job("netboot-w");
    expect(made?.spec).toEqual({
      machineRef: { name: "bmc", namespace: world.namespace },
      tasks: [
        { powerAction: "off" },
        { oneTimeBootDeviceAction: { device: ["pxe"], efiBoot: true } },
        { powerAction: "on" },
      ],
    });
    expect(made?.metadata.ownerReferences).toMatchObject([{ kind: "Workflow", name: "w", controller: true }]);
    expect((await interfacesOf()).map(({ netboot }) => netboot?.allowPXE)).toEqual([true, true]);
    expect((await world.workflow("w")).status?.state).toBe("PREPARING");
    expect(await world.call("GetAction", { agentId: mac })).toMatchObject({ code: 9 });
    await finishJob("netboot-w");
    await world.settled("w", state("PENDING"));
    await runActions(mac, 2);
    const { status } = await world.settled("w", state("SUCCESS"));
    expect((await interfacesOf()).map(({ netboot }) => netboot?.allowPXE)).toEqual([false, false]);
    expect(status?.bootOptions).toMatchObject({
      allowNetboot: { toggledTrue: true, toggledFalse: true },
      jobs: { "netboot-w": { complete: true, existingJobDeleted: true, uid: made?.metadata.uid } },
    });
    const types = (status?.conditions ?? []).filter((each) => each.status === "True").map(({ type }) => type);
    for (const type of ["AllowNetbootTrue", "AllowNetbootFalse", "BootJobSetupComplete", "BootJobComplete"]) {
      expect(types).toContain(type);
    }
  });

  it("puts an image in and ejects it", async () => {
    await begin({ bootMode: "isoboot", isoURL: "http://example.com/a.iso" });
    expect((await job("iso-mount-w"))?.spec?.tasks).toEqual([
      { powerAction: "off" },
      { virtualMediaAction: { kind: "CD", mediaURL: "" } },
      { virtualMediaAction: { kind: "CD", mediaURL: "http://example.com/a.iso" } },
      { oneTimeBootDeviceAction: { device: ["cdrom"], efiBoot: true } },
      { powerAction: "on" },
    ]);
    await finishJob("iso-mount-w");
    await world.settled("w", state("PENDING"));
    await runActions(mac, 2);
    expect((await job("iso-eject-w"))?.spec?.tasks).toEqual([{ virtualMediaAction: { kind: "CD", mediaURL: "" } }]);
    await finishJob("iso-eject-w");
    await world.settled("w", state("SUCCESS"));
  });

  it("does what its own configuration says, with addresses of the Hardware", async () => {
    const mediaURL = "http://h/{{ (index .Hardware.Interfaces 0).DHCP.MAC }}.iso";
    const preparingActions = [{ virtualMediaAction: { kind: "CD", mediaURL } }];
    await begin({
      bootMode: "customboot",
      custombootConfig: { preparingActions, postActions: [{ powerAction: "off" }] },
    });
    expect((await job("customboot-preparing-w"))?.spec?.tasks).toEqual([
      { virtualMediaAction: { kind: "CD", mediaURL: `http://h/${mac}.iso` } },
    ]);
    await finishJob("customboot-preparing-w");
    await world.settled("w", state("PENDING"));
    await runActions(mac, 2);
    await finishJob("customboot-post-w");
    await world.settled("w", state("SUCCESS"));
  });

  it("fails with the Job", async () => {
    await begin({ bootMode: "netboot" });
    await finishJob("netboot-w", "Failed");
    const failed = await world.settled("w", state("FAILED"));
    expect(conditionOf(failed, "BootJobFailed")).toMatchObject({
      status: "True",
      message: `Job ${world.namespace}/netboot-w failed: as it said`,
    });
  });

  it.each([
    ["isoboot", {}, "spec.bootOptions.isoURL must be set for the boot mode isoboot"],
    ["netboot", { bmcRef: null }, "has no spec.bmcRef"],
  ])("fails where %s lacks something", async (bootMode, change, message) => {
    await environment.client.patch(Hardware, world.key("m"), { type: "merge", body: { spec: change } });
    await begin({ bootMode });
    const failed = await world.settled("w", state("FAILED"));
    expect(conditionOf(failed, "BootJobFailed")?.message).toContain(message);
  });

  it("takes away a Job of before, with its Tasks", async () => {
    const old = (kind: typeof BmcJob | typeof BmcTask, name: string, labels: object, of: object): KubeObject => ({
      apiVersion: "bmc.tinkerbell.org/v1alpha1",
      kind: kind.kind,
      metadata: { ...world.key(name), name, labels } as KubeObject["metadata"],
      spec: of,
    });
    const machineRef = { name: "old", namespace: world.namespace };
    const [action] = [{ powerAction: "off" }];
    const before = await environment.client.create<BmcJob>(
      BmcJob,
      old(BmcJob, "netboot-w", {}, { machineRef, tasks: [action] }),
    );
    await environment.client.create(
      BmcTask,
      old(BmcTask, "netboot-w-task-0", { "owner-name": "netboot-w" }, { task: action }),
    );
    await begin({ bootMode: "netboot" });
    await environment.eventually<BmcJob>(
      BmcJob,
      world.key("netboot-w"),
      (of) => of !== undefined && of.metadata.uid !== before.metadata.uid,
    );
    expect(await environment.client.find(BmcTask, world.key("netboot-w-task-0"))).toBeUndefined();
  });

  it("makes one Job however often it crashes", async () => {
    await begin({ toggleAllowNetboot: true, bootMode: "netboot" });
    const made = await job("netboot-w");
    await world.crash();
    // As if the process had ended before it noted the Job.
    const body = { status: { bootOptions: { jobs: { "netboot-w": { uid: null } } } } };
    await environment.client.patch(Workflow, world.key("w"), { type: "merge", body }, { subresource: "status" });
    await world.run();
    await finishJob("netboot-w");
    const { status } = await world.settled("w", state("PENDING"));
    expect(status?.bootOptions?.jobs?.["netboot-w"]?.uid).toBe(made?.metadata.uid);
  });
});

describe("a workflow that runs", () => {
  it("goes from agent to agent", async () => {
    await world.create(Template, "t", template(task("one", mac), task("two", "second"), task("three", mac)));
    await world.create(Workflow, "w", { templateRef: "t" });
    await world.settled("w", state("PENDING"));
    await runActions(mac, 2);
    await world.settled("w", ({ status }) => status?.agentID === "second");
    await runActions("second", 2);
    await world.settled("w", ({ status }) => status?.agentID === mac);
    await runActions(mac, 2);
    await world.settled("w", state("SUCCESS"));
  });

  it("times out when its actions take too long in all, counted from the first", async () => {
    await world.create(Template, "t", template(task("one", mac)));
    await world.create(Workflow, "w", { templateRef: "t" });
    await world.settled("w", state("PENDING"));
    await environment.pass(200_000);
    const action: Answer = await world.answer("GetAction", { agentId: mac });
    const ids = {
      workflowId: action["workflowId"],
      taskId: action["taskId"],
      actionId: action["actionId"],
      agentId: mac,
    };
    await world.answer("ReportActionStatus", { ...ids, actionState: "RUNNING" });
    await world.settled("w", ({ status }) => status?.globalExecutionStop !== undefined);
    await environment.pass(80_000);
    expect((await world.workflow("w")).status?.state).toBe("RUNNING");
    await world.settled("w", state("TIMEOUT"));
    expect(await world.call("ReportActionStatus", { ...ids, actionState: "SUCCESS" })).toEqual({ answer: {} });
    expect((await world.workflow("w")).status?.state).toBe("TIMEOUT");
  });
});

describe("a workflow that must not begin", () => {
  beforeEach(async () => {
    await world.create(Template, "t", template(task("one", "{{.device_1}}")));
  });

  it("is one that is disabled: only its agent is known", async () => {
    await world.create(Hardware, "m", machine);
    await world.create(Workflow, "w", { ...spec, disabled: true });
    const { status } = await world.settled("w", (of) => of.status?.agentID === mac);
    expect(status).toEqual({ agentID: mac });
    await environment.client.patch(Workflow, world.key("w"), { type: "merge", body: { spec: { disabled: false } } });
    await world.settled("w", state("PENDING"));
  });

  it("is one whose status is still to be restored", async () => {
    await world.create(Hardware, "m", machine);
    await world.create(Workflow, "w", spec, { annotations: { "tinkerbell.capstan.dev/restored": "true" } });
    await environment.pass(60_000);
    expect((await world.workflow("w")).status).toBeUndefined();
  });

  it("is one that a restore has created and not completed; it stays as it ended", async () => {
    await world.create(Hardware, "m", machine);
    await world.create(Workflow, "w", spec, { annotations: { "capstan.dev/restore-pending": "status" } });
    await environment.pass(60_000);
    expect((await world.workflow("w")).status).toBeUndefined();
    const [key, body] = [world.key("w"), { status: { state: "SUCCESS", agentID: "worker-1", tasks: [] } }];
    await environment.client.patch(Workflow, key, { type: "merge", body }, { subresource: "status" });
    const done = { metadata: { annotations: { "capstan.dev/restore-pending": null } } };
    await environment.client.patch(Workflow, key, { type: "merge", body: done });
    await environment.pass(60_000);
    expect((await world.workflow("w")).status).toEqual(body.status);
  });

  it("is that of a Cluster's machine that moved without it", async () => {
    const annotations = { "v1alpha1.tinkerbell.org/provisioned": "true" };
    await world.create(Hardware, "m", machine, { annotations });
    await world.create(Workflow, "w", spec, { labels: { "capt.tinkerbell.org/machine-name": "a" } });
    await world.create(Workflow, "restored", spec);
    await world.create(Workflow, "own", spec, { annotations: { "tinkerbell.capstan.dev/run-on-provisioned": "true" } });
    await world.settled("own", state("PENDING"));
    await environment.pass(60_000);
    expect((await world.workflow("w")).status).toBeUndefined();
    expect((await world.workflow("restored")).status).toBeUndefined();
  });
});
