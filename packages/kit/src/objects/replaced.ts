import type { ObjectMeta } from "@capstan/schema";

/** Fields to replace; `undefined` takes a field away. */
type Change<T> = { readonly [K in keyof T]?: T[K] | undefined };

/** The object with some fields replaced; the same object when there is nothing to change. */
export const replaced = <T extends object>(object: T, change: Change<T>): T => {
  const entries = Object.entries(change).filter(([key, value]) => object[key as keyof T] !== value);
  if (entries.length === 0) return object;
  const result = { ...object } as Record<string, unknown>;
  for (const [key, value] of entries) {
    if (value === undefined) delete result[key];
    else result[key] = value;
  }
  return result as T;
};

export const withMetadata = <T extends { readonly metadata: ObjectMeta }>(object: T, change: Change<ObjectMeta>): T =>
  replaced(object, { metadata: replaced(object.metadata, change) } as Change<T>);

export const withSpec = <T extends { readonly spec: object }>(object: T, change: Change<T["spec"]>): T =>
  replaced(object, { spec: replaced(object.spec, change) } as Change<T>);

export const withStatus = <T extends { readonly status?: object }>(
  object: T,
  change: Change<NonNullable<T["status"]>>,
): T => replaced(object, { status: replaced(object.status ?? {}, change) } as Change<T>);
