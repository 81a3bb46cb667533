import { type Causes, forbidden, invalid, required } from "./causes.ts";
import { labelKey, labels, labelValue } from "./names.ts";
import { listOf, partOf } from "../../values/object-parts.ts";

const valuesCauses = (field: string, operator: unknown, values: readonly unknown[]): Causes => {
  switch (operator) {
    case "In":
    case "NotIn":
      return values.length === 0
        ? [required(`${field}.values`, "must be specified when `operator` is 'In' or 'NotIn'")]
        : values.flatMap((value, index) => labelValue(`${field}.values[${index}]`, value));
    case "Exists":
    case "DoesNotExist":
      return values.length === 0
        ? []
        : [forbidden(`${field}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")];
    default:
      return [invalid(`${field}.operator`, operator, "not a valid selector operator")];
  }
};

/** Causes of a LabelSelector (meta/v1). */
export const labelSelectorCauses = (field: string, selector: unknown): Causes => {
  const { matchLabels, matchExpressions } = partOf(selector);
  return [
    ...labels(`${field}.matchLabels`, matchLabels),
    ...listOf(matchExpressions).flatMap((expression, index) => {
      const { key, operator, values } = partOf(expression);
      const at = `${field}.matchExpressions[${index}]`;
      return [...labelKey(`${at}.key`, key), ...valuesCauses(at, operator, listOf(values))];
    }),
  ];
};
