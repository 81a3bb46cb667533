import { isJsonObject, type JsonObject } from "@capstan/schema";
import type { Template } from "../api/template.ts";
import type { Workflow, WorkflowStatus, WorkflowTask } from "../api/workflow.ts";
import { normalized } from "../hardware/machine-marks.ts";
import { readDefinition } from "../template/read-definition.ts";
import { restoredAnnotation, WorkflowState } from "../workflow/names.ts";
import { newStatus } from "../workflow/status.ts";
import type { Clock, Random } from "@capstan/contract";
import type { Converted } from "./convert-hardware.ts";
import { legacyId } from "./names.ts";

interface Place {
  readonly name: string;
  readonly namespace: string;
}

export const convertTemplate = (record: JsonObject, place: Place): Converted<Template> => ({
  object: {
    apiVersion: "tinkerbell.org/v1alpha1",
    kind: "Template",
    metadata: { ...place, annotations: { [legacyId.Template]: String(record["id"] ?? "") } },
    spec: { data: String(record["data"] ?? "") },
  },
  notes: [],
});

/** States by the numbers of the old API, which leaves 0 out. */
const states = [
  WorkflowState.pending,
  WorkflowState.running,
  WorkflowState.failed,
  WorkflowState.timeout,
  WorkflowState.success,
] as const;

/** The state of a workflow: a number, a name with or without the prefix `STATE_`, or the number of its row in `workflow_state`. */
export const legacyState = (record: JsonObject, row: JsonObject | undefined): string => {
  const given = record["state"] ?? row?.["current_action_state"] ?? 0;
  return typeof given === "number" ? (states[given] ?? "") : String(given).replace(/^STATE_/, "");
};

/** The devices of a workflow: a JSON text, or an object in dumps. */
export const devicesOf = (record: JsonObject): Readonly<Record<string, string>> => {
  const given = record["hardware"] ?? record["devices"];
  const parsed: unknown = typeof given === "string" ? JSON.parse(given) : given;
  return Object.fromEntries(
    Object.entries(isJsonObject(parsed) ? parsed : {}).map(([name, value]) => [
      name,
      /^([\da-f]{2}[:-]){5}[\da-f]{2}$/i.test(String(value))
        ? String(value).toLowerCase().replaceAll("-", ":")
        : String(value),
    ]),
  );
};

/** The Hardware that a device names by a MAC or IP address or an id. */
export const hardwareOfDevices = (
  devices: Readonly<Record<string, string>>,
  byMark: ReadonlyMap<string, string>,
): string | undefined =>
  Object.values(devices)
    .map((device) => byMark.get(normalized(device)))
    .find((name) => name !== undefined);

/** Actions up to the one at which it ended, which has the state of the workflow unless that is SUCCESS. */
const endedTasks = (tasks: readonly WorkflowTask[], state: string, at: number | undefined): readonly WorkflowTask[] => {
  let index = -1;
  return tasks.map((task) => ({
    ...task,
    actions: task.actions.map((action) => {
      index += 1;
      if (state === WorkflowState.success || (at !== undefined && index < at)) {
        return { ...action, state: WorkflowState.success };
      }
      return at !== undefined && index === at ? { ...action, state } : action;
    }),
  }));
};

export interface WorkflowParts {
  readonly place: Place;
  readonly templateName: string;
  readonly hardwareName: string | undefined;
  readonly state: string;
  /** Its row of `workflow_state`. */
  readonly row: JsonObject | undefined;
  readonly clock: Clock;
  readonly random: Random;
}

/** A Workflow, and the status that it is given before anything may run it. */
export interface MigratedWorkflow {
  readonly workflow: Workflow;
  /** Unset for one that had not begun. */
  readonly status: WorkflowStatus | undefined;
}

/** Returns the Workflow of a record that is not running. Throws `tink.template_invalid` where its rendered data cannot be read. */
export const convertWorkflow = (record: JsonObject, parts: WorkflowParts): MigratedWorkflow => {
  const { clock, hardwareName, place, random, row, state, templateName } = parts;
  const ended = state !== WorkflowState.pending;
  const workflow: Workflow = {
    apiVersion: "tinkerbell.org/v1alpha1",
    kind: "Workflow",
    metadata: {
      ...place,
      annotations: {
        [legacyId.Workflow]: String(record["id"] ?? ""),
        ...(ended && { [restoredAnnotation]: "" }),
      },
    },
    spec: {
      templateRef: templateName,
      hardwareMap: devicesOf(record),
      ...(hardwareName !== undefined && { hardwareRef: hardwareName }),
    },
  };
  if (!ended) return { workflow, status: undefined };
  const definition = readDefinition(String(record["data"] ?? ""));
  const status = newStatus(definition, state as WorkflowState, { clock, random });
  const at = row?.["current_action_index"];
  const tasks = endedTasks(status.tasks ?? [], state, typeof at === "number" ? at : undefined);
  return { workflow, status: { ...status, tasks: [...tasks] } };
};
