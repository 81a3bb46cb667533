export { list, map, object, objectMeta } from "./builder/containers.ts";
export type { ListOptions, MapOptions, ObjectOptions } from "./builder/containers.ts";
export {
  conditions,
  conditionType,
  labelSelector,
  legacyConditions,
  objectReference,
  secretReference,
} from "./builder/kubernetes-types.ts";
export type {
  Condition,
  LabelSelector,
  LegacyCondition,
  ObjectReference,
  SecretReference,
} from "./builder/kubernetes-types.ts";
export { defaulted, immutable, node, nullable, optional, rules } from "./builder/node.ts";
export { flagField, mapField, textField, textsField } from "./builder/plain-fields.ts";
export type { DefaultedField, Field, Fields, Node, ObjectType, OptionalField, TypeOf } from "./builder/node.ts";
export {
  boolean,
  duration,
  enumOf,
  int32,
  int64,
  integer,
  intOrString,
  number,
  preserveUnknown,
  quantity,
  string,
  text,
  time,
} from "./builder/scalars.ts";
export type { Described, NumberOptions, StringOptions } from "./builder/scalars.ts";
export { crdOf } from "./crd.ts";
export type { ConversionClientConfig, CrdOptions, CustomResourceDefinition, CustomResourceVersion } from "./crd.ts";
export { isJsonObject } from "./json-object.ts";
export type { JsonObject } from "./json-object.ts";
export { inTemplate, isKind, kind, mayHaveField, readsConfigMap, readsSecret } from "./kind.ts";
export type {
  DeclaredReference,
  Kind,
  KindFacts,
  KindObject,
  KindType,
  PrinterColumn,
  ReferenceTarget,
  ScalePaths,
} from "./kind.ts";
export { apiVersionOf, resource } from "./resource.ts";
export type { KubeObject, ObjectMeta, OwnerReference, Resource } from "./resource.ts";
export { sameJson } from "./same-json.ts";
export { canonicalJson, own } from "./structural/json.ts";
export { type MutableJson, setMember } from "./structural/mutable-json.ts";
export type { Cause, StructuralSchema, ValidationRule } from "./structural/structural-schema.ts";
