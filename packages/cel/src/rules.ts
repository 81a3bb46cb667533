export { defaultRuleCauses } from "./rules/default-rules.ts";
export { compileSchemaRules, definitionCostLimit, lazySchemaRules } from "./rules/schema-rules.ts";
export type { SchemaRules } from "./rules/schema-rules.ts";
