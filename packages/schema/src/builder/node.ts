import type { StructuralSchema, ValidationRule } from "../structural/structural-schema.ts";

declare const staticType: unique symbol;

/** A schema node: the OpenAPI fragment itself, with the type of its values as a phantom (never present at run time). */
export interface Node<T = unknown> extends StructuralSchema {
  readonly [staticType]?: T;
}

/** A field that may be absent. Only fields of `object()`, and `spec` and `status` of `kind()`, can be optional. */
export interface OptionalField<T = unknown> {
  readonly optional: Node<T>;
}

/** A field that may be left out when writing, and is there in every stored object because the schema has a default. */
export interface DefaultedField<T = unknown> {
  readonly defaulted: Node<T>;
}

export type Field<T = unknown> = Node<T> | OptionalField<T> | DefaultedField<T>;

/** The type of the values of a node or field. */
export type TypeOf<F> =
  F extends OptionalField<infer T> ? T : F extends DefaultedField<infer T> ? T : F extends Node<infer T> ? T : never;

/** Written out as one flat object type, so that editors and declaration files show fields instead of helper types. */
export type Flat<T> = { readonly [K in keyof T]: T[K] } & {};

export type Fields = Readonly<Record<string, Field>>;

type OptionalKeys<F extends Fields> = { [K in keyof F]: F[K] extends OptionalField ? K : never }[keyof F];

/** The object type of a record of fields. */
export type ObjectType<F extends Fields> = Flat<
  { [K in Exclude<keyof F, OptionalKeys<F>>]: TypeOf<F[K]> } & { [K in OptionalKeys<F>]?: TypeOf<F[K]> }
>;

export const isOptional = <T>(field: Field<T>): field is OptionalField<T> => "optional" in field;
export const isDefaulted = <T>(field: Field<T>): field is DefaultedField<T> => "defaulted" in field;

/** The node of a field, without its modifier. */
export const nodeOf = <T>(field: Field<T>): Node<T> => {
  if (isOptional(field)) return field.optional;
  return isDefaulted(field) ? field.defaulted : field;
};

/** Gives a fragment its static type. The fragment is trusted: use the functions of the builder where there is one. */
export const node = <T>(schema: StructuralSchema): Node<T> => schema;

export const optional = <T>(of: Node<T>): OptionalField<T> => ({ optional: of });

/** `value` is what the API server fills in when the field is absent. */
export const defaulted = <T>(of: Node<T>, value: NoInfer<T>): DefaultedField<T> => ({
  defaulted: { ...of, default: value },
});

export const nullable = <T>(of: Node<T>): Node<T | null> => node({ ...of, nullable: true });

/** Adds CEL rules to a node; rules given earlier stay first. */
export const rules = <T>(of: Node<T>, ...added: readonly ValidationRule[]): Node<T> => ({
  ...of,
  "x-kubernetes-validations": [...(of["x-kubernetes-validations"] ?? []), ...added],
});

/** The value cannot change once it is set. Unsetting and setting again is not prevented. */
export const immutable = <T>(of: Node<T>): Node<T> =>
  rules(of, { rule: "self == oldSelf", message: "Value is immutable" });
