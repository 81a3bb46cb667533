import { CapstanError, isCapstanError, type Clock } from "@capstan/contract";
import type { Client } from "@capstan/kube";
import { fromBase64, keyOf } from "@capstan/kube-values";
import { readCertificate, readCertificates } from "@capstan/pki";
import { cryptoRandom } from "@capstan/runtime";
import type { StoredCertificate } from "@capstan/runtime/webhook";
import { SecretResource } from "@capstan/contract/wire";
import type { KubeObject } from "@capstan/schema";
import { webhookSecretName } from "../cluster/installation.ts";
import { newReferenceKey, referenceKeyIn, referenceKeyName } from "../cluster/reference-key.ts";
import { plannedCertificate, type CertificatePlace } from "../webhooks/webhook-certificate.ts";
import { configurationKinds, trustedBy } from "../webhooks/webhook-clients.ts";
import type { WebhookOptions } from "../webhooks/webhook-options.ts";

/** Managers read their certificate again every minute: after this long no one serves under what was there before. */
const settledAfterMs = 3_600_000;

/** Authority that configurations trust, and the certificate that managers serve. */
export interface InstalledAuthority {
  /** PEM: the authority of the certificate, and those that managers may still serve under. */
  readonly caBundle: string;
  readonly secret: StoredCertificate;
  /** True if the cluster has it like this. */
  readonly isStored: boolean;
  /** By which the webhooks mark references; kept as long as it is there. */
  readonly referenceKey: { readonly secret: KubeObject; readonly isStored: boolean };
}

const each = (pem: string): readonly string[] => readCertificates(pem).map((certificate) => certificate.toString());

/** The certificates of the authority that a Secret holds. */
export const authoritiesOf = ({ data = {} }: StoredCertificate): readonly string[] =>
  each(fromBase64(data["ca.crt"] ?? ""));

const findSecret = (
  client: Client,
  { systemNamespace }: CertificatePlace,
  name: string,
  signal: AbortSignal,
): Promise<StoredCertificate | undefined> =>
  client.find<StoredCertificate>(SecretResource, { namespace: systemNamespace, name }, { signal });

const installedKey = async (
  client: Client,
  place: CertificatePlace,
  signal: AbortSignal,
): Promise<InstalledAuthority["referenceKey"]> => {
  const name = referenceKeyName(place.installation);
  const found = await client.find(SecretResource, { namespace: place.systemNamespace, name }, { signal });
  return found === undefined || referenceKeyIn(found) === undefined
    ? { secret: newReferenceKey(place, cryptoRandom), isStored: false }
    : { secret: found, isStored: true };
};

const trustedInPlace = async (client: Client, name: string, signal: AbortSignal): Promise<readonly string[]> => {
  const found = await Promise.all(configurationKinds.map((kind) => client.find(kind, { name }, { signal })));
  return trustedBy(found.flatMap((settings) => settings?.webhooks ?? []).map(({ clientConfig }) => clientConfig));
};

/** The one that was made last: managers of an older release that run now serve under it. */
const latest = (secrets: readonly StoredCertificate[]): StoredCertificate | undefined => {
  const made = ({ metadata }: StoredCertificate): number => Date.parse(metadata.creationTimestamp ?? "") || 0;
  return secrets.toSorted((a, b) => made(b) - made(a))[0];
};

/**
 * The authority that is there, else that of an older release, else a new one; nothing is written. The bundle also has those of older
 * releases, and, as long as the authority is new, those that the configurations trust already: whatever managers serve, before and
 * after they have read the Secret, is trusted.
 */
export const installedAuthority = async (
  client: Client,
  webhooks: WebhookOptions,
  place: CertificatePlace & { readonly older: readonly string[] },
  signal: AbortSignal,
): Promise<InstalledAuthority> => {
  const { clock, installation, older } = place;
  const stored = await findSecret(client, place, webhookSecretName(installation), signal);
  const found = await Promise.all(older.map((name) => findSecret(client, place, webhookSecretName(name), signal)));
  const secrets = found.filter((secret) => secret !== undefined);
  const { secret, caBundle } = await plannedCertificate(webhooks, place, { stored, adopted: latest(secrets) });
  const isNew = clock.now() - readCertificate(caBundle).validFromDate.getTime() < settledAfterMs;
  const before = isNew ? await trustedInPlace(client, installation, signal) : [];
  const bundle = new Set([...each(caBundle), ...secrets.flatMap(authoritiesOf), ...before]);
  const referenceKey = await installedKey(client, place, signal);
  return { caBundle: [...bundle].join(""), secret, isStored: secret === stored, referenceKey };
};

/** Stores what managers are to serve, after configurations trust it. Throws `installation.overtaken` when someone was faster. */
export const storeCertificate = async (
  client: Client,
  { secret, isStored, referenceKey }: InstalledAuthority,
  signal: AbortSignal,
): Promise<void> => {
  if (!referenceKey.isStored) await storeKey(client, referenceKey.secret, signal);
  if (!isStored) await storeSecret(client, secret, signal);
};

/** Stores a certificate in place of the one from which it was planned. Throws `installation.overtaken` when someone was faster. */
export const storeSecret = async (client: Client, secret: StoredCertificate, signal: AbortSignal): Promise<void> => {
  const isThere = secret.metadata.resourceVersion !== undefined;
  try {
    await (isThere
      ? client.update(SecretResource, secret, { signal })
      : client.create(SecretResource, secret, { signal }));
  } catch (error) {
    if (["kube.conflict", "kube.already_exists"].some((code) => isCapstanError(error, code))) {
      throw overtaken(secret, error);
    }
    throw error;
  }
};

/** One that is there and holds no key is replaced. */
const storeKey = async (client: Client, secret: KubeObject, signal: AbortSignal): Promise<void> => {
  const found = await client.find(SecretResource, keyOf(secret), { signal });
  if (referenceKeyIn(found) !== undefined) return;
  await (found === undefined
    ? client.create(SecretResource, secret, { signal })
    : client.update(SecretResource, { ...secret, metadata: found.metadata }, { signal }));
};

export const overtaken = ({ metadata }: StoredCertificate, cause?: unknown): CapstanError =>
  new CapstanError({
    code: "installation.overtaken",
    reason: "Overtaken",
    message: `Secret ${metadata.namespace}/${metadata.name}: another process created the webhook certificate at the same time; rerun the command`,
    ...(cause === undefined ? {} : { cause }),
  });

/** For manifests that are printed without asking a cluster: a new authority. */
export const newAuthority = async (
  webhooks: WebhookOptions,
  place: CertificatePlace & { readonly clock: Clock },
): Promise<InstalledAuthority> => {
  const { secret, caBundle } = await plannedCertificate(webhooks, place);
  return {
    caBundle,
    secret,
    isStored: false,
    referenceKey: { secret: newReferenceKey(place, cryptoRandom), isStored: false },
  };
};
