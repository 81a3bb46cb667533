import { isLabelValue, isQualifiedName } from "./dns-name.ts";

/** One condition on labels. `notin` is also met by labels without the key; `gt` and `lt` compare whole numbers. */
export type LabelRequirement =
  | { readonly key: string; readonly operator: "in" | "notin"; readonly values: readonly string[] }
  | { readonly key: string; readonly operator: "exists" | "absent" }
  | { readonly key: string; readonly operator: "gt" | "lt"; readonly value: number };

const setPattern = /^(\S+)\s+(in|notin)\s*\(([^()]*)\)$/;
const comparePattern = /^([^\s=!<>]+)\s*(==|=|!=|>|<)\s*([^\s=!<>]*)$/;
const wholeNumber = /^-?\d+$/;

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

const readRequirement = (text: string): LabelRequirement | undefined => {
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
    return wholeNumber.test(value)
      ? { key, operator: operator === ">" ? "gt" : "lt", value: Number(value) }
      : undefined;
  }
  return { key, operator: operator === "!=" ? "notin" : "in", values: [value] };
};

const isValid = (requirement: LabelRequirement): boolean =>
  isQualifiedName(requirement.key) && (!("values" in requirement) || requirement.values.every(isLabelValue));

/** Reads a `labelSelector` parameter such as `a=b,c in (d,e),!f`; `undefined` when it cannot be read. An empty text asks for nothing. */
export const parseLabelRequirements = (selector: string): readonly LabelRequirement[] | undefined => {
  if (selector.trim() === "") return [];
  const requirements = requirementTexts(selector).map(readRequirement);
  return requirements.every((requirement) => requirement !== undefined && isValid(requirement))
    ? (requirements as readonly LabelRequirement[])
    : undefined;
};

const isMet = (requirement: LabelRequirement, value: string | undefined): boolean => {
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
        wholeNumber.test(value) &&
        (requirement.operator === "gt" ? Number(value) > requirement.value : Number(value) < requirement.value)
      );
  }
};

/** Returns whether labels meet every requirement. */
export const meetsRequirements = (
  requirements: readonly LabelRequirement[],
  labels: Readonly<Record<string, string>> = {},
): boolean =>
  requirements.every((requirement) =>
    isMet(requirement, Object.hasOwn(labels, requirement.key) ? labels[requirement.key] : undefined),
  );
