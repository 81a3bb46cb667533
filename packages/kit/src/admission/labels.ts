import { isLabelValue, isQualifiedName } from "@capstan/kube-values";
import type { Cause, LabelSelector } from "@capstan/schema";
import { invalid, required, tooLong } from "./causes.ts";

const maxAnnotationBytes = 256 * 1024;

type Strings = Readonly<Record<string, string>>;

const keyRule = "a key is a name of at most 63 letters, digits, -, _ and ., with an optional DNS prefix and /";
const valueRule = "a value has at most 63 letters, digits, -, _ and ., and starts and ends with a letter or digit";

export const labelCauses = (labels: Strings | undefined, path: string): readonly Cause[] =>
  Object.entries(labels ?? {}).flatMap(([key, value]) => [
    ...(isQualifiedName(key) ? [] : [invalid(path, key, keyRule)]),
    ...(isLabelValue(value) ? [] : [invalid(`${path}[${key}]`, value, valueRule)]),
  ]);

export const annotationCauses = (annotations: Strings | undefined, path: string): readonly Cause[] => {
  const entries = Object.entries(annotations ?? {});
  const bytes = entries.reduce((sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value), 0);
  return [
    ...entries.flatMap(([key]) => (isQualifiedName(key.toLowerCase()) ? [] : [invalid(path, key, keyRule)])),
    ...(bytes > maxAnnotationBytes ? [tooLong(path, `may not be more than ${maxAnnotationBytes} bytes`)] : []),
  ];
};

const expressionCauses = (
  { key, operator, values = [] }: NonNullable<LabelSelector["matchExpressions"]>[number],
  path: string,
): readonly Cause[] => {
  const causes: Cause[] = isQualifiedName(key) ? [] : [invalid(`${path}.key`, key, keyRule)];
  if (operator === "In" || operator === "NotIn") {
    if (values.length === 0) causes.push(required(`${path}.values`, `must be specified when operator is ${operator}`));
    for (const [index, value] of values.entries()) {
      if (!isLabelValue(value)) causes.push(invalid(`${path}.values[${index}]`, value, valueRule));
    }
  } else if (operator === "Exists" || operator === "DoesNotExist") {
    if (values.length > 0) {
      causes.push(invalid(`${path}.values`, values, `may not be specified when operator is ${operator}`));
    }
  } else {
    causes.push(invalid(`${path}.operator`, operator, "must be In, NotIn, Exists or DoesNotExist"));
  }
  return causes;
};

/** Returns whether a selector can be read. Whether it may be empty is its user's business. */
export const selectorCauses = (selector: LabelSelector | undefined, path: string): readonly Cause[] => [
  ...labelCauses(selector?.matchLabels, `${path}.matchLabels`),
  ...(selector?.matchExpressions ?? []).flatMap((expression, index) =>
    expressionCauses(expression, `${path}.matchExpressions[${index}]`),
  ),
];
