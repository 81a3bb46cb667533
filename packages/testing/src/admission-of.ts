import type { AdmissionContextV1, KindWebhooksV1 } from "@capstan/contract/v1";
import { apiVersionOf, type Kind, type KubeObject } from "@capstan/schema";

type Names = Pick<Kind, "group" | "kind" | "version">;

const context: AdmissionContextV1 = { find: () => Promise.resolve(undefined) };

const objectOf = ({ group, kind, version }: Names, spec: unknown): KubeObject => ({
  apiVersion: apiVersionOf({ group, version }),
  kind,
  metadata: { namespace: "default", name: "one" },
  spec,
});

/** A provider's webhooks without a server, for tests of its defaults and rules. They find no other object. */
export const admissionOf = (webhooks: readonly KindWebhooksV1[]) => {
  const of = (kind: Names): KindWebhooksV1 => {
    const found = webhooks.find((each) => each.kind.kind === kind.kind && each.kind.group === kind.group);
    if (found === undefined) throw new Error(`no webhooks for ${kind.kind}`);
    return found;
  };
  return {
    /** The spec with its defaults, and the warnings. Throws the reason of a refusal. */
    defaulted: async (kind: Names, spec: unknown) => {
      const object = objectOf(kind, spec);
      const result = (await of(kind).default?.(object, context)) ?? { object };
      if ("refused" in result) throw new Error(result.refused);
      return { spec: result.object["spec"], warnings: result.warnings ?? [] };
    },
    /** The causes that refuse the spec, after an old one for an update, each as `field: message`. */
    causes: async (kind: Names, spec: unknown, old?: unknown): Promise<readonly string[]> => {
      const update = old === undefined ? context : { ...context, old: objectOf(kind, old) };
      const found = (await of(kind).validate?.(objectOf(kind, spec), update)) ?? [];
      return found.map(({ field, message }) => `${field}: ${message}`);
    },
    /** Converts an object of another version to the version of `kind`, without its type and metadata. */
    converted: (kind: Names, from: string, body: Readonly<Record<string, unknown>>) => {
      const sent = { ...objectOf({ ...kind, version: from }, undefined), ...body };
      const object = of(kind).convert?.(sent, apiVersionOf(kind), (group) => `${group}/v1`) ?? sent;
      const { apiVersion: _, kind: _kind, metadata: _metadata, ...rest } = object;
      return rest;
    },
  };
};
