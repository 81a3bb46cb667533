export type { Limits } from "./execute/limits.ts";
export { define as defineFunction, defineRest as defineVariadicFunction } from "./functions/define.ts";
export type { Parameter, TemplateFunction, TemplateFunctions } from "./functions/define.ts";
export { TemplateError } from "./template-error.ts";
export { compileTemplate } from "./template.ts";
export type { Template, TemplateOptions } from "./template.ts";
