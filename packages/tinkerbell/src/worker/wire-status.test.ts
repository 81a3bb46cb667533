import { describe, expect, it } from "vitest";
import { agentService, workerService } from "./messages.ts";
import { isAgentReport } from "./wire-status.ts";

const bytes = (hex: string): Buffer => Buffer.from(hex.replaceAll(" ", ""), "hex");
const text = (value: string): string => value.length.toString(16).padStart(2, "0") + Buffer.from(value).toString("hex");

describe("the bytes on the wire", () => {
  const agentReport = [
    "0a",
    text("ns/w"),
    "12",
    text("agent"),
    "1a",
    text("T"),
    "22",
    text("A"),
    "2a",
    text("stream"),
    "30 02",
    "3a 0b 08 80 92 b8 c3 98 fe ff ff ff 01",
    "42 04 08 01 10 02",
    "4a",
    text("2s"),
    "52 04 0a",
    text("hi"),
  ].join("");

  it("of an agent's report are field by field what agents send", () => {
    const report = agentService.ReportActionStatus.requestDeserialize(bytes(agentReport));
    expect(report).toEqual({
      workflowId: "ns/w",
      agentId: "agent",
      taskId: "T",
      actionId: "A",
      actionName: "stream",
      actionState: "RUNNING",
      executionStart: { seconds: -62_135_596_800, nanos: 0 },
      executionStop: { seconds: 1, nanos: 2 },
      executionDuration: "2s",
      message: { message: "hi" },
    });
    expect(isAgentReport(bytes(agentReport))).toBe(true);
  });

  it("of a worker's report", () => {
    const hex = [
      "0a",
      text("w"),
      "12",
      text("T"),
      "1a",
      text("A"),
      "20 04",
      "28 07",
      "32",
      text("hi"),
      "3a 02 08 01",
      "42",
      text("me"),
    ].join("");
    for (const method of [workerService.ReportActionStatus, agentService.ReportOlderStatus]) {
      expect(method.requestDeserialize(bytes(hex))).toEqual({
        workflowId: "w",
        taskName: "T",
        actionName: "A",
        actionStatus: "SUCCESS",
        seconds: 7,
        message: "hi",
        createdAt: { seconds: 1, nanos: 0 },
        workerId: "me",
      });
    }
    expect(isAgentReport(bytes(hex))).toBe(false);
  });

  it("of an action for an agent", () => {
    const action = {
      workflowId: "ns/w",
      taskId: "T",
      agentId: "me",
      actionId: "A",
      name: "n",
      image: "i",
      timeout: 300,
      command: ["a", "b"],
      volumes: ["/v"],
      environment: ["K=V"],
      pid: "host",
      namespaces: {
        network: "host",
        pid: "p",
      },
    };
    const hex = agentService.GetAction.responseSerialize(action).toString("hex");
    const expected = [
      "0a",
      text("ns/w"),
      "12",
      text("T"),
      "1a",
      text("me"),
      "22",
      text("A"),
      "2a",
      text("n"),
      "32",
      text("i"),
      "38 ac 02",
      "42",
      text("a"),
      "42",
      text("b"),
      "4a",
      text("/v"),
      "52",
      text("K=V"),
      "5a",
      text("host"),
      "62 09 0a",
      text("host"),
      "12",
      text("p"),
    ];
    expect(hex).toBe(expected.join("").replaceAll(" ", ""));
  });

  it("of the actions and contexts of workers", () => {
    const list = {
      actionList: [{ taskName: "t", name: "n", image: "i", timeout: 5, workerId: "w", environment: ["K=V"] }],
    };
    const item = ["0a", text("t"), "12", text("n"), "1a", text("i"), "20 05", "42", text("w"), "52", text("K=V")]
      .join("")
      .replaceAll(" ", "");
    const hex = workerService.GetWorkflowActions.responseSerialize(list).toString("hex");
    expect(hex).toBe(`0a${(item.length / 2).toString(16)}${item}`);
    const context = {
      workflowId: "w",
      currentAction: "a",
      currentActionIndex: 1,
      currentActionState: "RUNNING",
      totalNumberOfActions: 2,
    };
    expect(workerService.GetWorkflowContexts.responseSerialize(context).toString("hex")).toBe(
      ["0a", text("w"), "22", text("a"), "28 01 30 01 38 02"].join("").replaceAll(" ", ""),
    );
  });

  it("have the paths of each generation", () => {
    const paths = (service: object) => Object.values(service).map(({ path }: { path: string }) => path);
    expect(paths(workerService)).toEqual(
      ["GetWorkflowContexts", "GetWorkflowActions", "ReportActionStatus", "GetWorkflowData", "UpdateWorkflowData"].map(
        (name) => `/github.com.tinkerbell.tink.protos.workflow.WorkflowService/${name}`,
      ),
    );
    expect(paths(agentService).slice(0, 4)).toEqual(
      ["GetWorkflowContexts", "GetWorkflowActions", "GetAction", "ReportActionStatus"].map(
        (name) => `/proto.WorkflowService/${name}`,
      ),
    );
  });
});

describe("whose report it is", () => {
  it.each([
    [
      "a worker's that is PENDING: the state is left out",
      ["0a", text("w"), "12", text("t"), "1a", text("a")].join(""),
      false,
    ],
    ["an agent's without an action", ["0a", text("w"), "4a", text("2s")].join(""), true],
    ["nothing", "", false],
    ["a field that is cut off", "0a ff", false],
    ["a number without end", "ff ff ff ff ff ff ff ff ff ff ff ff", false],
    ["groups", "0b 0c", false],
  ])("%s", (_, hex, agent) => {
    expect(isAgentReport(bytes(hex))).toBe(agent);
  });
});
