import type { AdmissionContextV1, KindWebhooksV1, ProviderV1 } from "@capstan/contract/v1";
import { crdNameFor, CustomResourceDefinitionResource } from "@capstan/contract/wire";
import { admitReferences, declaredReferences, type ReferenceAdmission } from "@capstan/kit/admission";
import type { Cache, Client } from "@capstan/kube";
import {
  kindWebhooks,
  type AdmissionRequest,
  type KindWebhooks,
  type MutateOutcome,
  type Verdict,
} from "@capstan/runtime/webhook";
import type { Cause, KubeObject, Resource } from "@capstan/schema";
import { askingUser, webhooksOf } from "./admitted-references.ts";
import { contractVersion } from "./contract-version.ts";
import { forbiddenMessage, invalidMessage } from "./invalid-message.ts";
import { misshapen, schemaOf } from "./misshapen.ts";
import { replicasPath, scaleCauses, withReplicas } from "./scale-rules.ts";

/** Lookups of webhooks while they answer. */
export interface WebhookLookups {
  readonly find: AdmissionContextV1["find"];
  /** The API version of a kind that a reference without one means. */
  readonly apiVersionOf: (group: string, kind: string) => string;
  /** `undefined`: nothing is asked about references into other namespaces. */
  readonly references?: ReferenceAdmission | undefined;
}

/** Looks up in the management API; the cache has been told to hold definitions. */
export const managedLookups = (
  client: Client,
  cache: Cache,
  references: ReferenceAdmission | undefined,
): WebhookLookups => ({
  references,
  find: (kind, key) => client.find(kind, key),
  apiVersionOf: (group, kind) =>
    contractVersion({ group, kind }, cache.get(CustomResourceDefinitionResource, { name: crdNameFor(group, kind) })),
});

const contextOf = ({ oldObject }: AdmissionRequest, { find }: WebhookLookups): AdmissionContextV1 => ({
  find,
  ...(oldObject !== null && { old: oldObject }),
});

/** Only what is written has defaults and rules. */
const writtenObject = ({ operation, object, namespace }: AdmissionRequest): AdmissionRequest["object"] => {
  if (object === null || (operation !== "CREATE" && operation !== "UPDATE")) return null;
  return { ...object, metadata: { ...(namespace !== undefined && { namespace }), ...object.metadata } };
};

const defaulting = (webhooks: KindWebhooksV1, lookups: WebhookLookups): Pick<KindWebhooks, "mutate"> => ({
  mutate: async (request): Promise<MutateOutcome> => {
    const object = writtenObject(request);
    if (object === null) return { allowed: true };
    try {
      const outcome = (await webhooks.default?.(object, contextOf(request, lookups))) ?? { object };
      if ("refused" in outcome) return { allowed: false, code: 400, reason: "BadRequest", message: outcome.refused };
      return await admitted(webhooks.kind, outcome, request, lookups);
    } catch (error) {
      return verdictOf(
        request.kind,
        request.name ?? "",
        misshapen(error, schemaOf(webhooks.kind), { object, old: request.oldObject }),
      );
    }
  },
});

/** The object with the mark of its references, or a refusal. */
const admitted = async (
  kind: Resource,
  defaulted: { readonly object: KubeObject; readonly warnings?: readonly string[] },
  request: AdmissionRequest,
  { references }: WebhookLookups,
): Promise<MutateOutcome> => {
  if (references === undefined) return defaulted;
  const { object, warnings = [] } = defaulted;
  const old = request.oldObject ?? undefined;
  const outcome = await admitReferences(kind, { object, old, user: askingUser(request) }, references);
  if ("denied" in outcome) {
    return { allowed: false, message: forbiddenMessage(kind, request.name ?? "", outcome.denied) };
  }
  const all = [...warnings, ...outcome.warnings];
  return { object: outcome.object, ...(all.length > 0 && { warnings: all }) };
};

const verdictOf = (kind: AdmissionRequest["kind"], name: string, causes: readonly Cause[]): Verdict =>
  causes.length === 0
    ? { allowed: true }
    : { allowed: false, code: 422, reason: "Invalid", message: invalidMessage(kind, name, causes), causes };

const causesOf = async (
  webhooks: KindWebhooksV1,
  object: KubeObject,
  context: AdmissionContextV1,
): Promise<readonly Cause[]> => {
  try {
    return (await webhooks.validate?.(object, context)) ?? [];
  } catch (error) {
    return misshapen(error, schemaOf(webhooks.kind), { object });
  }
};

const validation = (webhooks: KindWebhooksV1, lookups: WebhookLookups): Pick<KindWebhooks, "validate"> => ({
  validate: async (request) => {
    const object = writtenObject(request);
    if (object === null) return { allowed: true };
    return verdictOf(request.kind, request.name ?? "", await causesOf(webhooks, object, contextOf(request, lookups)));
  },
});

/** A Scale says nothing of the object but its replicas, so the rest is read; one that has gone meanwhile is not scaled anyway. */
const scaleValidation = (
  webhooks: KindWebhooksV1,
  path: readonly string[],
  { find }: WebhookLookups,
): Pick<KindWebhooks, "validateScale"> => ({
  validateScale: async ({ name = "", namespace, object }) => {
    const { kind } = webhooks;
    const before = await find(kind, { ...(namespace !== undefined && { namespace }), name });
    if (before === undefined) return { allowed: true };
    const scaled = withReplicas(before, path, object?.spec?.replicas ?? 0);
    return verdictOf(kind, name, await scaleCauses(webhooks, { before, scaled, path }, { find }));
  },
});

const served = (webhooks: KindWebhooksV1, lookups: WebhookLookups): KindWebhooks => {
  const { kind, convert } = webhooks;
  const path = replicasPath(webhooks);
  return kindWebhooks({
    kind,
    ...(convert !== undefined && {
      convert: (object, apiVersion) => convert(object, apiVersion, lookups.apiVersionOf),
    }),
    ...((webhooks.default !== undefined || declaredReferences(kind).length > 0) && defaulting(webhooks, lookups)),
    ...(webhooks.validate !== undefined && validation(webhooks, lookups)),
    ...(path !== undefined && scaleValidation(webhooks, path, lookups)),
  });
};

/** Returns the webhooks that a server serves for the kinds of these providers. */
export const servedKinds = (providers: readonly ProviderV1[], lookups: WebhookLookups): readonly KindWebhooks[] =>
  providers.flatMap((provider) => webhooksOf(provider).map((each) => served(each, lookups)));

/** The same for configurations, which name kinds and ask nothing of them. */
export const configuredKinds = (providers: readonly ProviderV1[]): readonly KindWebhooks[] =>
  servedKinds(providers, { find: async () => undefined, apiVersionOf: (group) => `${group}/any` });
