export { Budget as TemplateBudget, shortUnits as shortTemplateUnits } from "./values/budget.ts";
export type { Limits } from "./execute/limits.ts";
export {
  costing as withCost,
  define as defineFunction,
  defineRest as defineVariadicFunction,
} from "./functions/define.ts";
export { wholeSizeOf } from "./functions/define.ts";
export type { Parameter, TemplateFunction, TemplateFunctions } from "./functions/define.ts";
export { TemplateError } from "./template-error.ts";
export { compileTemplate } from "./template.ts";
export type { Template, TemplateOptions } from "./template.ts";
export { fromJsonValue, toJsonValue } from "./values/json-values.ts";
