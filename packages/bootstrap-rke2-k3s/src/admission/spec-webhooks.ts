import type { ConvertV1, KindWebhooksV1 } from "@capstan/contract/v1";
import { type Cause, type KubeObject, type Resource, sameJson } from "@capstan/schema";

/** Defaults, rules and warnings of a spec, wherever in an object it is. */
export interface SpecRules<S> {
  readonly complete: (spec: S) => S;
  readonly check: (spec: S, field: string) => readonly Cause[];
  readonly warnings?: (spec: S, field: string) => readonly string[];
}

type Path = readonly string[];

const at = (object: unknown, path: Path): unknown =>
  path.reduce<unknown>((value, name) => (value as Readonly<Record<string, unknown>> | undefined)?.[name], object);

const withAt = (object: unknown, [name, ...rest]: Path, value: unknown): unknown =>
  name === undefined
    ? value
    : { ...(object as object), [name]: withAt((object as Readonly<Record<string, unknown>>)[name], rest, value) };

/**
 * Webhooks of a kind whose spec is at `path`, with the converter of the kind in `converters`, if it has one. A spec that the sender left
 * out altogether is left to the schema.
 */
export const specWebhooks = <S>(
  kind: Resource,
  path: string,
  rules: SpecRules<S>,
  converters: Readonly<Record<string, ConvertV1>>,
  more?: (object: KubeObject, old: KubeObject | undefined) => readonly Cause[],
): KindWebhooksV1 => {
  const names = path.split(".");
  const convert = converters[`${kind.plural}.${kind.group}`];
  return {
    kind,
    ...(convert !== undefined && { convert }),
    default: (object) => {
      const spec = at(object, names) as S | undefined;
      if (spec === undefined) return { object };
      const complete = rules.complete(spec);
      const warnings = rules.warnings?.(complete, path) ?? [];
      return { object: sameJson(spec, complete) ? object : (withAt(object, names, complete) as KubeObject), warnings };
    },
    validate: (object, { old }) => {
      const spec = at(object, names) as S | undefined;
      return [...(spec === undefined ? [] : rules.check(spec, path)), ...(more?.(object, old) ?? [])];
    },
  };
};
