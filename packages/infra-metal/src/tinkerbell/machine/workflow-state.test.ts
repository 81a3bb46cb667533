import type { Workflow } from "@capstan/tinkerbell/api";
import { describe, expect, it } from "vitest";
import { workflowState } from "./workflow-state.ts";

const action = (name: string, state: string, message = "") => ({ id: `id-${name}`, name, state, message });

const workflow = (status: object): Workflow => ({
  apiVersion: "tinkerbell.org/v1alpha1",
  kind: "Workflow",
  metadata: { name: "worker-1", namespace: "rack" },
  status,
});

const tasks = (...actions: readonly object[]) => [{ id: "t", name: "install", agentID: "a", actions }];

describe("workflowState", () => {
  it.each([
    [{}, "Preparing"],
    [{ state: "PREPARING" }, "Preparing"],
    [{ state: "STATE_PENDING" }, "WaitingForAgent"],
    [{ state: "POST" }, "Finishing"],
  ])("of %j goes on because of %s", (status, reason) => {
    expect(workflowState(workflow(status))).toMatchObject({ state: "running", reason });
  });

  it("names the action that the agent has", () => {
    const status = {
      state: "RUNNING",
      currentState: { actionID: "id-boot" },
      tasks: tasks(action("write", "SUCCESS"), action("boot", "RUNNING")),
    };
    expect(workflowState(workflow(status))).toEqual({
      state: "running",
      reason: "Installing",
      message: "action 2 of 2: boot",
    });
  });

  it("has succeeded, as older versions say it too", () => {
    expect(workflowState(workflow({ state: "SUCCESS" })).state).toBe("succeeded");
    expect(workflowState(workflow({ state: "STATE_SUCCESS" })).state).toBe("succeeded");
  });

  it.each([
    [
      { state: "FAILED", tasks: tasks(action("write", "FAILED", "no such disk")) },
      "ActionFailed",
      'the action "write" failed: no such disk',
    ],
    [
      { state: "TIMEOUT", tasks: tasks(action("write", "TIMEOUT")) },
      "ActionTimedOut",
      'the action "write" took too long',
    ],
    [{ state: "STATE_TIMEOUT" }, "ActionTimedOut", "its actions took too long in all"],
    [
      { state: "FAILED", conditions: [{ type: "BootJobFailed", status: "True", message: "connection refused" }] },
      "BootFailed",
      "board management: connection refused",
    ],
    [
      {
        templateRendering: "failed",
        conditions: [{ type: "TemplateRenderedSuccess", status: "False", message: "line 3" }],
      },
      "TemplateFailed",
      "cannot be rendered: line 3",
    ],
    [{ state: "FAILED" }, "WorkflowFailed", "see its status"],
  ])("of %j has failed because of %s", (status, reason, words) => {
    const state = workflowState(workflow(status));
    expect(state).toMatchObject({ state: "failed", reason });
    expect(state.message).toContain(words);
    expect(state.message).toContain("Workflow rack/worker-1");
    expect(state.message).toMatch(/delete the (Workflow|Machine)/);
  });
});
