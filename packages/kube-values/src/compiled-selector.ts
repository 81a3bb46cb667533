import type { LabelSelector } from "@capstan/schema";

/** All that a selector asks of one label. */
interface KeyRule {
  isRequired: boolean;
  isRefused: boolean;
  /** Default: any value. */
  allowed?: Set<string>;
  readonly denied: Set<string>;
}

type Rules = Map<string, KeyRule>;

const ruleOf = (rules: Rules, key: string): KeyRule => {
  const rule = rules.get(key) ?? { isRequired: false, isRefused: false, denied: new Set<string>() };
  rules.set(key, rule);
  return rule;
};

const allow = (rule: KeyRule, values: readonly string[]): void => {
  const { allowed } = rule;
  rule.isRequired = true;
  rule.allowed = new Set(allowed === undefined ? values : values.filter((value) => allowed.has(value)));
};

/** Adds what an expression asks; `false`: its operator is unknown. */
const addExpression = (
  rules: Rules,
  { key, operator, values = [] }: NonNullable<LabelSelector["matchExpressions"]>[number],
): boolean => {
  const rule = ruleOf(rules, key);
  switch (operator) {
    case "In":
      allow(rule, values);
      return true;
    case "NotIn":
      for (const value of values) rule.denied.add(value);
      return true;
    case "Exists":
      rule.isRequired = true;
      return true;
    case "DoesNotExist":
      rule.isRefused = true;
      return true;
    default:
      return false;
  }
};

/**
 * The test of a long selector. It goes by the labels of the object, of which there are few, and not by the requirements: an object that
 * lacks one of the labels that are required is known by their number.
 */
export const compiledSelector = ({
  matchExpressions = [],
  matchLabels = {},
}: LabelSelector): ((labels: Readonly<Record<string, string>>) => boolean) => {
  const rules: Rules = new Map();
  for (const key of Object.keys(matchLabels)) allow(ruleOf(rules, key), [matchLabels[key] ?? ""]);
  let isReadable = true;
  for (const expression of matchExpressions) isReadable = addExpression(rules, expression) && isReadable;
  let required = 0;
  for (const rule of rules.values()) required += Number(rule.isRequired);
  return (labels) => {
    if (!isReadable) return false;
    let found = 0;
    for (const key of Object.keys(labels)) {
      const rule = rules.get(key);
      if (rule === undefined) continue;
      const value = labels[key] ?? "";
      if (rule.isRefused || rule.denied.has(value) || rule.allowed?.has(value) === false) return false;
      found += Number(rule.isRequired);
    }
    return found === required;
  };
};
