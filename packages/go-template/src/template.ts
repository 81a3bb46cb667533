import { Budget } from "./values/budget.ts";
import { execute } from "./execute/execute.ts";
import { defaultLimits, type Limits } from "./execute/limits.ts";
import { Run, type MissingKey } from "./execute/run.ts";
import { Scope } from "./execute/scope.ts";
import { builtinFunctions } from "./functions/builtin.ts";
import type { TemplateFunctions } from "./functions/define.ts";
import { parseTemplates } from "./syntax/parser.ts";

export interface TemplateOptions {
  /** By which errors call it. Default `template`. */
  readonly name?: string;
  /** Functions beside those of the language, for example `sprigFunctions`. */
  readonly functions?: TemplateFunctions;
  /** Result of a missing key of a map: `error`, or no value with `default`, as in Go's `missingkey`. */
  readonly missingKey?: MissingKey;
  /** Limits of a rendering. */
  readonly limits?: Partial<Limits>;
  /**
   * Budget for reading and rendering, shared by several templates of one object. Default: one for reading, and one for
   * each rendering.
   */
  readonly budget?: Budget;
}

export interface Template {
  /** Renders it with JSON-like data, which stay as they are. Throws a `TemplateError`. */
  readonly render: (data: unknown) => string;
}

/** Reads a template in the language of Go's text/template. Throws a `TemplateError` that says where it is wrong. */
export const compileTemplate = (source: string, options: TemplateOptions = {}): Template => {
  const { name = "template", missingKey = "default" } = options;
  const functions: TemplateFunctions = { ...builtinFunctions, ...options.functions };
  const templates = parseTemplates(
    name,
    source,
    new Set(["and", "or", ...Object.keys(functions)]),
    options.budget ?? new Budget(),
  );
  const limits = { ...defaultLimits, ...options.limits };
  return {
    render: (data) => {
      const budget = options.budget ?? new Budget();
      const run = new Run({ name, templates, functions, missingKey, limits, budget });
      run.pay({ line: 1, column: 1 }, () => budget.payForCopy(data));
      // Functions such as `set` change maps: those of the caller stay as they are.
      execute(run, Scope.of(structuredClone(data)), templates.get(name) ?? []);
      return run.text;
    },
  };
};
