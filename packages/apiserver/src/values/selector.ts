import { listOf, partOf, textOf } from "./object-parts.ts";

/** A LabelSelector (meta/v1) as the text of a `labelSelector` parameter, keys sorted. */
export const selectorText = (selector: unknown): string => {
  const { matchLabels, matchExpressions } = partOf(selector);
  const labels = Object.entries(partOf(matchLabels)).map(([key, value]) => [key, `${key}=${textOf(value)}`] as const);
  const expressions = listOf(matchExpressions).map((expression) => {
    const { key, operator, values } = partOf(expression);
    return [textOf(key), requirementText(textOf(key), textOf(operator), listOf(values).map(textOf))] as const;
  });
  return [...labels, ...expressions]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([, requirement]) => requirement)
    .join(",");
};

const requirementText = (key: string, operator: string, values: readonly string[]): string => {
  switch (operator) {
    case "In":
      return `${key} in (${values.toSorted().join(",")})`;
    case "NotIn":
      return `${key} notin (${values.toSorted().join(",")})`;
    case "DoesNotExist":
      return `!${key}`;
    default:
      return key;
  }
};

/** Whether a LabelSelector (meta/v1) selects the labels; an empty one selects everything. */
export const selectorMatches = (selector: unknown, labels: Readonly<Record<string, string>>): boolean => {
  const { matchLabels, matchExpressions } = partOf(selector);
  const has = (key: string): boolean => Object.hasOwn(labels, key);
  return (
    Object.entries(partOf(matchLabels)).every(([key, value]) => has(key) && labels[key] === value) &&
    listOf(matchExpressions).every((expression) => {
      const { key, operator, values } = partOf(expression);
      const name = textOf(key);
      const listed = has(name) && listOf(values).includes(labels[name]);
      switch (operator) {
        case "In":
          return listed;
        case "NotIn":
          return !listed;
        case "Exists":
          return has(name);
        case "DoesNotExist":
          return !has(name);
        default:
          return false;
      }
    })
  );
};
