import type { OutsideV1 } from "./outside.ts";

interface OptionBaseV1 {
  /** One line for `--help` and the documentation: what it changes. */
  readonly help: string;
  /** Default shown by `--help` when `default` is absent or depends on, for example, an environment variable. */
  readonly otherwise?: string;
}

/** A time in Go's notation such as `1h30m`; the provider receives milliseconds, under the name with `Ms` behind it. */
export interface DurationOptionV1 extends OptionBaseV1 {
  readonly type: "duration";
  /** Milliseconds, as the bounds. Default: the option is absent. */
  readonly default?: number;
  /** Default: any duration above 0. */
  readonly min?: number;
  readonly max?: number;
}

/** A whole number. */
export interface NumberOptionV1 extends OptionBaseV1 {
  readonly type: "number";
  /** Default: the option is absent. */
  readonly default?: number;
  /** Default: 0. */
  readonly min?: number;
  readonly max?: number;
}

export interface BooleanOptionV1 extends OptionBaseV1 {
  readonly type: "boolean";
  /** Default: the option is absent. */
  readonly default?: boolean;
}

interface WordsV1 extends OptionBaseV1 {
  /** The only values. Default: any text that is not empty. */
  readonly choices?: readonly string[];
  /** Says what is wrong with a value, as in `must be an address such as 10.0.0.5`; `undefined` if nothing is. */
  readonly check?: (value: string) => string | undefined;
}

export interface TextOptionV1 extends WordsV1 {
  readonly type: "text";
  /** Default: the option is absent. */
  readonly default?: string;
}

/** Texts, separated by commas; a repeated option adds to them. */
export interface ListOptionV1 extends WordsV1 {
  readonly type: "list";
  /** Commas belong to the texts, so that several need the option repeated. Default: commas separate texts. */
  readonly hasCommas?: true;
  /** Default: the option is absent. */
  readonly default?: readonly string[];
}

export type OptionV1 = BooleanOptionV1 | DurationOptionV1 | ListOptionV1 | NumberOptionV1 | TextOptionV1;

/** Options by name, in camel case and without a unit. */
export type OptionsV1 = Readonly<Record<string, OptionV1>>;

type ChoiceOf<Option> = Option extends { readonly choices: readonly (infer Choice)[] } ? Choice : string;

interface ValuesByTypeV1<Option> {
  readonly boolean: boolean;
  readonly duration: number;
  readonly list: readonly ChoiceOf<Option>[];
  readonly number: number;
  readonly text: ChoiceOf<Option>;
}

type ValueOf<Option extends OptionV1> = ValuesByTypeV1<Option>[Option["type"]];

type NameOf<Name extends string, Option extends OptionV1> = Option["type"] extends "duration" ? `${Name}Ms` : Name;

/** The options that the user has set; durations in milliseconds, under the name with the suffix `Ms`. */
export type OptionValuesV1<Options extends OptionsV1> = {
  readonly [Name in keyof Options & string as NameOf<Name, Options[Name]>]?: ValueOf<Options[Name]>;
};

/** The defaults of those options that have one. */
export type OptionDefaultsV1<Options extends OptionsV1> = {
  readonly [
    Name in keyof Options & string as Options[Name] extends { readonly default: unknown }
      ? NameOf<Name, Options[Name]>
      : never
  ]: ValueOf<Options[Name]>;
};

/** Why an option of a factory cannot be set by users, by the name of the option: every one that `Options` does not declare. */
export type CodeOnlyV1<All, Options extends OptionsV1> = Readonly<
  Record<Exclude<keyof All & string, keyof OptionValuesV1<Options>>, string>
>;

/** The options of a provider or an object store. */
export interface OptionDeclarationV1<Options extends OptionsV1 = OptionsV1> {
  /** Whose they are: the name of the provider, or `object-store-` and the type of the store. Users write `<of>.<option>`. */
  readonly of: string;
  readonly options: Options;
  /** Options that only programs can set, with the reason, for the documentation. Default: none. */
  readonly codeOnly?: Readonly<Record<string, string>>;
}

/** The name under which the provider receives an option. */
export const optionKey = (name: string, { type }: OptionV1): string => (type === "duration" ? `${name}Ms` : name);

/** The defaults that options declare. */
export const optionDefaults = <const Options extends OptionsV1>(options: Options): OptionDefaultsV1<Options> =>
  Object.fromEntries(
    Object.entries(options)
      .filter(([, option]) => option.default !== undefined)
      .map(([name, option]) => [optionKey(name, option), option.default]),
  ) as OptionDefaultsV1<Options>;

/** A factory that the command can load, with the options that it takes. */
export interface ConfigurableV1<Options extends OptionsV1, Made> {
  /** `values`: what the user has set, checked against the declaration. Default: nothing. */
  (outside: OutsideV1, values?: OptionValuesV1<Options>): Made;
  readonly declaration: OptionDeclarationV1<Options>;
}

/** Gives a factory its declared options, for `createProvider` and `createObjectStore`. */
export const withOptions = <const Options extends OptionsV1, Made>(
  declaration: OptionDeclarationV1<Options>,
  create: (outside: OutsideV1, values: OptionValuesV1<Options>) => Made,
): ConfigurableV1<Options, Made> =>
  Object.assign((outside: OutsideV1, values: OptionValuesV1<Options> = {}) => create(outside, values), { declaration });
