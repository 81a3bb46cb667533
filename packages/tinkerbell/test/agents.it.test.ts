import { CapstanError } from "@capstan/contract";
import type { ConformanceEnvironment } from "@capstan/testing/environment";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Hardware, Template, Workflow } from "../src/api.ts";
import { client, startEnvironment, TinkerbellWorld, type Answer } from "./world.ts";

const mac = "52:54:00:00:00:01";
const code = { invalidArgument: 3, notFound: 5, failedPrecondition: 9, unavailable: 14 };

const template = `version: "0.1"
name: install
global_timeout: 600
tasks:
  - name: os
    worker: "{{.device_1}}"
    volumes: [/dev:/dev]
    environment: {A: task, B: task}
    actions:
      - name: stream
        image: quay.io/tinkerbell/actions/oci2disk
        timeout: 60
        environment: {B: action, MODE: 0600}
        volumes: [/lib:/lib]
        command: [run, {{ formatPartition (index .Hardware.Disks 0) 1 }}]
        namespaces: {pid: host}
      - name: reboot
        image: ghcr.io/example/reboot:v1
`;

let environment: ConformanceEnvironment;
let world: TinkerbellWorld;
beforeAll(async () => {
  environment = await startEnvironment();
});
afterAll(() => environment.stop());

const hardware = (address: string, agent: string = mac) => ({
  disks: [{ device: "/dev/nvme0n1" }],
  interfaces: [{ dhcp: { mac: agent, ip: { address } } }],
});

const prepare = async (): Promise<TinkerbellWorld> => {
  const next = await TinkerbellWorld.start(environment);
  await next.create(Hardware, "machine", hardware(client));
  await next.create(Template, "install", { data: template });
  await next.create(Workflow, "w", { templateRef: "install", hardwareRef: "machine", hardwareMap: { device_1: mac } });
  await next.settled("w", ({ status }) => status?.state === "PENDING");
  return next;
};

const report = (action: Answer, actionState: string, more: object = {}) =>
  world.call("ReportActionStatus", {
    workflowId: action["workflowId"],
    agentId: mac,
    taskId: action["taskId"],
    actionId: action["actionId"],
    actionName: action["name"],
    actionState,
    executionStart: { seconds: -62_135_596_800 },
    ...more,
  });

const next = () => world.answer("GetAction", { agentId: mac });

describe("an agent", () => {
  beforeEach(async () => {
    world = await prepare();
    return () => world.crash();
  });

  it("is given its actions one after another, and the workflow ends with the last", async () => {
    const first = await next();
    expect(first).toMatchObject({
      workflowId: `${world.namespace}/w`,
      agentId: mac,
      name: "stream",
      image: "quay.io/tinkerbell/actions/oci2disk",
      timeout: 60,
      command: ["run", "/dev/nvme0n1p1"],
      volumes: ["/dev:/dev", "/lib:/lib"],
      environment: ["A=task", "B=action", "MODE=0600"],
      pid: "host",
    });
    await report(first, "RUNNING");
    const running = await world.settled("w", ({ status }) => status?.globalExecutionStop !== undefined);
    expect(running.status).toMatchObject({
      state: "RUNNING",
      currentState: { actionName: "stream", state: "RUNNING" },
    });
    await report(first, "SUCCESS", { executionDuration: "2s", message: { message: "fine" } });
    const second = await next();
    expect(second).toMatchObject({ name: "reboot", timeout: 3600, environment: ["A=task", "B=task"] });
    await report(second, "SUCCESS");
    const { status } = await world.settled("w", (of) => of.status?.state === "SUCCESS");
    expect(status?.tasks?.[0]?.actions.map(({ state }) => state)).toEqual(["SUCCESS", "SUCCESS"]);
    expect(status?.tasks?.[0]?.actions[0]).toMatchObject({ executionDuration: "2s", message: "fine" });
    expect(await world.call("GetAction", { agentId: mac })).toMatchObject({ code: code.notFound });
  });

  it("gets the same action again after it or the server was restarted", async () => {
    const first = await next();
    expect(await next()).toEqual(first);
    await report(first, "RUNNING");
    await world.crash();
    await world.run();
    expect(await next()).toEqual(first);
    await report(first, "SUCCESS");
    const second = await next();
    await world.crash();
    await world.run();
    expect(await next()).toEqual(second);
  });

  it("may report twice and late: a workflow that has ended stays as it is", async () => {
    const first = await next();
    await report(first, "RUNNING");
    expect(await report(first, "FAILED", { message: { message: "no space" } })).toEqual({ answer: {} });
    const { status } = await world.settled("w", (of) => of.status?.state === "FAILED");
    expect(await report(first, "SUCCESS")).toEqual({ answer: {} });
    expect((await world.workflow("w")).status).toEqual(status);
    expect(status?.tasks?.[0]?.actions[0]?.message).toBe("no space");
  });

  it("is told to try again while the management API is away, and goes on where it was", async () => {
    const first = await next();
    const away = new CapstanError({
      code: "kube.unavailable",
      reason: "Unavailable",
      message: "gone",
      retry: { kind: "backoff" },
    });
    world.outage = () => away;
    expect(await report(first, "RUNNING")).toMatchObject({ code: code.unavailable });
    expect(await world.call("GetAction", { agentId: mac })).toMatchObject({ code: code.unavailable });
    world.outage = undefined;
    expect(await report(first, "RUNNING")).toEqual({ answer: {} });
    expect(await next()).toEqual(first);
  });

  it("is not heard twice where somebody else was faster to write", async () => {
    const first = await next();
    let conflicts = 2;
    const conflict = new CapstanError({
      code: "kube.conflict",
      reason: "Conflict",
      message: "changed",
      retry: { kind: "backoff" },
    });
    world.outage = (verb) => (verb === "patch" && conflicts-- > 0 ? conflict : undefined);
    expect(await report(first, "RUNNING")).toEqual({ answer: {} });
    world.outage = (verb) => (verb === "patch" ? conflict : undefined);
    expect(await report(first, "SUCCESS")).toMatchObject({ code: code.unavailable });
    world.outage = undefined;
    expect((await world.workflow("w")).status?.state).toBe("RUNNING");
  });

  it("cannot report an action whose turn it is not", async () => {
    const { status } = await world.workflow("w");
    const [task] = status?.tasks ?? [];
    const [, last] = task?.actions ?? [];
    const early = { workflowId: `${world.namespace}/w`, taskId: task?.id, actionId: last?.id, name: "reboot" };
    expect(await report(early, "SUCCESS")).toMatchObject({ code: code.failedPrecondition });
  });

  it("is told what is wrong with a call", async () => {
    const action = await next();
    expect(await world.call("GetAction", { agentId: "" })).toMatchObject({ code: code.invalidArgument });
    for (const field of ["workflowId", "taskId", "actionId"]) {
      expect(await report({ ...action, [field]: "" }, "RUNNING")).toMatchObject({ code: code.invalidArgument });
    }
    expect(await report(action, "UNSPECIFIED")).toMatchObject({ code: code.invalidArgument });
    expect(await report({ ...action, actionId: "other" }, "RUNNING")).toMatchObject({ code: code.notFound });
    expect(await report({ ...action, workflowId: "default/none" }, "RUNNING")).toMatchObject({ code: code.notFound });
  });
});

describe("somebody else", () => {
  it("finds nothing, as if there were nothing", async () => {
    world = await prepare();
    const action = await next();
    const { client: kube } = environment;
    const moved = { spec: hardware("127.0.0.77") };
    await kube.patch(Hardware, world.key("machine"), { type: "merge", body: moved });
    const foreign = await world.call("GetAction", { agentId: mac });
    const unknown = await world.call("GetAction", { agentId: "52:54:00:00:00:99" });
    expect(foreign).toEqual(unknown);
    expect(foreign).toMatchObject({ code: code.notFound });
    expect(await report(action, "FAILED")).toEqual(foreign);
    expect((await world.workflow("w")).status?.state).toBe("PENDING");
    await world.crash();
  });
});
