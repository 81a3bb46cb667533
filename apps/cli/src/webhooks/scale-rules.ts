import type { AdmissionContextV1, KindWebhooksV1 } from "@capstan/contract/v1";
import { type Cause, isJsonObject, isKind, type JsonObject, type KubeObject } from "@capstan/schema";

/** The path of the replicas that `/scale` writes; `undefined` for a kind that has none, or no rules to hold them to. */
export const replicasPath = (webhooks: KindWebhooksV1): readonly string[] | undefined =>
  webhooks.validate !== undefined && isKind(webhooks.kind)
    ? webhooks.kind.scale?.specReplicas.split(".").slice(1)
    : undefined;

const withValue = (object: JsonObject, [member = "", ...rest]: readonly string[], value: unknown): JsonObject => {
  const inner = object[member];
  return {
    ...object,
    [member]: rest.length === 0 ? value : withValue(isJsonObject(inner) ? inner : {}, rest, value),
  };
};

/** The object with the replicas that a Scale asks for. */
export const withReplicas = (object: KubeObject, path: readonly string[], replicas: unknown): KubeObject =>
  withValue(object, path, replicas) as KubeObject;

/**
 * Returns the violations that scaling an object would cause, by the rules of the object itself. Existing violations in
 * other fields do not block scaling.
 */
export const scaleCauses = async (
  webhooks: KindWebhooksV1,
  {
    before,
    scaled,
    path,
  }: { readonly before: KubeObject; readonly scaled: KubeObject; readonly path: readonly string[] },
  context: AdmissionContextV1,
): Promise<readonly Cause[]> => {
  const causesOf = async (object: KubeObject) => (await webhooks.validate?.(object, { ...context, old: before })) ?? [];
  const causes = await causesOf(scaled);
  if (causes.length === 0) return causes;
  const nameOf = ({ reason, field, message }: Cause) => `${reason} ${field} ${message}`;
  const known = new Set((await causesOf(before)).map(nameOf));
  return causes.filter((cause) => cause.field === path.join(".") || !known.has(nameOf(cause)));
};
