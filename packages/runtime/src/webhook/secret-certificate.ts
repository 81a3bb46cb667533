import { CapstanError, type Clock, isCapstanError, Secret } from "@capstan/contract";
import type { Client } from "@capstan/kube";
import { type ObjectKey, fromBase64, toBase64 } from "@capstan/kube-values";
import {
  type CertificateAndKey,
  createCertificateAuthority,
  issueCertificate,
  PkiErrorCode,
  readCertificate,
} from "@capstan/pki";
import { type KubeObject, resource } from "@capstan/schema";
import type { ServingCertificate } from "./webhook-server.ts";

export interface SecretCertificateOptions {
  readonly client: Client;
  readonly clock: Clock;
  /** Key of the Secret; it is created when it is missing. */
  readonly secret: Required<ObjectKey> & { readonly labels?: Readonly<Record<string, string>> };
  /** DNS names and IP addresses the API server asks for, for example `capstan-webhook.capstan-system.svc`. */
  readonly hosts: readonly string[];
}

export interface SecretCertificate {
  readonly serving: ServingCertificate;
  /** The authority, PEM: what a webhook configuration has as its `caBundle`. */
  readonly caBundle: string;
}

/** A Secret with a serving certificate and its authority. */
export interface StoredCertificate extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
}

const SecretResource = resource<StoredCertificate>({ group: "", version: "v1", kind: "Secret", plural: "secrets" });

const leafDays = 90;
const dayMs = 86_400_000;
/** A certificate with less of its life left is replaced. */
const renewBeforeMs = (leafDays / 3) * dayMs;
const algorithm = "ECDSA-P256";

const text = (secret: StoredCertificate, key: string): string | undefined => {
  const value = secret.data?.[key];
  return value === undefined || value === "" ? undefined : fromBase64(value);
};

const pair = (secret: StoredCertificate, name: string): CertificateAndKey | undefined => {
  const certificate = text(secret, `${name}.crt`);
  const key = text(secret, `${name}.key`);
  return certificate === undefined || key === undefined ? undefined : { certificate, key };
};

const outlives = ({ certificate }: CertificateAndKey, time: number): boolean => {
  try {
    return readCertificate(certificate).validToDate.getTime() > time;
  } catch (error) {
    if (isCapstanError(error, PkiErrorCode.badCertificate)) return false;
    throw error;
  }
};

const serves = ({ certificate }: CertificateAndKey, hosts: readonly string[]): boolean => {
  const x509 = readCertificate(certificate);
  return hosts.every((host) => x509.checkHost(host) !== undefined || x509.checkIP(host) !== undefined);
};

/**
 * A serving certificate of an authority of its own, kept in a Secret so that all replicas serve under the same authority. For
 * `certificate` of a webhook server: asked again and again, it renews what runs out, and stores what it served last when the Secret
 * is gone. The authority lives ten years; when it goes, configurations need the new `caBundle`. Throws
 * `runtime.webhook_certificate` when replicas keep overtaking each other.
 */
export const secretCertificate = (options: SecretCertificateOptions): (() => Promise<SecretCertificate>) => {
  let last: StoredCertificate | undefined;
  return async () => {
    for (let attempt = 0; attempt < 5; attempt++) {
      const stored = await options.client.find(SecretResource, options.secret);
      const known = stored === undefined ? undefined : usable(stored, options);
      if (known !== undefined) {
        last = stored;
        return known;
      }
      await write(stored, options, last);
    }
    throw new CapstanError({
      code: "runtime.webhook_certificate",
      reason: "WebhookCertificate",
      message: `Secret "${options.secret.namespace}/${options.secret.name}": the webhook certificate could not be stored; others keep changing it`,
    });
  };
};

const usable = (
  stored: StoredCertificate,
  { clock, hosts }: Pick<SecretCertificateOptions, "clock" | "hosts">,
): SecretCertificate | undefined => {
  const authority = pair(stored, "ca");
  const leaf = pair(stored, "tls");
  const limit = clock.now() + renewBeforeMs;
  if (authority === undefined || leaf === undefined || !outlives(authority, limit) || !outlives(leaf, limit)) {
    return undefined;
  }
  if (!serves(leaf, hosts)) return undefined;
  return {
    serving: { certificate: leaf.certificate, key: new Secret(leaf.key) },
    caBundle: authority.certificate,
  };
};

/** A certificate, and the Secret to store it in. */
export interface NewSecretCertificate extends SecretCertificate {
  readonly secret: StoredCertificate;
}

/** A new certificate as the contents of a Secret that is there or not; under the authority of `source`, where that lasts. */
const issued = async (
  { clock, hosts, secret }: Omit<SecretCertificateOptions, "client">,
  stored: StoredCertificate | undefined,
  source: StoredCertificate | undefined,
): Promise<NewSecretCertificate> => {
  const now = clock.now();
  const kept = source === undefined ? undefined : pair(source, "ca");
  const authority =
    kept !== undefined && outlives(kept, now + leafDays * dayMs)
      ? kept
      : await createCertificateAuthority({ now, commonName: `${secret.name}-ca`, algorithm });
  const leaf = await issueCertificate(authority, {
    now,
    commonName: hosts[0] ?? secret.name,
    hosts,
    usages: ["server"],
    validityDays: leafDays,
    algorithm,
  });
  const data = {
    "ca.crt": authority.certificate,
    "ca.key": authority.key,
    "tls.crt": leaf.certificate,
    "tls.key": leaf.key,
  };
  const body: StoredCertificate = {
    apiVersion: "v1",
    kind: "Secret",
    metadata: stored?.metadata ?? secret,
    type: "kubernetes.io/tls",
    data: Object.fromEntries(Object.entries(data).map(([key, value]) => [key, toBase64(value)])),
  };
  return {
    secret: body,
    serving: { certificate: leaf.certificate, key: new Secret(leaf.key) },
    caBundle: authority.certificate,
  };
};

/**
 * Returns the certificate that `secretCertificate` would serve, for callers that store it themselves: that of the
 * `stored` Secret where that is usable, else a new one, under the authority of the stored or of the `adopted` Secret
 * where there is one. The Secret holds private keys.
 */
export const plannedSecretCertificate = async (
  options: Omit<SecretCertificateOptions, "client">,
  known: { readonly stored?: StoredCertificate | undefined; readonly adopted?: StoredCertificate | undefined } = {},
): Promise<NewSecretCertificate> => {
  const { stored, adopted } = known;
  const now = stored === undefined ? undefined : usable(stored, options);
  return stored !== undefined && now !== undefined
    ? { ...now, secret: stored }
    : issued(options, stored, stored ?? adopted);
};

/** The DNS names and IP addresses that a certificate is for. */
const namesOf = (certificate: string): readonly string[] =>
  [...(readCertificate(certificate).subjectAltName ?? "").matchAll(/(?:DNS|IP Address):([^,\s]+)/g)].map(
    ([, name = ""]) => name,
  );

/**
 * A new certificate under a new authority, for the same names as the certificate of a stored Secret and to be stored in its place: when
 * the authority has leaked. Whoever trusts the old one has to trust the new one before that. Throws `pki.bad_certificate` for a Secret
 * that has no certificate.
 */
export const rotatedSecretCertificate = async (
  stored: StoredCertificate,
  clock: Clock,
): Promise<NewSecretCertificate> => {
  const { namespace = "", name = "" } = stored.metadata;
  const hosts = namesOf(text(stored, "tls.crt") ?? "");
  return await issued({ clock, hosts, secret: { namespace, name } }, stored, undefined);
};

/** Stores a new certificate. Someone faster is not an error. */
const write = async (
  stored: StoredCertificate | undefined,
  options: SecretCertificateOptions,
  last: StoredCertificate | undefined,
): Promise<void> => {
  const { client } = options;
  const { secret } = await issued(options, stored, stored ?? last);
  try {
    await (stored === undefined ? client.create(SecretResource, secret) : client.update(SecretResource, secret));
  } catch (error) {
    const { namespace, name } = options.secret;
    if (stored === undefined && isCapstanError(error, "kube.forbidden")) {
      throw new CapstanError({
        code: "runtime.webhook_certificate",
        reason: "WebhookCertificate",
        message: `Secret "${namespace}/${name}" with the webhook certificate does not exist, and this account may not create it: install again`,
        cause: error,
      });
    }
    const overtaken = ["kube.conflict", "kube.already_exists", "kube.not_found"];
    if (!overtaken.some((code) => isCapstanError(error, code))) throw error;
  }
};
