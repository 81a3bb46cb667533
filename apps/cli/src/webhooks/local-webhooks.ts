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
import { admitReferences, type ReferenceAdmission } from "@capstan/kit/admission";
import { apiVersionOf, type Cause, type KubeObject, type Resource } from "@capstan/schema";
import type { ReferenceRule } from "../cluster/reference-flags.ts";
import { localReferences, webhooksOf } from "./admitted-references.ts";
import { contractVersion } from "./contract-version.ts";
import { forbiddenMessage, invalidMessage } from "./invalid-message.ts";
import { misshapen, schemaOf } from "./misshapen.ts";
import { replicasPath, scaleCauses } from "./scale-rules.ts";

/** Context of admission in the server's own process. */
interface LocalPlace {
  readonly store: ResourceStore;
  /** `undefined`: nothing is asked about references into other namespaces. */
  readonly references: ReferenceAdmission | undefined;
}

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
  { references, store }: LocalPlace,
): Promise<KubeObject> => {
  const before = current(webhooks, sent);
  const context = contextOf(webhooks, request, store);
  const outcome = (await webhooks.default?.(before, context)) ?? { object: before };
  if ("refused" in outcome) throw new StatusError(400, "BadRequest", outcome.refused);
  const object = await admitted(webhooks.kind, { ...outcome, old: context.old }, request, references);
  for (const warning of outcome.warnings ?? []) request.warn(warning);
  const isComplete = object === before && webhooks.default === undefined;
  return isComplete ? sent : asSent(webhooks, object, sent, store);
};

/** The object with the mark of its references into other namespaces. Throws a 403 where its sender may not write them. */
const admitted = async (
  kind: Resource,
  { object, old }: { readonly object: KubeObject; readonly old: KubeObject | undefined },
  request: AdmissionRequest,
  references: ReferenceAdmission | undefined,
): Promise<KubeObject> => {
  if (references === undefined) return object;
  const { definition, name } = request;
  const { name: username, ...others } = request.user;
  const outcome = await admitReferences(kind, { object, old, user: { username, ...others } }, references);
  if ("denied" in outcome) {
    const { group, plural } = definition;
    const details = { ...(name === "" ? {} : { name }), group, kind: plural };
    throw new StatusError(403, "Forbidden", forbiddenMessage(definition, name, outcome.denied), { details });
  }
  for (const warning of outcome.warnings) request.warn(warning);
  return outcome.object;
};

const causesOf = async (
  webhooks: KindWebhooksV1,
  object: KubeObject,
  request: AdmissionRequest,
  store: ResourceStore,
): Promise<readonly Cause[]> => {
  const context = contextOf(webhooks, request, store);
  const path = replicasPath(webhooks);
  if (request.subresource === "") {
    try {
      return (await webhooks.validate?.(object, context)) ?? [];
    } catch (error) {
      return misshapen(error, schemaOf(webhooks.kind), { object });
    }
  }
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
  (providers: readonly ProviderV1[], references: ReferenceRule): ExtensionFactory =>
  (environment) => {
    const { store } = environment;
    const place = { store, references: references === "any" ? undefined : localReferences(providers, environment) };
    const byName = new Map(
      providers.flatMap((provider) => webhooksOf(provider).map((each) => [definitionName(each.kind), each] as const)),
    );
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
            try {
              const complete = await defaulted(webhooks, object, request, place);
              return complete === object ? undefined : complete;
            } catch (error) {
              // Validation follows, and says the same.
              misshapen(error, request.definition.schema, { object, old: request.oldObject });
              return undefined;
            }
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

/** Makes an embedded server convert, default and validate the kinds of these providers in its own process. */
export const providerExtensions = (
  providers: readonly ProviderV1[],
  references: ReferenceRule = "admitted",
): readonly ExtensionFactory[] => [
  ...standardExtensions(undefined, { converters: localConverters(providers) }),
  admission(providers, references),
];
