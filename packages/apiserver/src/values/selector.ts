import { selects, selectorText as textOfSelector } from "@capstan/kube-values";
import type { LabelSelector } from "@capstan/schema";
import { listOf, partOf, textOf } from "./object-parts.ts";

/** A LabelSelector (meta/v1) out of a part of an object; what is not of its shape counts as absent. */
const labelSelectorOf = (value: unknown): LabelSelector => {
  const { matchLabels, matchExpressions } = partOf(value);
  return {
    matchLabels: Object.fromEntries(Object.entries(partOf(matchLabels)).map(([key, text]) => [key, textOf(text)])),
    matchExpressions: listOf(matchExpressions).map((expression) => {
      const { key, operator, values } = partOf(expression);
      return { key: textOf(key), operator: textOf(operator), values: listOf(values).map(textOf) };
    }),
  };
};

/** A LabelSelector (meta/v1) as the text of a `labelSelector` parameter, keys sorted. */
export const selectorText = (selector: unknown): string => textOfSelector(labelSelectorOf(selector));

/** Returns whether a LabelSelector (meta/v1) selects the labels; an empty one selects everything. */
export const selectorMatches = (selector: unknown, labels: Readonly<Record<string, string>>): boolean =>
  selects(labelSelectorOf(selector), labels);
