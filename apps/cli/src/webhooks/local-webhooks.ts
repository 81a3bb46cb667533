import {
  standardExtensions,
  StatusError,
  type AdmissionRequest,
  type ExtensionFactory,
  type LocalConverter,
  type ResourceStore,
} from "@capstan/apiserver";
import { Annotation } from "@capstan/contract";
import type { AdmissionContextV1, ConvertV1, KindWebhooksV1, ProviderV1 } from "@capstan/contract/v1";
import { CustomResourceDefinitionResource } from "@capstan/contract/wire";
import { apiVersionOf, type Cause, type KubeObject } from "@capstan/schema";
import { contractVersion } from "./contract-version.ts";
import { invalidMessage } from "./invalid-message.ts";
import { replicasPath, scaleCauses } from "./scale-rules.ts";

const definitionName = ({ plural, group }: { readonly plural: string; readonly group: string }): string =>
  `${plural}.${group}`;

const localConverter =
  (convert: ConvertV1): LocalConverter =>
  async (objects, apiVersion, definitions) =>
    objects.map((object) =>
      convert(object, apiVersion, (group, kind) =>
        contractVersion(
          { group, kind },
          definitions().find(({ spec }) => spec.group === group && spec.names.kind === kind),
        ),
      ),
    );

/** Versions of references are neither stored nor looked at by admission, so any will do for what only that sees. */
const anyVersion = (group: string): string => `${group}/any`;

/** Those of what the sender reads: as the definitions have them; of a kind that has none yet, any. */
const versionsIn =
  (store: ResourceStore) =>
  (group: string, kind: string): string => {
    const isMeant = (definition: KubeObject): boolean => {
      const { spec } = definition as KubeObject & { readonly spec: { group: string; names: { kind: string } } };
      return spec.group === group && spec.names.kind === kind;
    };
    const found = store.peekAll(CustomResourceDefinitionResource).find(isMeant);
    return found === undefined ? anyVersion(group) : contractVersion({ group, kind }, found);
  };

/** The object in the version that its webhooks are written for, as it will be stored. */
const current = ({ kind, convert }: KindWebhooksV1, object: KubeObject): KubeObject =>
  convert?.(object, apiVersionOf(kind), anyVersion) ?? object;

const contextOf = (
  webhooks: KindWebhooksV1,
  { oldObject }: AdmissionRequest,
  store: ResourceStore,
): AdmissionContextV1 => ({
  find: async (kind, key) => store.peek(kind, key) as never,
  ...(oldObject !== undefined && { old: current(webhooks, oldObject) }),
});

/** Back in the version it was sent in, without zero values that its conversion takes for absent; what that cannot hold is kept in an annotation only where the sender had one. */
const asSent = (
  { convert }: KindWebhooksV1,
  complete: KubeObject,
  sent: KubeObject,
  store: ResourceStore,
): KubeObject => {
  if (convert === undefined || sent.apiVersion === complete.apiVersion) return complete;
  const older = convert(complete, sent.apiVersion, versionsIn(store));
  if (sent.metadata.annotations?.[Annotation.conversionData] !== undefined) return older;
  const { [Annotation.conversionData]: _, ...annotations } = older.metadata.annotations ?? {};
  return { ...older, metadata: { ...older.metadata, annotations } };
};

const defaulted = async (
  webhooks: KindWebhooksV1,
  sent: KubeObject,
  request: AdmissionRequest,
  store: ResourceStore,
): Promise<KubeObject> => {
  const before = current(webhooks, sent);
  const outcome = await webhooks.default?.(before, contextOf(webhooks, request, store));
  if (outcome === undefined) return sent;
  if ("refused" in outcome) throw new StatusError(400, "BadRequest", outcome.refused);
  for (const warning of outcome.warnings ?? []) request.warn(warning);
  return asSent(webhooks, outcome.object, sent, store);
};

const causesOf = async (
  webhooks: KindWebhooksV1,
  object: KubeObject,
  request: AdmissionRequest,
  store: ResourceStore,
): Promise<readonly Cause[]> => {
  const context = contextOf(webhooks, request, store);
  const path = replicasPath(webhooks);
  if (request.subresource === "") return (await webhooks.validate?.(object, context)) ?? [];
  if (path === undefined || context.old === undefined) return [];
  return await scaleCauses(webhooks, { before: context.old, scaled: object, path }, context);
};

const validated = async (
  webhooks: KindWebhooksV1,
  object: KubeObject,
  request: AdmissionRequest,
  store: ResourceStore,
): Promise<void> => {
  const causes = await causesOf(webhooks, current(webhooks, object), request, store);
  if (causes.length === 0) return;
  const { name, definition } = request;
  const { group, kind } = definition;
  const details = { ...(name === "" ? {} : { name }), group, kind, causes };
  throw new StatusError(422, "Invalid", invalidMessage(definition, name, causes), { details });
};

/** The defaults and rules of the providers' kinds, inside the embedded server's own admission chain. */
const admission =
  (byName: ReadonlyMap<string, KindWebhooksV1>): ExtensionFactory =>
  ({ store }) => {
    /** The webhooks of an object that is written, by itself or through these subresources, and that object. */
    const asked = (
      { operation, subresource, definition, object, namespace }: AdmissionRequest,
      subresources: readonly string[],
    ) => {
      const webhooks = byName.get(definitionName(definition));
      const isMeant = subresource === "" || subresources.includes(subresource);
      const isWritten = isMeant && (operation === "CREATE" || operation === "UPDATE");
      if (webhooks === undefined || object === undefined || !isWritten) return undefined;
      return { webhooks, object: { ...object, metadata: { namespace, ...object.metadata } } };
    };
    return {
      name: "provider-admission",
      admission: [
        {
          name: "provider-admission",
          admit: async (request) => {
            const { webhooks, object } = asked(request, []) ?? {};
            if (webhooks === undefined || object === undefined) return undefined;
            const complete = await defaulted(webhooks, object, request, store);
            return complete === object ? undefined : complete;
          },
          validate: async (request) => {
            const { webhooks, object } = asked(request, ["scale"]) ?? {};
            if (webhooks !== undefined && object !== undefined) await validated(webhooks, object, request, store);
          },
        },
      ],
    };
  };

/** Conversions of the kinds of these providers in the server's own process, by the names of definitions. */
export const localConverters = (providers: readonly ProviderV1[]): Readonly<Record<string, LocalConverter>> =>
  Object.fromEntries(
    providers.flatMap(({ webhooks = [] }) =>
      webhooks.flatMap(({ kind, convert }) =>
        convert === undefined ? [] : [[definitionName(kind), localConverter(convert)] as const],
      ),
    ),
  );

/** What makes an embedded server convert, complete and check the kinds of these providers in its own process. */
export const providerExtensions = (providers: readonly ProviderV1[]): readonly ExtensionFactory[] => {
  const byName = new Map(
    providers.flatMap(({ webhooks = [] }) => webhooks.map((each) => [definitionName(each.kind), each] as const)),
  );
  return [...standardExtensions(undefined, { converters: localConverters(providers) }), admission(byName)];
};
