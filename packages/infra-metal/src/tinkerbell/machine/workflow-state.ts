import { keyOf, keyText } from "@capstan/kube-values";
import type { Workflow } from "@capstan/tinkerbell/api";
import { TinkerbellReason } from "../api/tinkerbell-conditions.ts";

/** Progress of a workflow, as conditions state it. */
export interface WorkflowState {
  readonly state: "failed" | "running" | "succeeded";
  readonly reason: string;
  readonly message: string;
}

type Status = NonNullable<Workflow["status"]>;

const running = (reason: string, message: string): WorkflowState => ({ state: "running", reason, message });

const actionsOf = ({ tasks = [] }: Status) => tasks.flatMap(({ actions }) => actions);

/** The action that the agent has, and which of how many it is. */
const present = (status: Status): string => {
  const actions = actionsOf(status);
  const at = actions.findIndex(({ id }) => id === status.currentState?.actionID);
  return at === -1 ? "the agent works" : `action ${at + 1} of ${actions.length}: ${actions[at]?.name ?? ""}`;
};

const conditionMessage = ({ conditions = [] }: Status, type: string, status: string): string | undefined =>
  conditions.find((each) => each.type === type && each.status === status)?.message;

/** Older states have a prefix. */
const stateOf = ({ state = "" }: Status): string => state.replace(/^STATE_/, "");

/** Why a workflow came to nothing: the boot, or the action that did not end well. */
const failureOf = (status: Status): Pick<WorkflowState, "reason" | "message"> => {
  const boot = ["BootJobFailed", "BootJobSetupFailed"]
    .map((type) => conditionMessage(status, type, "True"))
    .find((message) => message !== undefined);
  if (boot !== undefined) return { reason: TinkerbellReason.bootFailed, message: `board management: ${boot}` };
  const failed = actionsOf(status).find(({ state = "" }) => ["FAILED", "TIMEOUT"].includes(state));
  if (failed !== undefined) {
    const { message = "", name, state } = failed;
    const [reason, what] =
      state === "TIMEOUT"
        ? ([TinkerbellReason.actionTimedOut, "took too long"] as const)
        : ([TinkerbellReason.actionFailed, "failed"] as const);
    return { reason, message: `the action "${name}" ${what}${message === "" ? "" : `: ${message}`}` };
  }
  const timedOut = stateOf(status) === "TIMEOUT";
  return {
    reason: timedOut ? TinkerbellReason.actionTimedOut : TinkerbellReason.workflowFailed,
    message: timedOut ? "its actions took too long in all" : "see its status",
  };
};

/** Returns the progress of a workflow. Every failure comes with its fix. */
export const workflowState = (workflow: Workflow): WorkflowState => {
  const { status = {} } = workflow;
  const name = `Workflow ${keyText(keyOf(workflow))}`;
  if (status.templateRendering === "failed") {
    const why = conditionMessage(status, "TemplateRenderedSuccess", "False") ?? "";
    const message = `${name}: the Template of this name cannot be rendered: ${why}; correct what it was made from and delete the Workflow`;
    return { state: "failed", reason: TinkerbellReason.templateFailed, message };
  }
  switch (stateOf(status)) {
    case "":
      return running(
        TinkerbellReason.preparing,
        `${name} has not begun; Tinkerbell's workflow controller has to see it`,
      );
    case "PREPARING":
      return running(TinkerbellReason.preparing, "the machine is made to boot into its workflow");
    case "PENDING":
      return running(
        TinkerbellReason.waitingForAgent,
        `${name} waits for the agent ${status.agentID ?? ""}; the machine has to boot from the network`,
      );
    case "RUNNING":
      return running(TinkerbellReason.installing, present(status));
    case "POST":
      return running(TinkerbellReason.finishing, "all actions are done");
    case "SUCCESS":
      return { state: "succeeded", reason: TinkerbellReason.succeeded, message: "" };
    default: {
      const { message, reason } = failureOf(status);
      const mend = "fix that and delete the Workflow to recreate it, or delete the Machine";
      return { state: "failed", reason, message: `${name}: ${message}; ${mend}` };
    }
  }
};
