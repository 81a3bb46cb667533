import type { ExtensionEnvironment, User } from "@capstan/apiserver";
import type { KindWebhooksV1, PermissionV1, ProviderV1 } from "@capstan/contract/v1";
import { NamespaceResource, SecretResource } from "@capstan/contract/wire";
import { permission } from "@capstan/kit";
import { declaredReferences, type ReferenceAdmission, type RequestUser } from "@capstan/kit/admission";
import type { Client } from "@capstan/kube";
import type { AdmissionRequest } from "@capstan/runtime/webhook";
import { apiVersionOf, isKind, type KubeObject, resource, type Resource } from "@capstan/schema";
import {
  localKeyPlace,
  newReferenceKey,
  readReferenceKey,
  referenceKeyIn,
  referenceKeyMissing,
  type ReferenceKeyPlace,
  referenceKeyName,
} from "../cluster/reference-key.ts";

const hasReferences = (kind: Resource): boolean => declaredReferences(kind).length > 0;

/** Returns the webhooks of a provider's kinds: its own, and those for the references of kinds that have no others. */
export const webhooksOf = ({ kinds, webhooks = [] }: ProviderV1): readonly KindWebhooksV1[] => {
  const named = new Set(webhooks.map(({ kind }) => `${kind.plural}.${kind.group}`));
  const others = kinds.filter((kind) => hasReferences(kind) && !named.has(`${kind.plural}.${kind.group}`));
  return [...webhooks, ...others.map((kind) => ({ kind }))];
};

const SubjectAccessReview = resource<KubeObject & { readonly status?: { readonly allowed?: boolean } }>({
  group: "authorization.k8s.io",
  version: "v1",
  kind: "SubjectAccessReview",
  plural: "subjectaccessreviews",
  namespaced: false,
});

const isTemplate = ({ kind }: Resource): boolean => kind.endsWith("Template");

/** Returns the permissions that webhooks need for references of these providers' kinds, except reading the key. */
export const referencePermissions = (providers: readonly ProviderV1[]): readonly PermissionV1[] => {
  const kinds = providers.flatMap(({ kinds: all }) => all).filter(hasReferences);
  if (kinds.length === 0) return [];
  return [
    permission(SubjectAccessReview, ["create"]),
    ...kinds.filter(isTemplate).map((kind) => permission(kind, ["get"])),
  ];
};

const templateIn = (
  providers: readonly ProviderV1[],
  find: (kind: Resource, key: { readonly namespace: string; readonly name: string }) => Promise<KubeObject | undefined>,
): ReferenceAdmission["template"] => {
  const kinds = new Map(
    providers
      .flatMap(({ kinds: all }) => all)
      .filter((kind) => isKind(kind) && hasReferences(kind))
      .map((kind) => [`${kind.kind}.${kind.group}`, kind]),
  );
  return async ({ group, kind: name }, key) => {
    const kind = kinds.get(`${name}.${group}`);
    const object = kind === undefined ? undefined : await find(kind, key);
    return kind === undefined || object === undefined ? undefined : { kind, object };
  };
};

/** Asks the API server by reviews; for webhooks. */
export const askedReferences = (
  providers: readonly ProviderV1[],
  client: Client,
  place: ReferenceKeyPlace,
): ReferenceAdmission => {
  const readKey = readReferenceKey(client, place);
  return {
    key: async () => {
      const key = await readKey();
      if (key === undefined) throw referenceKeyMissing(place);
      return key;
    },
    may: async ({ username: user, ...others }, verb, { group, resource: plural, namespace, name }) => {
      const resourceAttributes = { verb, group, version: "*", resource: plural, namespace, name };
      const review = {
        apiVersion: apiVersionOf(SubjectAccessReview),
        kind: SubjectAccessReview.kind,
        metadata: {},
        spec: { user, ...others, resourceAttributes },
      };
      return (await client.create(SubjectAccessReview, review)).status?.allowed === true;
    },
    template: templateIn(providers, (kind, key) => client.find(kind, key)),
  };
};

/** Who sends a request, as a webhook is told. */
export const askingUser = ({
  userInfo: { username = "", groups = [], uid, extra },
}: AdmissionRequest): RequestUser => ({
  username,
  groups,
  ...(uid !== undefined && { uid }),
  ...(extra !== undefined && { extra }),
});

const systemUser = ({ username: name, ...others }: RequestUser): User => ({ name, ...others });

/** The key of a server that admits in its own process, made when it is first needed. */
const localKey = async ({ random, store }: Pick<ExtensionEnvironment, "random" | "store">): Promise<Uint8Array> => {
  const { installation, systemNamespace } = localKeyPlace;
  const find = () =>
    referenceKeyIn(store.peek(SecretResource, { namespace: systemNamespace, name: referenceKeyName(installation) }));
  const found = find();
  if (found !== undefined) return found;
  const namespace = { apiVersion: "v1", kind: NamespaceResource.kind, metadata: { name: systemNamespace } };
  const missing = store.peek(NamespaceResource, { name: systemNamespace }) === undefined;
  // Someone may be making it at the same moment: then it is there.
  if (missing) await store.create(NamespaceResource, namespace).catch(() => undefined);
  await store.create(SecretResource, newReferenceKey(localKeyPlace, random)).catch(() => undefined);
  const made = find();
  if (made === undefined) throw referenceKeyMissing(localKeyPlace);
  return made;
};

/** Asks the embedded server in its own process. */
export const localReferences = (
  providers: readonly ProviderV1[],
  environment: Pick<ExtensionEnvironment, "allows" | "random" | "store">,
): ReferenceAdmission => ({
  key: () => localKey(environment),
  may: async (user, verb, { group, resource: plural, namespace, name }) =>
    environment.allows(systemUser(user), { verb, group, resource: plural, namespace, name }),
  template: templateIn(providers, async (kind, key) => environment.store.peek(kind, key)),
});
