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
import type { KubeObject, Resource } from "@capstan/schema";

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

/** Whether the Secret exists; one that lost its owner reference, as after a move, gets it back. Throws `bootstrap.secret_taken`. */
export const adoptSecret = async (place: SecretPlace): Promise<boolean> => {
  const { context } = place;
  const known = context.cache.get(SecretResource, keyOf(place));
  if (known === undefined) return false;
  if (isOurs(place, known)) return true;
  const secret = await context.client.find(SecretResource, keyOf(place), { signal: context.signal });
  if (secret === undefined) return false;
  await adopt(place, secret);
  return true;
};

const adopt = async (place: SecretPlace, secret: KubeObject): Promise<void> => {
  if (isOurs(place, secret)) return;
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
  await context.client.patch(
    SecretResource,
    keyOf(place),
    { type: "merge", body: { metadata } },
    { signal: context.signal },
  );
};

/** Stores the document. A Secret that was written meanwhile, before a crash, is kept. */
export const storeDocument = async (
  place: SecretPlace,
  document: { readonly value: string; readonly format: string },
): Promise<void> => {
  const { clusterName, config, context, kind } = place;
  const secret: KubeObject = {
    apiVersion: "v1",
    kind: SecretResource.kind,
    metadata: {
      ...keyOf(place),
      labels: { [Label.clusterName]: clusterName },
      ownerReferences: [ownerReference(kind, config, { controller: true })],
    },
    type: clusterSecretType,
    data: {
      [bootstrapSecretKeys.value]: toBase64(document.value),
      [bootstrapSecretKeys.format]: toBase64(document.format),
    },
  };
  try {
    await context.client.create(SecretResource, secret, { signal: context.signal });
  } catch (error) {
    if (!isCapstanError(error, "kube.already_exists")) throw error;
    await adopt(place, await context.client.get(SecretResource, keyOf(place), { signal: context.signal }));
  }
};
