export { Budget, callBudget, objectBudget, PatienceSpent } from "./budget.ts";
export { compile } from "./compile.ts";
export type { CompileError, CompileOptions, Compiled, EvaluateOptions, Evaluated, Program } from "./compile.ts";
export { kubernetesEnvironment } from "./environment.ts";
export type { Environment } from "./environment.ts";
export { Authorizer, authorizerType, resourceCheck, resourceCheckType } from "./functions/authorizer.ts";
export type { AuthorizationAnswer, AuthorizationQuery } from "./functions/authorizer.ts";
export { equals } from "./values/equality.ts";
export {
  bool,
  bytes,
  double,
  duration,
  dyn,
  formatType,
  int,
  list,
  map,
  nullType,
  object,
  opaque,
  optional,
  string,
  timestamp,
  typeOf,
  uint,
} from "./types/cel-type.ts";
export type { CelField, CelType, TypeKind } from "./types/cel-type.ts";
export { celTypeOf, escapeName, maxOccurrences } from "./types/schema-type.ts";
export type { SchemaNode, SchemaTypeOptions } from "./types/schema-type.ts";
export { CelList, CelMap, Opaque, Optional, TypeValue, Uint, ValueList, ValueMap } from "./values/value.ts";
export type { Value } from "./values/value.ts";
export { Duration, Timestamp } from "./values/time.ts";
