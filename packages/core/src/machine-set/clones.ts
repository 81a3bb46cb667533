import { FieldManager, isCapstanError, Label } from "@capstan/contract";
import type { ContractReference } from "@capstan/contract/wire";
import { ownerReference } from "@capstan/contract/wire";
import { clonedType, cloneTemplate } from "@capstan/kit/external";
import type { ExternalObject } from "@capstan/kit/external";
import { groupOf, nameAsLabel } from "@capstan/kube-values";
import { sameJson } from "@capstan/schema";
import { Machine } from "../api.ts";
import { allAtOnce } from "../object/at-once.ts";
import { machineAnnotations, machineLabels } from "./machine-body.ts";
import type { MachineSetScope } from "./scope.ts";
import type { Templates } from "./templates.ts";

type Part = keyof Templates;

/** What a Machine made from a template refers to: an object of the Machine's own name. */
export const cloneReference = ({ object }: ExternalObject, name: string): ContractReference => {
  const { apiVersion, kind } = clonedType(object);
  return { apiGroup: groupOf(apiVersion), kind, name };
};

const references = ({ spec }: Machine): Readonly<Record<Part, ContractReference | undefined>> => ({
  bootstrap: spec.bootstrap.configRef,
  infrastructure: spec.infrastructureRef,
});

/** Parts that did their work are never made again, whatever became of them. */
const isDone = ({ spec, status }: Machine, part: Part): boolean =>
  part === "bootstrap"
    ? spec.bootstrap.dataSecretName !== undefined
    : status?.initialization?.infrastructureProvisioned === true;

const missingParts = async (scope: MachineSetScope, machine: Machine): Promise<readonly Part[]> => {
  const missing: Part[] = [];
  for (const [part, reference] of Object.entries(references(machine)) as [Part, ContractReference | undefined][]) {
    if (reference === undefined || isDone(machine, part)) continue;
    const found = await scope.externals.find(scope.context, reference, scope.set.metadata.namespace);
    if (found === undefined) missing.push(part);
  }
  return missing;
};

/** Machines which this set has made, but not all that they refer to: it was interrupted or refused. */
export const incompleteMachines = async (scope: MachineSetScope): Promise<readonly Machine[]> => {
  const ownLabel = nameAsLabel(scope.set.metadata.name ?? "");
  const incomplete: Machine[] = [];
  for (const machine of scope.machines) {
    const { deletionTimestamp, labels } = machine.metadata;
    if (deletionTimestamp !== undefined || labels?.[Label.setName] !== ownLabel) continue;
    if ((await missingParts(scope, machine)).length > 0) incomplete.push(machine);
  }
  return incomplete;
};

/**
 * Makes one object under the Machine's control. The set's labels and annotations are in it from the start, under the name of the field
 * manager that changes them later.
 */
const clone = async (scope: MachineSetScope, template: ExternalObject, machine: Machine): Promise<void> => {
  const { set, context, externals } = scope;
  const body = cloneTemplate({
    template: template.object,
    namespace: set.metadata.namespace ?? "",
    name: machine.metadata.name ?? "",
    clusterName: set.spec.clusterName,
    labels: machineLabels(set),
    annotations: machineAnnotations(set),
    owner: ownerReference(Machine, machine, { controller: true, blockOwnerDeletion: true }),
  });
  const { resource } = await externals.kind(context, { apiGroup: groupOf(body.apiVersion), kind: body.kind });
  try {
    await context.client.create(resource, body, { fieldManager: FieldManager.machineSetMetadata });
  } catch (error) {
    // It was made before and is not seen yet; whose it is, its Machine finds out.
    if (!isCapstanError(error, "kube.already_exists")) throw error;
  }
};

/** Makes the bootstrap config and infrastructure machine that a Machine refers to, as far as they do not exist. */
export const makeParts = async (scope: MachineSetScope, templates: Templates, machine: Machine): Promise<void> => {
  const name = machine.metadata.name ?? "";
  const missing = (await missingParts(scope, machine)).flatMap((part) => {
    const template = templates[part];
    if (template === undefined) return [];
    return sameJson(cloneReference(template, name), references(machine)[part]) ? [template] : [];
  });
  await allAtOnce(missing, (template) => clone(scope, template, machine), scope.context.log);
};
