import { isCapstanError, type Clock, type Random } from "@capstan/contract";
import { byText } from "@capstan/kube-values";
import type { JsonObject } from "@capstan/schema";
import { validate } from "@capstan/schema/structural";
import { Hardware } from "../api/hardware.ts";
import type { Template } from "../api/template.ts";
import type { WorkflowStatus } from "../api/workflow.ts";
import { templateCauses } from "../admission/template-causes.ts";
import { hardwareCauses } from "../admission/hardware-causes.ts";
import { marksOf } from "../hardware/machine-marks.ts";
import { WorkflowState } from "../workflow/names.ts";
import { convertHardware, hardwareId, hardwareTitle } from "./convert-hardware.ts";
import { convertTemplate, convertWorkflow, devicesOf, hardwareOfDevices, legacyState } from "./convert-workflow.ts";
import { namesFor, type MigratedKind } from "./names.ts";
import type { TinkExports } from "./read-exports.ts";
import type { Workflow } from "../api/workflow.ts";

/** Migration of one record. */
export interface MigrationStep {
  readonly kind: MigratedKind;
  readonly id: string;
  /** The object that is made; unset where there is none. */
  readonly object?: Hardware | Template | Workflow;
  /** The status that a Workflow which has ended is given. */
  readonly status?: WorkflowStatus;
  /** Why there is no object. */
  readonly skipped?: string;
  /** Points for the user to check. */
  readonly notes: readonly string[];
}

export interface MigrationParts {
  readonly namespace: string;
  readonly clock: Clock;
  readonly random: Random;
}

const idOf = (record: JsonObject): string => String(record["id"] ?? "");
const isDeleted = (record: JsonObject): boolean => record["deleted_at"] !== undefined && record["deleted_at"] !== null;
const deleted = "it was deleted there";

/** Records by their ids, the last of an id, in the order of the ids. */
const once = (
  records: readonly JsonObject[],
  id: (record: JsonObject) => string,
): readonly (readonly [id: string, record: JsonObject])[] =>
  [...new Map(records.map((record) => [id(record), record]))].toSorted(([a], [b]) => byText(a, b));

const problemsOf = (causes: readonly { readonly field: string; readonly message: string }[]): readonly string[] =>
  causes.map(({ field, message }) => `${field}: ${message}`);

const planHardware = (records: TinkExports["hardware"], namespace: string): readonly MigrationStep[] => {
  const all = once(records, hardwareId);
  const names = namesFor(
    "Hardware",
    all.filter(([, record]) => !isDeleted(record)).map(([id, record]) => ({ id, name: hardwareTitle(record) })),
  );
  return all.map(([id, record]): MigrationStep => {
    const name = names.get(id);
    if (name === undefined) return { kind: "Hardware", id, skipped: deleted, notes: [] };
    const { notes, object } = convertHardware(record, { name, namespace });
    const problems = problemsOf([...validate(Hardware.schema, object), ...hardwareCauses(object)]);
    if (problems.length > 0) return { kind: "Hardware", id, skipped: problems.join("; "), notes };
    return { kind: "Hardware", id, object, notes };
  });
};

const planTemplates = (records: TinkExports["templates"], namespace: string): readonly MigrationStep[] => {
  const all = once(records, idOf);
  const names = namesFor(
    "Template",
    all.filter(([, record]) => !isDeleted(record)).map(([id, record]) => ({ id, name: String(record["name"] ?? "") })),
  );
  return all.map(([id, record]): MigrationStep => {
    const name = names.get(id);
    if (name === undefined) return { kind: "Template", id, skipped: deleted, notes: [] };
    const { notes, object } = convertTemplate(record, { name, namespace });
    const problems = problemsOf(templateCauses(object));
    if (problems.length > 0) return { kind: "Template", id, skipped: problems.join("; "), notes };
    return { kind: "Template", id, object, notes };
  });
};

/** Names of Hardware by its MAC and IP addresses and ids. */
const hardwareByMark = (steps: readonly MigrationStep[]): ReadonlyMap<string, string> =>
  new Map(
    steps.flatMap(({ id, object }) => {
      const name = object?.metadata.name;
      if (object === undefined || name === undefined) return [];
      return [[id, name] as const, ...marksOf(object as Hardware).map(({ key }) => [key, name] as const)];
    }),
  );

const nameById = (steps: readonly MigrationStep[]): ReadonlyMap<string, string> =>
  new Map(
    steps.flatMap(({ id, object }) =>
      object?.metadata.name === undefined ? [] : [[id, object.metadata.name] as const],
    ),
  );

const knownStates: readonly string[] = Object.values(WorkflowState);

/** Steps of workflows. Those that run are not converted: nobody could tell how far they are. */
const planWorkflows = (
  { states, workflows }: TinkExports,
  before: { readonly hardware: readonly MigrationStep[]; readonly templates: readonly MigrationStep[] },
  { clock, namespace, random }: MigrationParts,
): readonly MigrationStep[] => {
  const rows = new Map(states.map((row) => [String(row["workflow_id"]), row]));
  const [byMark, templates] = [hardwareByMark(before.hardware), nameById(before.templates)];
  return once(workflows, idOf).map(([id, record]): MigrationStep => {
    const step = { kind: "Workflow", id, notes: [] } as const;
    if (isDeleted(record)) return { ...step, skipped: deleted };
    const row = rows.get(id);
    const state = legacyState(record, row);
    if (state === WorkflowState.running) {
      return {
        ...step,
        skipped: "it is running; migrate again when it has ended, or create a Workflow for its machine",
      };
    }
    if (!knownStates.includes(state)) return { ...step, skipped: `its state ${state} is unknown` };
    const templateName = templates.get(String(record["template"]));
    if (templateName === undefined) {
      return { ...step, skipped: `its template ${String(record["template"])} is not among what is migrated` };
    }
    try {
      const hardwareName = hardwareOfDevices(devicesOf(record), byMark);
      const place = { name: namesFor("Workflow", [{ id, name: `workflow-${id}` }]).get(id) ?? "", namespace };
      const { status, workflow } = convertWorkflow(record, {
        place,
        templateName,
        hardwareName,
        state,
        row,
        clock,
        random,
      });
      const notes = hardwareName === undefined ? ["no Hardware has an address or id among its devices"] : [];
      return { ...step, object: workflow, ...(status !== undefined && { status }), notes };
    } catch (error) {
      if (isCapstanError(error, "tink.template_invalid") || error instanceof SyntaxError) {
        return { ...step, skipped: `it cannot be read: ${error.message}` };
      }
      throw error;
    }
  });
};

/** Returns what becomes of each record, in the order in which it has to be created. The same exports give the same objects. */
export const planMigration = (exports: TinkExports, parts: MigrationParts): readonly MigrationStep[] => {
  const hardware = planHardware(exports.hardware, parts.namespace);
  const templates = planTemplates(exports.templates, parts.namespace);
  return [...hardware, ...templates, ...planWorkflows(exports, { hardware, templates }, parts)];
};
