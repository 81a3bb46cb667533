import type { SimpleTest } from "./conformance-data.ts";
import { toType, toValue } from "./conformance-data.ts";

/** Why parts of the official suite do not apply to the Kubernetes dialect. */
const suites: readonly (readonly [prefix: string, reason: string])[] = [
  ["block_ext/", "cel.block is written by optimizers only"],
  ["encoders_ext/", "Kubernetes has no base64 library"],
  ["math_ext/", "Kubernetes has no math library"],
  ["enums/", "there are no enums"],
  ["proto2/", "there are no protobuf messages"],
  ["proto2_ext/", "there are no protobuf messages"],
  ["proto3/", "there are no protobuf messages"],
  ["wrappers/", "there are no protobuf wrappers"],
  ["dynamic/", "there are no protobuf Any, Value, Struct or wrapper messages"],
  ["namespace/", "expressions have no container"],
  ["type_deductions/functions/", "the test declares a function of its own"],
  ["type_deductions/type_parameters/", "the test declares functions of its own"],
];

const message =
  /TestAllTypes|NestedTestAllTypes|google\.(?:protobuf\.(?!Timestamp\b(?!\{)|Duration\b(?!\{))|rpc)|GlobalEnum|NullValue/;

const usesMessages = (test: SimpleTest): boolean =>
  message.test(test.expr) ||
  Object.values(test.bindings ?? {}).some(({ value }) => toValue(value) === undefined) ||
  (test.typeEnv ?? []).some(({ ident }) => ident !== undefined && toType(ident.type) === undefined) ||
  (test.value !== undefined && toValue(test.value) === undefined);

/** Why a test does not apply, or undefined if it does. */
export const skipReason = (path: string, test: SimpleTest): string | undefined =>
  suites.find(([prefix]) => path.startsWith(prefix))?.[1] ??
  (usesMessages(test) ? "there are no protobuf messages" : undefined);
