import { kubeadmCertificates } from "@capstan/bootstrap-kubeadm/render";
import { clusterSecretType, isCapstanError, SecretPurpose } from "@capstan/contract";
import {
  cluster as clusterFields,
  controllerOf,
  isValidEndpoint,
  ownerReference,
  SecretResource,
} from "@capstan/contract/wire";
import {
  adminKubeconfig,
  clusterSecretKey,
  createClusterSecret,
  ensureCertificates,
  findCertificates,
  lostCertificate,
  ownCertificates,
  ownClusterSecret,
  secretBytes,
  secretText,
  type ClusterCertificate,
} from "@capstan/kit/bootstrap";
import type { Machine } from "@capstan/kit/machines";
import { certificateExpiry, parseKubeconfig } from "@capstan/pki";
import type { KubeObject, OwnerReference } from "@capstan/schema";
import { KubeadmControlPlane } from "../api.ts";
import { signingAuthority } from "../authority/authority.ts";
import type { Context } from "../etcd/etcd-access.ts";
import { KubeadmCondition, KubeadmReason } from "../api/control-plane-conditions.ts";

/** The kubeconfig is renewed when less than this is left of its year. */
const renewBeforeMs = 182.5 * 86_400_000;

const ownerOf = (object: KubeadmControlPlane): OwnerReference =>
  ownerReference(KubeadmControlPlane, object, { controller: true, blockOwnerDeletion: true });

const stopped = "no control-plane Machine is made until it is back";

/** What is gone and how to get it back, a line each. */
const lostText = (context: Context, missing: readonly ClusterCertificate[]): string =>
  missing.map((wanted) => `* ${lostCertificate(context, wanted, stopped)}`).join("\n");

const say = (context: Context, missing: readonly ClusterCertificate[]): void =>
  context.condition(
    missing.length === 0
      ? { type: KubeadmCondition.certificatesAvailable, status: "True", reason: KubeadmReason.available }
      : {
          type: KubeadmCondition.certificatesAvailable,
          status: "False",
          reason: KubeadmReason.notAvailable,
          message: `Missing certificates: ${missing.map(({ purpose }) => purpose).join(", ")}\n${lostText(context, missing)}`,
        },
  );

const wantedCertificates = ({ object: { spec } }: Context): readonly ClusterCertificate[] =>
  kubeadmCertificates(spec.kubeadmConfigSpec?.clusterConfiguration);

const missingOf = async (
  context: Context,
  wanted: readonly ClusterCertificate[],
): Promise<readonly ClusterCertificate[]> => {
  const found = await findCertificates(context, wanted);
  return wanted.filter(({ purpose }) => !found.has(purpose));
};

/** Certificates without which no Machine joins, by the purpose of their Secrets. */
export const missingCertificates = async (context: Context): Promise<readonly string[]> =>
  (await missingOf(context, wantedCertificates(context))).map(({ purpose }) => purpose);

/** Says in the condition why a Secret is not taken for one of the cluster, and throws it on. */
const readable = async <T>(context: Context, read: () => Promise<T>): Promise<T> => {
  try {
    return await read();
  } catch (error) {
    if (isCapstanError(error, "bootstrap.cluster_secret_unmarked")) {
      const { message } = error;
      const type = KubeadmCondition.certificatesAvailable;
      context.condition({ type, status: "False", reason: KubeadmReason.notAvailable, message });
    }
    throw error;
  }
};

/**
 * Makes the certificates of a new cluster. Once it is initialized they are only looked at: new ones in the place of lost ones would make
 * another cluster.
 */
export const keepCertificates = async (context: Context): Promise<void> => {
  const configuration = context.object.spec.kubeadmConfigSpec?.clusterConfiguration;
  const wanted = wantedCertificates(context);
  if (context.initialized) {
    say(context, await readable(context, () => missingOf(context, wanted)));
    await ownCertificates(context, wanted, ownerOf(context.object));
    return;
  }
  const options = {
    owner: ownerOf(context.object),
    validityDays: configuration?.caCertificateValidityPeriodDays,
    algorithm: configuration?.encryptionAlgorithm,
  };
  await readable(context, () => ensureCertificates(context, wanted, options));
  say(context, []);
};

const rendered = async (context: Context): Promise<string> => {
  const { cluster, clock } = context;
  const consequence = "the kubeconfig of the cluster can be neither made nor renewed";
  const authority = await signingAuthority(context, { purpose: SecretPurpose.ca, consequence });
  const endpoint = clusterFields.endpoint.get(cluster);
  if (!isValidEndpoint(endpoint)) throw new TypeError("a kubeconfig is made once the Cluster has an endpoint");
  return adminKubeconfig({
    clusterName: cluster.metadata.name ?? "",
    endpoint,
    serverAuthority: authority.certificate,
    clientAuthority: authority,
    clock,
  });
};

/** Only what is ours is renewed, and only while its time can be read. */
const isDue = (secret: KubeObject, context: Context): boolean => {
  if (secret["type"] !== clusterSecretType || controllerOf(secret)?.uid !== context.object.metadata.uid) return false;
  const { value = "" } = secretText(secretBytes(secret));
  try {
    const { clientCertificate } = parseKubeconfig(value);
    return (
      clientCertificate !== undefined && certificateExpiry(clientCertificate) - context.clock.now() < renewBeforeMs
    );
  } catch (error) {
    if (isCapstanError(error)) return false;
    throw error;
  }
};

/** Makes the kubeconfig of the cluster's administrator, and renews it in time. One that a user made stays the user's. */
export const keepKubeconfig = async (context: Context): Promise<void> => {
  const { client, object, call } = context;
  const purpose = SecretPurpose.kubeconfig;
  const key = clusterSecretKey(context, purpose);
  const secret = await client.find(SecretResource, key, call);
  if (secret === undefined) {
    await createClusterSecret(context, purpose, { data: { value: await rendered(context) }, owner: ownerOf(object) });
    return;
  }
  await ownClusterSecret(context, purpose, ownerOf(object));
  if (!isDue(secret, context)) return;
  const body = {
    stringData: { value: await rendered(context) },
    metadata: { resourceVersion: secret.metadata.resourceVersion },
  };
  await client.patch(SecretResource, key, { type: "merge", body }, call);
};

/**
 * The Secrets that the bootstrap config of an adopted Machine made for the cluster are the control plane's from now on: with the config they
 * would go, and the cluster's authority with them.
 */
export const adoptCertificates = async (context: Context & { readonly machine: Machine }): Promise<void> => {
  const { client, machine, object, call } = context;
  const { configRef } = machine.spec.bootstrap;
  for (const { purpose } of kubeadmCertificates(object.spec.kubeadmConfigSpec?.clusterConfiguration)) {
    const key = clusterSecretKey(context, purpose);
    const secret = await client.find(SecretResource, key, call);
    const controller = secret === undefined ? undefined : controllerOf(secret);
    if (secret === undefined || controller?.kind !== configRef?.kind || controller?.name !== configRef?.name) continue;
    const { ownerReferences = [], resourceVersion } = secret.metadata;
    const others = ownerReferences.filter(({ uid }) => uid !== controller?.uid);
    const body = { metadata: { resourceVersion, ownerReferences: [...others, ownerOf(object)] } };
    await client.patch(SecretResource, key, { type: "merge", body }, call);
  }
};
