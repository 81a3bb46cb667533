import { byText } from "./names.ts";

/** A label selector as the Kubernetes API writes it. */
export interface LabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly {
    readonly key: string;
    readonly operator: string;
    readonly values?: readonly string[];
  }[];
}

type Labels = Readonly<Record<string, string>>;

const expressionMatches = (
  { key, operator, values = [] }: NonNullable<LabelSelector["matchExpressions"]>[number],
  labels: Labels,
): boolean => {
  const value = labels[key];
  switch (operator) {
    case "In":
      return value !== undefined && values.includes(value);
    case "NotIn":
      return value === undefined || !values.includes(value);
    case "Exists":
      return value !== undefined;
    case "DoesNotExist":
      return value === undefined;
    default:
      return false;
  }
};

/** An absent or empty selector matches everything; an unknown operator matches nothing. */
export const selects = (selector: LabelSelector | undefined, labels: Labels = {}): boolean =>
  Object.entries(selector?.matchLabels ?? {}).every(([key, value]) => labels[key] === value) &&
  (selector?.matchExpressions ?? []).every((expression) => expressionMatches(expression, labels));

const operators: readonly string[] = ["In", "NotIn", "Exists", "DoesNotExist"];

/** Every operator is one that exists, with values where it needs them and none where it takes none. */
export const isReadableSelector = (selector: LabelSelector | undefined): boolean =>
  (selector?.matchExpressions ?? []).every(
    ({ operator, values = [] }) => operators.includes(operator) && operator.endsWith("In") === values.length > 0,
  );

/** Nothing is asked for: such a selector selects everything. */
export const isEmptySelector = (selector: LabelSelector | undefined): boolean =>
  Object.keys(selector?.matchLabels ?? {}).length === 0 && (selector?.matchExpressions ?? []).length === 0;

const expressionText = ({
  key,
  operator,
  values = [],
}: NonNullable<LabelSelector["matchExpressions"]>[number]): string => {
  switch (operator) {
    case "Exists":
      return key;
    case "DoesNotExist":
      return `!${key}`;
    default:
      return `${key} ${operator === "In" ? "in" : "notin"} (${[...values].sort().join(",")})`;
  }
};

/** The selector in the form of a `labelSelector` query, sorted by key, as the scale subresource wants it in status. */
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
