import { optionKey, type OptionDeclarationV1, type OptionsV1, type OptionV1 } from "@capstan/contract/v1";
import { CapstanError } from "@capstan/contract";
import { formatSeconds, parseDurationMs } from "@capstan/kube-values";
import { anyOf, nearWords } from "../near-words.ts";
import { type OptionSettings, partsOf, setOptionName } from "./set-option-flag.ts";

/** Milliseconds as people write them: `15m`, `1m30s`, `500ms`. */
export const durationText = (ms: number): string =>
  ms % 1000 === 0 ? formatSeconds(ms / 1000).replace(/(?<=[hm])0[ms]/g, "") : `${ms}ms`;

/** A value, or what is wrong with its text. */
type Read = { readonly value: unknown } | { readonly wrong: string };

type Bounds<Kind extends OptionV1["type"]> = Extract<OptionV1, { readonly type: Kind }>;

const durationOf = (text: string, { min, max }: Bounds<"duration">): Read => {
  const ms = parseDurationMs(text);
  const shortest = min ?? 1;
  if (ms === undefined || ms < shortest || ms > (max ?? Infinity)) {
    const from = min === undefined ? "" : ` from ${durationText(min)}`;
    const to = max === undefined ? "" : ` up to ${durationText(max)}`;
    return { wrong: `must be a duration${from}${to} such as ${durationText(Math.max(shortest, 1000))}` };
  }
  return { value: ms };
};

const numberOf = (text: string, { min = 0, max }: Bounds<"number">): Read => {
  const number = /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= min && number <= (max ?? Infinity)) return { value: number };
  return { wrong: `must be a whole number from ${min}${max === undefined ? "" : ` to ${max}`}` };
};

const booleanOf = (text: string): Read =>
  text === "true" || text === "false" ? { value: text === "true" } : { wrong: "must be true or false" };

const wordProblem = (word: string, { check, choices }: Bounds<"list" | "text">): string | undefined => {
  if (word === "") return "must not be empty";
  if (choices === undefined || choices.includes(word)) return check?.(word);
  const near = nearWords(word, choices);
  return `must be ${anyOf(choices)}${near.length === 0 ? "" : `; did you mean ${anyOf(near)}?`}`;
};

const listOf = (texts: readonly string[], option: Bounds<"list">): Read => {
  const words = option.hasCommas === true ? texts : texts.flatMap((text) => text.split(",").map((word) => word.trim()));
  const value = words.filter((word) => word !== "" || option.hasCommas === true);
  const wrong = value.map((word) => wordProblem(word, option)).find((problem) => problem !== undefined);
  return wrong === undefined ? { value } : { wrong };
};

const read = (texts: readonly string[], option: OptionV1): Read => {
  const text = texts.at(-1) ?? "";
  if (option.type === "duration") return durationOf(text, option);
  if (option.type === "number") return numberOf(text, option);
  if (option.type === "boolean") return booleanOf(text);
  if (option.type === "list") return listOf(texts, option);
  const wrong = wordProblem(text, option);
  return wrong === undefined ? { value: text } : { wrong };
};

const never = { kind: "never" } as const;

const unknown = (of: string, name: string, options: OptionsV1): CapstanError => {
  const names = Object.keys(options);
  const near = nearWords(name, names).map((each) => `${of}.${each}`);
  const hint =
    near.length > 0
      ? `did you mean ${anyOf(near)}?`
      : names.length === 0
        ? "it has none"
        : `its options are ${names.join(", ")}`;
  return new CapstanError({
    code: "option.unknown",
    reason: "OptionUnknown",
    message: `${setOptionName} ${of}.${name}: ${of} has no option ${name}; ${hint}`,
    retry: never,
  });
};

const invalid = (of: string, name: string, texts: readonly string[], wrong: string): CapstanError =>
  new CapstanError({
    code: "option.invalid",
    reason: "OptionInvalid",
    message: `${setOptionName} ${of}.${name}=${texts.join(",")}: ${wrong}`,
    retry: never,
  });

/** Returns the declared options as the factory takes them. Throws `option.unknown`, `option.invalid`. */
export const optionValues = (
  { of, options }: OptionDeclarationV1,
  settings: OptionSettings,
): Readonly<Record<string, unknown>> => {
  const texts = new Map<string, string[]>();
  for (const { name, text } of settings.map(partsOf).filter((parts) => parts.of === of)) {
    if (!Object.hasOwn(options, name)) throw unknown(of, name, options);
    texts.set(name, [...(texts.get(name) ?? []), text]);
  }
  return Object.fromEntries(
    [...texts].map(([name, given]) => {
      const option = options[name] as OptionV1;
      const result = read(given, option);
      if ("wrong" in result) throw invalid(of, name, given, result.wrong);
      return [optionKey(name, option), result.value];
    }),
  );
};

/** Throws `option.unknown` for a setting of something that takes no part. */
export const checkOwners = (settings: OptionSettings, declarations: readonly OptionDeclarationV1[]): void => {
  const owners = declarations.map(({ of }) => of);
  const stranger = settings.map(partsOf).find(({ of }) => !owners.includes(of));
  if (stranger === undefined) return;
  const { of, name } = stranger;
  const near = nearWords(of, owners).map((each) => `${each}.${name}`);
  // The name of an option may be all that someone remembers.
  const elsewhere = declarations
    .filter(({ options }) => Object.hasOwn(options, name))
    .map((each) => `${each.of}.${name}`);
  const hints = near.length > 0 ? near : elsewhere;
  throw new CapstanError({
    code: "option.unknown",
    reason: "OptionUnknown",
    message: `${setOptionName} ${of}.${name}: no provider or object store ${of} is loaded; ${hints.length > 0 ? `did you mean ${anyOf(hints)}?` : `loaded: ${owners.join(", ")}`}`,
    retry: never,
  });
};
