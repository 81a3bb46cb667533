import { Annotation } from "@capstan/contract";
import type { ConvertV1, KindWebhooksV1 } from "@capstan/contract/v1";
import type { Kind, KubeObject, ObjectMeta, Resource, StructuralSchema } from "@capstan/schema";
import { apiVersionOf, isJsonObject } from "@capstan/schema";
import { prune, validate } from "@capstan/schema/structural";
import { restored } from "./restore.ts";
import type { ConversionContext, Shape } from "./shape.ts";
import { tidy } from "./tidy.ts";

/** Two versions of a kind. `newer` is stored and can hold all that `older` means; it is the same for all older versions of a kind. */
export interface VersionPair {
  readonly older: Pick<Kind, "group" | "version">;
  readonly newer: Pick<Kind, "group" | "version" | "kind" | "plural" | "schema">;
  /** Converts whole objects; apiVersion, kind and metadata are none of its business. */
  readonly shape: Shape;
}

const withAnnotation = (metadata: ObjectMeta, value: string | undefined): ObjectMeta => {
  const { annotations, ...rest } = metadata;
  const { [Annotation.conversionData]: _, ...others } = annotations ?? {};
  const next = value === undefined ? others : { ...others, [Annotation.conversionData]: value };
  return Object.keys(next).length === 0 ? rest : { ...rest, annotations: next };
};

/** The parts of an object other than its identity. */
const bodyOf = ({
  apiVersion: _version,
  kind: _kind,
  metadata: _metadata,
  ...body
}: KubeObject): Readonly<Record<string, unknown>> => body;

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** The newer body an annotation holds. Users can write it: what the schema does not accept is as if it were not there. */
const savedBody = (
  text: string | undefined,
  schema: StructuralSchema,
): Readonly<Record<string, unknown>> | undefined => {
  const value = text === undefined ? undefined : parsed(text);
  if (!isJsonObject(value)) return undefined;
  const whole = { ...value, apiVersion: "", kind: "", metadata: {} };
  const known = prune(schema, whole, { resource: true }).value as KubeObject;
  return validate(schema, known).length === 0 ? bodyOf(known) : undefined;
};

const convertUp = ({ newer, shape }: VersionPair, object: KubeObject, context: ConversionContext): KubeObject => {
  const up = (body: unknown): unknown => tidy(newer.schema, shape.up(body, context));
  const live = up(bodyOf(object));
  const saved = savedBody(object.metadata.annotations?.[Annotation.conversionData], newer.schema);
  // The versions of references do not matter here: they are dropped on the way back.
  const lookup = { ...context, apiVersionOf: (group: string) => `${group}/any` };
  const body = saved === undefined ? live : restored(up(shape.down(saved, lookup)), live, saved);
  const metadata = withAnnotation(object.metadata, undefined);
  return { apiVersion: apiVersionOf(newer), kind: object.kind, metadata, ...(body as object) };
};

const convertDown = ({ older, shape }: VersionPair, object: KubeObject, context: ConversionContext): KubeObject => {
  const body = bodyOf(object);
  const metadata = withAnnotation(object.metadata, JSON.stringify(body));
  return { apiVersion: apiVersionOf(older), kind: object.kind, metadata, ...(shape.down(body, context) as object) };
};

/**
 * Converts between the newest version of a kind and its older ones. What an older version cannot hold is kept in an annotation of the
 * older object, and put back from it where the older object was not changed since. `pairs`: one for each older version, of one kind.
 */
export const converterOf =
  (...pairs: readonly [VersionPair, ...VersionPair[]]): ConvertV1 =>
  (object, apiVersion, lookup) => {
    if (object.apiVersion === apiVersion) return object;
    const context = { namespace: object.metadata.namespace, apiVersionOf: lookup };
    const pairOf = (version: string): VersionPair | undefined =>
      pairs.find(({ older }) => apiVersionOf(older) === version);
    const from = pairOf(object.apiVersion);
    const to = pairOf(apiVersion);
    const newest = from === undefined ? object : convertUp(from, object, context);
    return to === undefined ? newest : convertDown(to, newest, context);
  };

/** Converters of kinds, by the names of their definitions. */
export const converterTable = (pairs: readonly VersionPair[]): Readonly<Record<string, ConvertV1>> =>
  Object.fromEntries(
    Array.from(
      Map.groupBy(pairs, ({ newer }) => `${newer.plural}.${newer.group}`),
      ([name, same]) => [name, converterOf(...(same as [VersionPair, ...VersionPair[]]))],
    ),
  );

/** The webhooks of those kinds that a table converts: for a provider's `webhooks`. */
export const conversionWebhooks = (
  kinds: readonly Resource[],
  converters: Readonly<Record<string, ConvertV1>>,
): readonly KindWebhooksV1[] =>
  kinds.flatMap((kind) => {
    const convert = converters[`${kind.plural}.${kind.group}`];
    return convert === undefined ? [] : [{ kind, convert }];
  });
