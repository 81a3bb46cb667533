import { isCapstanError, restorePendingAnnotation } from "@capstan/contract";
import { flowOf } from "@capstan/evaluation";
import { provisionedAnnotation } from "../api/hardware-owner.ts";
import { Template } from "../api/template.ts";
import type { WorkflowDefinition } from "../template/definition.ts";
import { renderTemplate } from "../template/render-template.ts";
import { agentIdsOf } from "../hardware/hardware-index.ts";
import { normalized } from "../hardware/machine-marks.ts";
import { firstOf, hardwareOfSameMachine, saysSecond } from "../hardware/same-machine.ts";
import { machineNamespaceLabel, restoredAnnotation, runOnProvisionedAnnotation, WorkflowState } from "./names.ts";
import { newStatus, notRendered } from "./status.ts";
import { hardwareName, hardwareOf, type Outcome, type Visit } from "./visit.ts";

/** Why a workflow must not begin although it has no state; `undefined`: it may. */
export const heldBack = (visit: Visit): string | undefined => {
  const { annotations = {} } = visit.workflow.metadata;
  if (annotations[restorePendingAnnotation] !== undefined) {
    return "a restore has not written its status yet; where it was interrupted, run capstan restore again";
  }
  if (annotations[restoredAnnotation] !== undefined) {
    return `its status has to be restored first; then take the annotation ${restoredAnnotation} away`;
  }
  // A Workflow that was moved or restored without its status would install the machine of a Cluster again.
  const provisioned = hardwareOf(visit)?.metadata.annotations?.[provisionedAnnotation] === "true";
  if (!provisioned || annotations[runOnProvisionedAnnotation] === "true") return undefined;
  return `${hardwareName(visit.workflow)} is provisioned already (annotation ${provisionedAnnotation}), and is not installed again; a Workflow that is meant to run there needs the annotation ${runOnProvisionedAnnotation}=true`;
};

/** Why the machine of a workflow must not be booted; `undefined`: it may. */
export const machineTaken = (visit: Visit): string | undefined => {
  const hardware = hardwareOf(visit);
  const first = hardware && firstOf(hardware, hardwareOfSameMachine(visit.context.cache, hardware));
  return first === undefined ? undefined : `${hardwareName(visit.workflow)}: ${saysSecond(hardware!, first)}`;
};

/** Codes of rendering errors that the Template itself causes. */
const renderingErrors: readonly string[] = ["tink.template_invalid", "evaluation.too_long", "evaluation.failed"];

/**
 * Why a Workflow that was made for a machine of another namespace may not run as it is: its Template is as users there wrote it, who have no rights
 * here but to their Hardware. Everybody else may have several machines work together.
 */
const strayTask = (visit: Visit, { tasks }: WorkflowDefinition): string | undefined => {
  const { labels = {}, namespace } = visit.workflow.metadata;
  const { [machineNamespaceLabel]: machines = namespace } = labels;
  if (machines === namespace) return undefined;
  const hardware = hardwareOf(visit);
  const own = new Set(hardware && agentIdsOf(hardware).map(normalized));
  const stray = tasks.find(({ worker }) => !own.has(normalized(worker)));
  if (stray === undefined) return undefined;
  return `the worker of the task ${JSON.stringify(stray.name)} is not the agent of ${hardwareName(visit.workflow)}; a machine of another namespace runs on its own Hardware alone: write {{.device_1}}`;
};

/** Renders the Template. Returns its definition, or the reason why there is none. */
const rendered = async (visit: Visit): Promise<WorkflowDefinition | string> => {
  const { context, workflow } = visit;
  const { hardwareMap = {}, hardwareRef = "", templateRef = "" } = workflow.spec ?? {};
  const { namespace = "" } = workflow.metadata;
  if (templateRef === "") return "spec.templateRef is not set; name a Template";
  const template = context.cache.get(Template, { namespace, name: templateRef });
  if (template === undefined) return `spec.templateRef: Template ${namespace}/${templateRef} does not exist; create it`;
  const hardware = hardwareOf(visit);
  if (hardwareRef !== "" && hardware === undefined) {
    return `spec.hardwareRef: ${hardwareName(workflow)} does not exist; create it`;
  }
  try {
    const { clock, random } = context;
    const chance = { now: clock.now(), seed: Buffer.from(random.bytes(32)).toString("hex") };
    const input = { name: templateRef, data: template.spec?.data ?? "", hardwareMap, hardware, ...chance };
    const definition = await renderTemplate(input, flowOf(namespace));
    const stray = strayTask(visit, definition);
    return stray === undefined ? definition : `Template ${namespace}/${templateRef}, spec.data: ${stray}`;
  } catch (error) {
    if (isCapstanError(error) && renderingErrors.includes(error.code)) {
      return `Template ${namespace}/${templateRef}, spec.data: ${error.message}`;
    }
    throw error;
  }
};

/** Renders the Template of a workflow. What is wrong with it is said in the status; a change of the Template or Hardware wakes it. */
export const begin = async (visit: Visit): Promise<Outcome> => {
  const { context, status, workflow } = visit;
  const { bootOptions, disabled } = workflow.spec ?? {};
  const found = await rendered(visit);
  if (typeof found === "string") return { status: notRendered(status, found, context.clock) };
  // One that must not run only says for whom it would be.
  if (disabled === true) return { status: { ...status, agentID: found.tasks[0]?.worker ?? "" } };
  const prepares = bootOptions?.toggleAllowNetboot === true || bootOptions?.bootMode !== undefined;
  return { status: newStatus(found, prepares ? WorkflowState.preparing : WorkflowState.pending, context) };
};
