import type { Budget } from "../values/budget.ts";
import type { GoMap } from "../values/kinds.ts";
import { isList, isMap, kindOf, typeOf } from "../values/kinds.ts";
import { isFloat, isInteger, toNumber } from "../values/numbers.ts";

interface ParameterTypes {
  readonly any: unknown;
  readonly bool: boolean;
  readonly float: number;
  readonly int: number;
  readonly list: readonly unknown[];
  readonly map: GoMap;
  readonly string: string;
}

/** Type of a parameter. */
export type Parameter = keyof ParameterTypes;

/** A function that templates can call. What it throws ends the template, with its message. */
export interface TemplateFunction {
  /**
   * Returns the cost of a call, in units of a character that is copied. Default: one for each character and item of the
   * arguments, and of what it gives.
   */
  readonly cost?: (values: readonly unknown[]) => number;
  readonly parameters: readonly Parameter[];
  /** Type of each further argument; `undefined` if there are none. */
  readonly rest?: Parameter;
  readonly call: (values: readonly unknown[]) => unknown;
}

/** Functions by the names that templates use. */
export type TemplateFunctions = Readonly<Record<string, TemplateFunction>>;

type Values<P extends readonly Parameter[]> = { readonly [K in keyof P]: ParameterTypes[P[K]] };

/** A function with these parameters: others are refused before it is called. */
export const define = <const P extends readonly Parameter[]>(
  parameters: P,
  call: (...values: Values<P>) => unknown,
): TemplateFunction => ({ parameters, call: (values) => call(...(values as unknown as Values<P>)) });

/** The same with any number of further arguments. */
export const defineRest = <const P extends readonly Parameter[], const R extends Parameter>(
  parameters: P,
  rest: R,
  call: (...values: [...Values<P>, ...ParameterTypes[R][]]) => unknown,
): TemplateFunction => ({
  parameters,
  rest,
  call: (values) => call(...(values as unknown as [...Values<P>, ...ParameterTypes[R][]])),
});

const names: Readonly<Record<Parameter, string>> = {
  any: "interface {}",
  bool: "bool",
  float: "float64",
  int: "int",
  list: "slice",
  map: "map[string]interface {}",
  string: "string",
};

const fits = (value: unknown, parameter: Parameter): boolean => {
  switch (parameter) {
    case "any":
      return true;
    case "int":
      return isInteger(value);
    case "float":
      return isFloat(value) || isInteger(value);
    case "list":
      return isList(value);
    case "map":
      return isMap(value);
    default:
      return kindOf(value) === parameter;
  }
};

const converted = (value: unknown, parameter: Parameter): unknown =>
  parameter === "int" || parameter === "float" ? toNumber(value) : value;

/** A function that costs more than its arguments and what it gives have characters and items. */
export const costing = (cost: (values: readonly unknown[]) => number, of: TemplateFunction): TemplateFunction => ({
  ...of,
  cost,
});

/** A function that looks at every character or item of its arguments so many times. */
export const times = (weight: number, of: TemplateFunction): TemplateFunction =>
  costing((values) => weight * values.reduce<number>((sum, value) => sum + sizeOf(value), 0), of);

/** Characters of a text, items of a list. */
export const sizeOf = (value: unknown): number => (typeof value === "string" || isList(value) ? value.length : 1);

/** Characters and items of a value, as often as it would be printed. Only for what was paid for. */
export const wholeSizeOf = (value: unknown): number => {
  if (isList(value)) return value.reduce<number>((sum, item) => sum + wholeSizeOf(item), 1);
  if (!isMap(value)) return sizeOf(value);
  return Object.keys(value).reduce((sum, key) => sum + key.length + wholeSizeOf(value[key]), 1);
};

/** Calls a function after a look at the number and the kinds of its arguments, and pays for it. */
export const callFunction = (
  name: string,
  { call, cost, parameters, rest }: TemplateFunction,
  values: readonly unknown[],
  budget: Budget,
): unknown => {
  if (values.length < parameters.length || (rest === undefined && values.length > parameters.length)) {
    const wanted = rest === undefined ? `${parameters.length}` : `at least ${parameters.length}`;
    throw new Error(`wrong number of args for ${name}: want ${wanted} got ${values.length}`);
  }
  const ready = values.map((value, index) => {
    const parameter = parameters[index] ?? rest ?? "any";
    if (!fits(value, parameter)) {
      const got = value === undefined || value === null ? "nil" : typeOf(value);
      throw new Error(`wrong type for argument ${index + 1} of ${name}: want ${names[parameter]} got ${got}`);
    }
    return converted(value, parameter);
  });
  for (const value of ready) budget.payFor(value);
  if (cost !== undefined) budget.pay(cost(ready));
  return call(ready);
};
