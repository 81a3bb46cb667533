import type { LabelSelector } from "@capstan/schema";
import { type LabelRequirement, meetsRequirements } from "./label-requirements.ts";
import { byText } from "./text-order.ts";

/** One of a selector's `matchExpressions`. */
export type LabelExpression = NonNullable<LabelSelector["matchExpressions"]>[number];

const operators: Readonly<Record<string, LabelRequirement["operator"]>> = {
  In: "in",
  NotIn: "notin",
  Exists: "exists",
  DoesNotExist: "absent",
};

const requirementOf = ({ key, operator, values = [] }: LabelExpression): LabelRequirement | undefined => {
  const known = Object.hasOwn(operators, operator) ? operators[operator] : undefined;
  return known === undefined ? undefined : ({ key, operator: known, values } as LabelRequirement);
};

/** Whether a selector (meta/v1) selects labels. An absent or empty one selects everything, an unknown operator nothing. */
export const selects = (selector: LabelSelector | undefined, labels: Readonly<Record<string, string>> = {}): boolean =>
  Object.entries(selector?.matchLabels ?? {}).every(
    ([key, value]) => Object.hasOwn(labels, key) && labels[key] === value,
  ) &&
  (selector?.matchExpressions ?? []).every((expression) => {
    const requirement = requirementOf(expression);
    return requirement !== undefined && meetsRequirements([requirement], labels);
  });

/** Whether every operator is one that exists, with values where it needs them and none where it takes none. */
export const isReadableSelector = (selector: LabelSelector | undefined): boolean =>
  (selector?.matchExpressions ?? []).every(
    ({ operator, values = [] }) => Object.hasOwn(operators, operator) && operator.endsWith("In") === values.length > 0,
  );

/** Whether nothing is asked for: such a selector selects everything. */
export const isEmptySelector = (selector: LabelSelector | undefined): boolean =>
  Object.keys(selector?.matchLabels ?? {}).length === 0 && (selector?.matchExpressions ?? []).length === 0;

const expressionText = ({ key, operator, values = [] }: LabelExpression): string => {
  switch (operator) {
    case "In":
    case "NotIn":
      return `${key} ${operator.toLowerCase()} (${values.toSorted().join(",")})`;
    case "DoesNotExist":
      return `!${key}`;
    default:
      return key;
  }
};

/** A selector in the form of a `labelSelector` parameter, sorted by key, as the scale subresource wants it in status. */
export const selectorText = (selector: LabelSelector | undefined): string =>
  [
    ...Object.entries(selector?.matchLabels ?? {}).map(([key, value]) => ({ key, text: `${key}=${value}` })),
    ...(selector?.matchExpressions ?? []).map((expression) => ({
      key: expression.key,
      text: expressionText(expression),
    })),
  ]
    .sort((a, b) => byText(a.key, b.key))
    .map(({ text }) => text)
    .join(",");
