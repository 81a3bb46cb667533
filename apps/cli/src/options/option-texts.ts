import type { OptionDeclarationV1, OptionV1 } from "@capstan/contract/v1";
import { durationText } from "./option-value.ts";

/** An option as people write and read it. */
export interface OptionText {
  /** `bootstrap-kubeadm.tokenTtl`. */
  readonly name: string;
  readonly type: OptionV1["type"];
  readonly help: string;
  /** As `--set-option` takes it; what holds without one in the words of its provider. */
  readonly default?: string;
  /** The only values. */
  readonly choices?: readonly string[];
  /** The least and the largest value. */
  readonly bounds?: string;
}

const valueText = (value: NonNullable<OptionV1["default"]>, type: OptionV1["type"]): string =>
  type === "duration" ? durationText(Number(value)) : Array.isArray(value) ? value.join(",") : String(value);

const defaultText = (option: OptionV1): string | undefined =>
  option.default === undefined ? option.otherwise : valueText(option.default, option.type);

const bound = (value: number | undefined, type: OptionV1["type"]): string | undefined =>
  value === undefined ? undefined : valueText(value, type);

const boundsText = (min: string | undefined, max: string | undefined): string | undefined => {
  if (min !== undefined) return max === undefined ? `from ${min}` : `${min} to ${max}`;
  return max === undefined ? undefined : `up to ${max}`;
};

const boundsOf = (option: OptionV1): string | undefined =>
  option.type === "duration" || option.type === "number"
    ? boundsText(bound(option.min, option.type), bound(option.max, option.type))
    : undefined;

const choicesOf = (option: OptionV1): readonly string[] | undefined =>
  option.type === "text" || option.type === "list" ? option.choices : undefined;

/** The options of a declaration, in the order in which it has them. */
export const optionTexts = ({ of, options }: OptionDeclarationV1): readonly OptionText[] =>
  Object.entries(options).map(([name, option]) => {
    const standard = defaultText(option);
    const choices = choicesOf(option);
    const bounds = boundsOf(option);
    return {
      name: `${of}.${name}`,
      type: option.type,
      help: option.help,
      ...(standard !== undefined && { default: standard }),
      ...(choices !== undefined && { choices }),
      ...(bounds !== undefined && { bounds }),
    };
  });

/** One line with what an option does, its values and its default. */
export const optionMeaning = ({ bounds, choices, default: standard, help }: OptionText): string => {
  const remarks = [choices?.join(", "), bounds, standard && `default: ${standard}`].filter(Boolean);
  return remarks.length === 0 ? help : `${help} (${remarks.join("; ")})`;
};

const columns = 80;

/** Words on as many lines as they need, indented after the first. */
const wrapped = (words: readonly string[]): string => {
  const [, ...lines] = words.reduce<readonly string[]>(
    (all, word) => {
      const last = all.at(-1) ?? "";
      return `${last} ${word}`.length > columns ? [...all, `    ${word}`] : [...all.slice(0, -1), `${last} ${word}`];
    },
    ["", " "],
  );
  return lines.join("\n");
};

/** Returns the names of all options for the help of a command, grouped by their owner. */
export const optionNames = (declarations: readonly OptionDeclarationV1[]): string =>
  [
    "Options for --set-option; capstan help options explains them:",
    ...declarations
      .filter(({ options }) => Object.keys(options).length > 0)
      .map(({ of, options }) => wrapped(`${of}: ${Object.keys(options).join(", ")}`.split(" "))),
  ].join("\n");
