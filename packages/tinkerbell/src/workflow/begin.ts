import { isCapstanError } from "@capstan/contract";
import { provisionedAnnotation } from "../api/hardware-owner.ts";
import { Template } from "../api/template.ts";
import type { WorkflowDefinition } from "../template/definition.ts";
import { renderTemplate } from "../template/render-template.ts";
import { firstOf, hardwareOfSameMachine, saysSecond } from "../hardware/same-machine.ts";
import { machineNameLabel, restoredAnnotation, WorkflowState } from "./names.ts";
import { newStatus, notRendered } from "./status.ts";
import { hardwareName, hardwareOf, type Outcome, type Visit } from "./visit.ts";

/** Why a workflow must not begin although it has no state; `undefined`: it may. */
export const heldBack = (visit: Visit): string | undefined => {
  const { annotations = {}, labels = {} } = visit.workflow.metadata;
  if (annotations[restoredAnnotation] !== undefined) {
    return `its status has to be restored first; then take the annotation ${restoredAnnotation} away`;
  }
  // The machine of a Cluster that moved without the status of its workflow would be installed again.
  const provisioned = hardwareOf(visit)?.metadata.annotations?.[provisionedAnnotation] === "true";
  if (labels[machineNameLabel] === undefined || !provisioned) return undefined;
  return `${hardwareName(visit.workflow)} is provisioned already (annotation ${provisionedAnnotation}); it is not installed again`;
};

/** Why the machine of a workflow must not be booted; `undefined`: it may. */
export const machineTaken = (visit: Visit): string | undefined => {
  const hardware = hardwareOf(visit);
  const first = hardware && firstOf(hardware, hardwareOfSameMachine(visit.context.cache, hardware));
  return first === undefined ? undefined : `${hardwareName(visit.workflow)}: ${saysSecond(hardware!, first)}`;
};

/** What the Template gives, or why it gives nothing. */
const rendered = (visit: Visit): WorkflowDefinition | string => {
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
    return renderTemplate({ name: templateRef, data: template.spec?.data ?? "", hardwareMap, hardware });
  } catch (error) {
    if (isCapstanError(error) && error.code === "tink.template_invalid") {
      return `Template ${namespace}/${templateRef}, spec.data: ${error.message}`;
    }
    throw error;
  }
};

/** Renders the Template of a workflow. What is wrong with it is said in the status; a change of the Template or Hardware wakes it. */
export const begin = (visit: Visit): Outcome => {
  const { context, status, workflow } = visit;
  const { bootOptions, disabled } = workflow.spec ?? {};
  const found = rendered(visit);
  if (typeof found === "string") return { status: notRendered(status, found, context.clock) };
  // One that must not run only says for whom it would be.
  if (disabled === true) return { status: { ...status, agentID: found.tasks[0]?.worker ?? "" } };
  const prepares = bootOptions?.toggleAllowNetboot === true || bootOptions?.bootMode !== undefined;
  return { status: newStatus(found, prepares ? WorkflowState.preparing : WorkflowState.pending, context) };
};
