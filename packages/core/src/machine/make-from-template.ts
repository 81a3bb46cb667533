import { isCapstanError } from "@capstan/contract";
import { describeObject, ownerReference } from "@capstan/contract/wire";
import { cloneTemplate, readTemplate } from "@capstan/kit/machines";
import type { ExternalObject } from "@capstan/kit/machines";
import { groupOf, keyOf } from "@capstan/kube-values";
import { Machine } from "../api.ts";
import { parseTemplate, templateAnnotation } from "../default-templates/default-templates.ts";
import type { MachineScope } from "./scope.ts";

/**
 * Makes the object that a Machine refers to from the template that its annotation names, under the Machine's control. Without
 * an annotation nothing is made: the object is another user's to make. Throws `machines.template_missing`, `core.default_templates_invalid`.
 */
export const makeFromTemplate = async (
  scope: MachineScope,
  part: keyof typeof templateAnnotation,
): Promise<ExternalObject | undefined> => {
  const { machine, context, externals } = scope;
  const annotation = templateAnnotation[part];
  const text = machine.metadata.annotations?.[annotation];
  if (text === undefined) return undefined;
  const reference = parseTemplate(text, `${describeObject(machine)}: annotation ${annotation}`);
  const where = { object: machine, field: `the annotation ${annotation}` };
  const template = await readTemplate(scope, reference, where);
  const body = cloneTemplate({
    template: template.object,
    namespace: machine.metadata.namespace ?? "",
    name: machine.metadata.name ?? "",
    clusterName: machine.spec.clusterName,
    owner: ownerReference(Machine, machine, { controller: true, blockOwnerDeletion: true }),
  });
  const kind = await externals.kind(context, { apiGroup: groupOf(body.apiVersion), kind: body.kind });
  try {
    return { ...kind, object: await context.client.create(kind.resource, body) };
  } catch (error) {
    if (!isCapstanError(error, "kube.already_exists")) throw error;
    return { ...kind, object: await context.client.get(kind.resource, keyOf(body)) };
  }
};
