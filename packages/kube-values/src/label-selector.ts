import type { LabelSelector } from "@capstan/schema";
import { compiledSelector } from "./compiled-selector.ts";
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

/** Longer selectors are compiled: how many requirements they have then says nothing of how long it takes to ask one object. */
const shortSelector = 16;

const isShort = ({ matchExpressions = [], matchLabels = {} }: LabelSelector): boolean =>
  matchExpressions.length <= shortSelector &&
  matchExpressions.every(({ values = [] }) => values.length <= shortSelector) &&
  Object.keys(matchLabels).length <= shortSelector;

type Labels = Readonly<Record<string, string>>;

/** By selector, as long as someone has it; those of the cache do not change. */
const tests = new WeakMap<LabelSelector, (labels: Labels) => boolean>();

const testOf = (selector: LabelSelector): ((labels: Labels) => boolean) => {
  const known = tests.get(selector);
  if (known !== undefined) return known;
  const test = isShort(selector)
    ? (labels: Labels): boolean => selectsOneByOne(selector, labels)
    : compiledSelector(selector);
  tests.set(selector, test);
  return test;
};

/** Returns whether a selector (meta/v1) selects labels. An absent or empty one selects everything, an unknown operator nothing. */
export const selects = (selector: LabelSelector | undefined, labels: Labels = {}): boolean =>
  selector === undefined || testOf(selector)(labels);

const selectsOneByOne = (selector: LabelSelector | undefined, labels: Labels): boolean =>
  Object.entries(selector?.matchLabels ?? {}).every(
    ([key, value]) => Object.hasOwn(labels, key) && labels[key] === value,
  ) &&
  (selector?.matchExpressions ?? []).every((expression) => {
    const requirement = requirementOf(expression);
    return requirement !== undefined && meetsRequirements([requirement], labels);
  });

/** Returns whether every operator is one that exists, with values where it needs them and none where it takes none. */
export const isReadableSelector = (selector: LabelSelector | undefined): boolean =>
  (selector?.matchExpressions ?? []).every(
    ({ operator, values = [] }) => Object.hasOwn(operators, operator) && operator.endsWith("In") === values.length > 0,
  );

/** Returns whether nothing is asked for: such a selector selects everything. */
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
