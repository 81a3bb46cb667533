import { type LabelRequirement, meetsRequirements, parseLabelRequirements } from "@capstan/kube-values";
import type { KubeObject } from "@capstan/schema";
import { badRequest } from "../model/status-error.ts";
import type { ResourceDefinition } from "../model/types.ts";

/** Decides whether an object is selected. */
export type Selector = (object: KubeObject) => boolean;

const readLabelSelector = (selector: string): readonly LabelRequirement[] => {
  const requirements = parseLabelRequirements(selector);
  if (requirements === undefined) throw badRequest(`unable to parse requirement: "${selector}"`);
  return requirements;
};

export interface FieldRequirement {
  readonly field: string;
  readonly equal: boolean;
  readonly value: string;
}

/** Reads `metadata.name=a,spec.size!=S` (backslash escapes `,`, `=` and itself). Throws a 400. */
export const parseFieldSelector = (selector: string): readonly FieldRequirement[] => {
  const terms = selector.match(/(?:\\.|[^,\\])+/g) ?? [];
  return terms.map((term) => {
    const match = /^([^=!\\]+)(==|!=|=)((?:\\[,=\\]|[^\\=])*)$/.exec(term);
    if (match === null) {
      throw badRequest(`invalid field selector: "${selector}"; can't understand "${term}"`);
    }
    return {
      field: (match[1] as string).trim(),
      equal: match[2] !== "!=",
      value: (match[3] as string).replaceAll(/\\(.)/g, "$1"),
    };
  });
};

const fieldReader = (
  definition: Pick<ResourceDefinition, "selectableFields" | "namespaced">,
  field: string,
): ((object: KubeObject) => string) => {
  if (field === "metadata.name") {
    return (object) => object.metadata.name ?? "";
  }
  if (field === "metadata.namespace" && definition.namespaced) {
    return (object) => object.metadata.namespace ?? "";
  }
  const reader = Object.hasOwn(definition.selectableFields, field) ? definition.selectableFields[field] : undefined;
  if (reader === undefined) {
    throw badRequest(`field label not supported: ${field}`);
  }
  return reader;
};

/** What a list or watch asks for; `undefined` selects everything. `name` is set when only one object can match. */
export interface Selection {
  readonly select: Selector | undefined;
  readonly name: string | undefined;
}

/** Turns the two selector texts into a predicate over objects in the definition's version. Throws a 400. */
export const selectionOf = (
  definition: Pick<ResourceDefinition, "selectableFields" | "namespaced">,
  query: { readonly labelSelector?: string; readonly fieldSelector?: string },
): Selection => {
  const labels = readLabelSelector(query.labelSelector ?? "");
  const fields = parseFieldSelector(query.fieldSelector ?? "").map((requirement) => ({
    ...requirement,
    read: fieldReader(definition, requirement.field),
  }));
  if (labels.length === 0 && fields.length === 0) {
    return { select: undefined, name: undefined };
  }
  return {
    select: (object) =>
      meetsRequirements(labels, object.metadata.labels) &&
      fields.every(({ read, value, equal }) => (read(object) === value) === equal),
    name: fields.find(({ field, equal }) => field === "metadata.name" && equal)?.value,
  };
};
