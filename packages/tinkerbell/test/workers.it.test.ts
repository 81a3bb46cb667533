import type { ConformanceEnvironment } from "@capstan/testing/environment";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Hardware, Template, Workflow } from "../src/api.ts";
import { agentService, workerService } from "../src/worker/messages.ts";
import { client, startEnvironment, TinkerbellWorld, type Answer } from "./world.ts";

const worker = "machine-1";
const code = { invalidArgument: 3, notFound: 5 };

const template = `name: two
tasks:
  - name: first
    worker: "{{.device_1}}"
    actions:
      - {name: a, image: "example/a:1", timeout: 5, environment: {X: 1}}
      - {name: b, image: "example/b:1"}
  - name: second
    worker: other
    actions:
      - {name: c, image: "example/c:1"}
`;

/** Workers of both older generations; they differ in the paths, and in how a workflow is called. */
const generations = [
  {
    generation: "up to v0.8",
    service: workerService,
    report: workerService,
    id: ({ metadata }: Workflow) => metadata.name ?? "",
  },
  {
    generation: "from v0.9 to v0.12",
    service: agentService,
    // Their reports go to the path of the agents' reports, with messages of their own.
    report: {
      ReportActionStatus: { ...agentService.ReportOlderStatus, path: agentService.ReportActionStatus.path },
    },
    id: ({ metadata }: Workflow) => `${metadata.namespace ?? ""}/${metadata.name ?? ""}`,
  },
];

let environment: ConformanceEnvironment;
let world: TinkerbellWorld;
beforeAll(async () => {
  environment = await startEnvironment();
});
afterAll(() => environment.stop());

describe.each(generations)("a worker $generation", ({ id, report, service }) => {
  let workflow: Workflow;
  beforeEach(async () => {
    world = await TinkerbellWorld.start(environment);
    const interfaces = [{ dhcp: { ip: { address: client } } }];
    await world.create(Hardware, "machine", { agentID: worker, interfaces });
    await world.create(Hardware, "other", {
      agentID: "other",
      interfaces: [{ dhcp: { ip: { address: "127.0.0.66" } } }],
    });
    await world.create(Template, "two", { data: template });
    const hardwareMap = { device_1: worker };
    await world.create(Workflow, "w", { templateRef: "two", hardwareRef: "machine", hardwareMap });
    workflow = await world.settled("w", ({ status }) => status?.state === "PENDING");
  });
  afterEach(() => world.crash());

  const contexts = () => world.stream("GetWorkflowContexts", { workerId: worker }, service);
  const say = (actionName: string, actionStatus: string, more: object = {}) =>
    world.call(
      "ReportActionStatus",
      { workflowId: id(workflow), taskName: "first", actionName, actionStatus, seconds: 3, workerId: worker, ...more },
      report,
    );

  it("is told how far its workflows are, and runs their actions one after another", async () => {
    const [context, ...others] = await contexts();
    expect(others).toEqual([]);
    expect(context).toEqual({
      workflowId: id(workflow),
      currentWorker: worker,
      currentTask: "first",
      currentAction: "a",
      currentActionIndex: 0,
      currentActionState: "PENDING",
      totalNumberOfActions: 3,
    });
    const { actionList } = await world.answer("GetWorkflowActions", { workflowId: id(workflow) }, service);
    expect(
      (actionList as Answer[]).map(({ name, taskName, timeout, workerId }) => [taskName, name, timeout, workerId]),
    ).toEqual([
      ["first", "a", 5, worker],
      ["first", "b", 3600, worker],
      ["second", "c", 3600, "other"],
    ]);
    await say("a", "RUNNING");
    expect((await contexts())[0]).toMatchObject({ currentAction: "a", currentActionState: "RUNNING" });
    await say("a", "SUCCESS");
    expect((await contexts())[0]).toMatchObject({ currentAction: "b", currentActionIndex: 1 });
    await say("b", "SUCCESS", { message: "fine" });
    const { status } = await world.settled("w", (of) => of.status?.agentID === "other");
    expect(status?.tasks?.[0]?.actions[1]).toMatchObject({
      state: "SUCCESS",
      executionDuration: "3s",
      message: "fine",
    });
    expect(await contexts()).toEqual([]);
  });

  it("must name the action that is current", async () => {
    expect(await say("zz", "RUNNING")).toMatchObject({ code: code.invalidArgument });
    expect(await say("", "RUNNING")).toMatchObject({ code: code.invalidArgument });
    expect(await say("b", "RUNNING")).toMatchObject({ code: code.invalidArgument });
    expect(await say("c", "RUNNING", { taskName: "second" })).toMatchObject({ code: code.notFound });
    expect((await world.workflow("w")).status?.state).toBe("PENDING");
  });

  it("finds nothing of others", async () => {
    await environment.client.patch(Hardware, world.key("machine"), {
      type: "merge",
      body: { spec: { interfaces: [{ dhcp: { ip: { address: "127.0.0.88" } } }] } },
    });
    const unknown = { workflowId: id({ ...workflow, metadata: { ...workflow.metadata, name: "none" } }) };
    const foreign = await world.call("GetWorkflowActions", { workflowId: id(workflow) }, service);
    expect(foreign).toMatchObject({ code: code.notFound });
    expect(await world.call("GetWorkflowActions", unknown, service)).toEqual(foreign);
    expect(await say("a", "FAILED")).toEqual(foreign);
    await expect(contexts()).rejects.toMatchObject({ code: code.notFound });
  });

  it("may report again what has failed", async () => {
    await say("a", "FAILED", { message: "no space" });
    expect(await say("a", "SUCCESS")).toEqual({ answer: {} });
    const { status } = await world.workflow("w");
    expect(status).toMatchObject({ state: "FAILED", tasks: [{ actions: [{ message: "no space" }, {}] }, {}] });
  });
});

describe("the data that the oldest workers exchange", () => {
  it("are empty, and nobody else's", async () => {
    world = await TinkerbellWorld.start(environment, { workerPolicy: "off" });
    await world.create(Template, "two", { data: template });
    await world.create(Workflow, "w", { templateRef: "two", hardwareMap: { device_1: worker } });
    await world.settled("w", ({ status }) => status?.state === "PENDING");
    const data = await world.answer("GetWorkflowData", { workflowId: "w", version: 0 }, workerService);
    expect(data).toEqual({ data: Buffer.alloc(0), version: 0 });
    const update = { workflowId: "w", metadata: Buffer.from("{}"), data: Buffer.from("x") };
    expect(await world.answer("UpdateWorkflowData", update, workerService)).toEqual({});
    expect(await world.call("GetWorkflowData", { workflowId: "none" }, workerService)).toMatchObject({
      code: code.notFound,
    });
    await world.crash();
  });
});
