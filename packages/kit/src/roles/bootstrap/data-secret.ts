import { CapstanError, clusterSecretType, isCapstanError, Label } from "@capstan/contract";
import {
  SecretResource,
  bootstrapSecretKeys,
  controllerOf,
  describeObject,
  ownerReference,
  withOwnerReference,
} from "@capstan/contract/wire";
import { toBase64 } from "@capstan/kube-values";
import type { ReconcileContext } from "@capstan/runtime";
import { type KubeObject, type Resource, sameJson } from "@capstan/schema";

/** The Secret of a bootstrap config: same name, same namespace, so that it can be derived after a move. */
export interface SecretPlace {
  readonly kind: Resource;
  readonly config: KubeObject;
  readonly clusterName: string;
  readonly context: ReconcileContext;
}

const keyOf = ({ config }: SecretPlace) => ({
  namespace: config.metadata.namespace ?? "",
  name: config.metadata.name ?? "",
});

const taken = (place: SecretPlace, detail: string): CapstanError =>
  new CapstanError({
    code: "bootstrap.secret_taken",
    reason: "BootstrapSecretTaken",
    message: `${describeObject(place.config)} cannot use Secret ${keyOf(place).namespace}/${keyOf(place).name}: ${detail}; rename or delete it`,
    retry: { kind: "never" },
  });

const isOurs = (place: SecretPlace, secret: KubeObject): boolean =>
  secret.metadata.ownerReferences?.some(
    (reference) => reference.uid === place.config.metadata.uid && reference.controller === true,
  ) === true;

/** A Secret with bootstrap data, as it is stored. */
export interface StoredSecret {
  /** The digest of the input of the data, if the input may change. */
  readonly revision: string | undefined;
}

/** On data Secrets of MachinePools: a digest of what the data was made from. */
const revisionAnnotation = "capstan.dev/bootstrap-revision";

const storedOf = ({ metadata }: KubeObject): StoredSecret => ({
  revision: metadata.annotations?.[revisionAnnotation],
});

/** The Secret, if it is there; one that lost its owner reference, as after a move, gets it back. Throws `bootstrap.secret_taken`. */
export const adoptSecret = async (place: SecretPlace): Promise<StoredSecret | undefined> => {
  const { context } = place;
  const known = context.cache.get(SecretResource, keyOf(place));
  if (known === undefined) return undefined;
  if (isOurs(place, known)) return storedOf(known);
  const secret = await context.client.find(SecretResource, keyOf(place), { signal: context.signal });
  if (secret === undefined) return undefined;
  await adopt(place, secret);
  return storedOf(secret);
};

/** The Secret as ours; `undefined` where it was that before. */
const adopt = async (place: SecretPlace, secret: KubeObject): Promise<KubeObject | undefined> => {
  if (isOurs(place, secret)) return undefined;
  const { config, context, kind } = place;
  const controller = controllerOf(secret);
  if (controller !== undefined && (controller.kind !== kind.kind || controller.name !== config.metadata.name)) {
    throw taken(place, `it is controlled by ${controller.kind} ${controller.name}`);
  }
  const data = (secret["data"] ?? {}) as Readonly<Record<string, unknown>>;
  if (secret["type"] !== clusterSecretType || data[bootstrapSecretKeys.value] === undefined) {
    throw taken(place, "it is not a Secret with bootstrap data");
  }
  const references = withOwnerReference(
    secret.metadata.ownerReferences,
    ownerReference(kind, config, { controller: true }),
  );
  const metadata = { ownerReferences: references, resourceVersion: secret.metadata.resourceVersion };
  return context.client.patch(
    SecretResource,
    keyOf(place),
    { type: "merge", body: { metadata } },
    { signal: context.signal },
  );
};

interface BootstrapDocument {
  readonly value: string | Uint8Array;
  readonly format: string;
  readonly revision: string | undefined;
}

const dataOf = ({ format, value }: BootstrapDocument): Readonly<Record<string, string>> => ({
  [bootstrapSecretKeys.value]: Buffer.from(value).toString("base64"),
  [bootstrapSecretKeys.format]: toBase64(format),
});

const annotationsOf = ({ revision }: BootstrapDocument) =>
  revision === undefined ? {} : { annotations: { [revisionAnnotation]: revision } };

/**
 * Stores the document. A Secret that was written meanwhile, before a crash, is kept, unless the document has a revision and the Secret
 * holds another document.
 */
export const storeDocument = async (place: SecretPlace, document: BootstrapDocument): Promise<StoredSecret> => {
  const { clusterName, config, context, kind } = place;
  const secret: KubeObject = {
    apiVersion: "v1",
    kind: SecretResource.kind,
    metadata: {
      ...keyOf(place),
      ...annotationsOf(document),
      labels: { [Label.clusterName]: clusterName },
      ownerReferences: [ownerReference(kind, config, { controller: true })],
    },
    type: clusterSecretType,
    data: dataOf(document),
  };
  try {
    return storedOf(await context.client.create(SecretResource, secret, { signal: context.signal }));
  } catch (error) {
    if (!isCapstanError(error, "kube.already_exists")) throw error;
    const present = await context.client.get(SecretResource, keyOf(place), { signal: context.signal });
    const adopted = (await adopt(place, present)) ?? present;
    return storedOf(await replace(place, adopted, document));
  }
};

const replace = async (place: SecretPlace, secret: KubeObject, document: BootstrapDocument): Promise<KubeObject> => {
  const data = dataOf(document);
  const { revision } = document;
  const isSame = storedOf(secret).revision === revision && sameJson(secret["data"], data);
  if (revision === undefined || isSame) return secret;
  const { resourceVersion } = secret.metadata;
  const body = { metadata: { resourceVersion, ...annotationsOf(document) }, data };
  const { client, signal } = place.context;
  return client.patch(SecretResource, keyOf(place), { type: "merge", body }, { signal });
};
