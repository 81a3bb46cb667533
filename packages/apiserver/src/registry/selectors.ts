import type { KubeObject } from "@capstan/schema";
import { badRequest } from "../model/status-error.ts";
import type { ResourceDefinition } from "../model/types.ts";

/** Decides whether an object is selected. */
export type Selector = (object: KubeObject) => boolean;

export type LabelRequirement =
  | { readonly key: string; readonly operator: "in" | "notin"; readonly values: readonly string[] }
  | { readonly key: string; readonly operator: "exists" | "absent" }
  | { readonly key: string; readonly operator: "gt" | "lt"; readonly value: number };

const keyPattern = /^(?:[a-z0-9](?:[-a-z0-9.]{0,251}[a-z0-9])?\/)?[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;
const valuePattern = /^(?:[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$/;
const setPattern = /^(\S+)\s+(in|notin)\s*\(([^()]*)\)$/;
const comparePattern = /^([^\s=!<>]+)\s*(==|=|!=|>|<)\s*([^\s=!<>]*)$/;

const unreadable = (selector: string): Error => badRequest(`unable to parse requirement: "${selector}"`);

/** Splits at commas that are not inside parentheses. */
const requirementTexts = (selector: string): readonly string[] => {
  const texts: string[] = [];
  let start = 0;
  let isInside = false;
  for (let index = 0; index <= selector.length; index++) {
    const character = selector[index];
    isInside = character === "(" || (isInside && character !== ")");
    if (character === undefined || (character === "," && !isInside)) {
      texts.push(selector.slice(start, index).trim());
      start = index + 1;
    }
  }
  return texts;
};

const labelRequirement = (text: string): LabelRequirement => {
  const set = setPattern.exec(text);
  if (set !== null) {
    const values = (set[3] as string).split(",").map((value) => value.trim());
    return { key: set[1] as string, operator: set[2] as "in" | "notin", values };
  }
  const comparison = comparePattern.exec(text);
  if (comparison === null) {
    return text.startsWith("!") ? { key: text.slice(1).trim(), operator: "absent" } : { key: text, operator: "exists" };
  }
  const [, key, operator, value] = comparison as unknown as [string, string, string, string];
  if (operator === ">" || operator === "<") {
    if (!/^-?\d+$/.test(value)) {
      throw unreadable(text);
    }
    return { key, operator: operator === ">" ? "gt" : "lt", value: Number(value) };
  }
  return { key, operator: operator === "!=" ? "notin" : "in", values: [value] };
};

/** Reads `a=b,c in (d,e),!f`. An empty text gives no requirement. Throws a 400. */
export const parseLabelSelector = (selector: string): readonly LabelRequirement[] => {
  if (selector.trim() === "") {
    return [];
  }
  return requirementTexts(selector).map((text) => {
    const requirement = labelRequirement(text);
    const values = "values" in requirement ? requirement.values : [];
    if (!keyPattern.test(requirement.key) || !values.every((value) => valuePattern.test(value))) {
      throw unreadable(selector);
    }
    return requirement;
  });
};

/** Whether labels meet every requirement; `!=` and `notin` are also met by labels without the key. */
export const matchesLabels = (
  requirements: readonly LabelRequirement[],
  labels: Readonly<Record<string, string>> = {},
): boolean =>
  requirements.every((requirement) => {
    const value = Object.hasOwn(labels, requirement.key) ? labels[requirement.key] : undefined;
    switch (requirement.operator) {
      case "exists":
        return value !== undefined;
      case "absent":
        return value === undefined;
      case "in":
        return value !== undefined && requirement.values.includes(value);
      case "notin":
        return value === undefined || !requirement.values.includes(value);
      default:
        return (
          value !== undefined &&
          /^-?\d+$/.test(value) &&
          (requirement.operator === "gt" ? Number(value) > requirement.value : Number(value) < requirement.value)
        );
    }
  });

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
  const labels = parseLabelSelector(query.labelSelector ?? "");
  const fields = parseFieldSelector(query.fieldSelector ?? "").map((requirement) => ({
    ...requirement,
    read: fieldReader(definition, requirement.field),
  }));
  if (labels.length === 0 && fields.length === 0) {
    return { select: undefined, name: undefined };
  }
  return {
    select: (object) =>
      matchesLabels(labels, object.metadata.labels) &&
      fields.every(({ read, value, equal }) => (read(object) === value) === equal),
    name: fields.find(({ field, equal }) => field === "metadata.name" && equal)?.value,
  };
};
