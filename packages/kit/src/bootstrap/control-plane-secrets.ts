import { CapstanError, clusterSecretType, isCapstanError, SecretPurpose } from "@capstan/contract";
import {
  certificatesAvailable,
  cluster as clusterFields,
  controllerOf,
  isValidEndpoint,
  ownerReference,
  SecretResource,
} from "@capstan/contract/wire";
import { certificateExpiry, parseKubeconfig, type CertificateAndKey } from "@capstan/pki";
import type { KubeObject, OwnerReference, Resource } from "@capstan/schema";
import { secretText } from "../engine/credentials.ts";
import type { Machine } from "../machines/machine.ts";
import type { ControlPlaneContext } from "../roles/control-plane/author.ts";
import { adminKubeconfig } from "./admin-kubeconfig.ts";
import {
  type ClusterCertificate,
  ensureCertificates,
  findCertificates,
  type GenerateOptions,
  lostCertificate,
  ownCertificates,
} from "./cluster-certificates.ts";
import {
  clusterSecretKey,
  createClusterSecret,
  findClusterSecret,
  ownClusterSecret,
  readClusterSecret,
} from "./cluster-secret.ts";
import type { SeenSecret } from "../roles/bootstrap/cluster-access.ts";

/** The kubeconfig is renewed when less than this is left of its year. */
const renewBeforeMs = 182.5 * 86_400_000;

/** The condition of a control plane that says whether its certificates are there, and its reasons. */
const CertificatesCondition = {
  type: certificatesAvailable.type,
  ...certificatesAvailable.reasons,
} as const;

/** Which Secrets the control planes of a kind keep for their clusters. */
export interface ControlPlaneSecretsOptions<O extends KubeObject> {
  readonly kind: Resource<O>;
  readonly certificates: (context: ControlPlaneContext<O>) => readonly ClusterCertificate[];
  /** Returns the options for creating missing certificates of a new cluster. */
  readonly generate?: (context: ControlPlaneContext<O>) => Omit<GenerateOptions, "owner">;
  /** Purpose of the authority that signs clients. Default: that of the servers. */
  readonly clientAuthority?: string;
}

/** The certificates and the kubeconfig of a cluster, as the author of its control plane keeps them. */
export interface ControlPlaneSecrets<O extends KubeObject> {
  /**
   * Makes the certificates of a new cluster. Once it is initialized they are only looked at: new ones in the place of lost ones would make
   * another cluster. Says in CertificatesAvailable what is missing.
   */
  readonly keepCertificates: (context: ControlPlaneContext<O>) => Promise<void>;
  /** Why no further Machine can join, a line for each certificate that is gone. */
  readonly missingCertificates: (context: ControlPlaneContext<O>) => Promise<readonly string[]>;
  /**
   * Makes the kubeconfig of the cluster's administrator and renews it in time. One that a user made stays the user's. Throws
   * `bootstrap.authority_missing`.
   */
  readonly keepKubeconfig: (context: ControlPlaneContext<O>) => Promise<void>;
  /** An authority to sign with. `consequence` says what cannot be done without it. Throws `bootstrap.authority_missing`. */
  readonly signingAuthority: (
    context: ControlPlaneContext<O>,
    options: { readonly purpose: string; readonly consequence: string },
  ) => Promise<CertificateAndKey>;
  /** Secrets that the bootstrap config of an adopted Machine made for the cluster are the control plane's from now on. */
  readonly adoptCertificates: (context: ControlPlaneContext<O> & { readonly machine: Machine }) => Promise<void>;
}

const stopped = "no control-plane Machine is created until it is restored";

const say = <O extends KubeObject>(context: ControlPlaneContext<O>, missing: readonly ClusterCertificate[]): void => {
  const { available, notAvailable, type } = CertificatesCondition;
  if (missing.length === 0) return context.condition({ type, status: "True", reason: available });
  const lost = missing.map((wanted) => `* ${lostCertificate(context, wanted, stopped)}`);
  const message = [`Missing certificates: ${missing.map(({ purpose }) => purpose).join(", ")}`, ...lost].join("\n");
  return context.condition({ type, status: "False", reason: notAvailable, message });
};

/** Says in the condition why a Secret is not taken for one of the cluster, and throws it on. */
const readable = async <O extends KubeObject, T>(
  context: ControlPlaneContext<O>,
  read: () => Promise<T>,
): Promise<T> => {
  try {
    return await read();
  } catch (error) {
    if (isCapstanError(error, "bootstrap.cluster_secret_unmarked")) {
      const { notAvailable: reason, type } = CertificatesCondition;
      context.condition({ type, status: "False", reason, message: error.message });
    }
    throw error;
  }
};

const missingOf = async <O extends KubeObject>(
  context: ControlPlaneContext<O>,
  wanted: readonly ClusterCertificate[],
): Promise<readonly ClusterCertificate[]> => {
  const found = await findCertificates(context, wanted);
  return wanted.filter(({ purpose }) => !found.has(purpose));
};

/** Only what is ours is renewed, and only while its time can be read. */
const isDue = <O extends KubeObject>({ secret, data }: SeenSecret, context: ControlPlaneContext<O>): boolean => {
  if (secret["type"] !== clusterSecretType || controllerOf(secret)?.uid !== context.object.metadata.uid) return false;
  const { value = "" } = secretText(data);
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

const authorityMissing = (message: string): CapstanError =>
  new CapstanError({ code: "bootstrap.authority_missing", reason: "AuthorityMissing", message });

type Options<O extends KubeObject> = ControlPlaneSecretsOptions<O>;

const ownerOf = <O extends KubeObject>({ kind }: Options<O>, object: O): OwnerReference =>
  ownerReference(kind, object, { controller: true, blockOwnerDeletion: true });

const signingAuthority = async <O extends KubeObject>(
  { certificates }: Options<O>,
  context: ControlPlaneContext<O>,
  { consequence, purpose }: { readonly purpose: string; readonly consequence: string },
): Promise<CertificateAndKey> => {
  const data = await findClusterSecret(context, purpose);
  const { "tls.crt": certificate = "", "tls.key": key = "" } = data ?? {};
  if (certificate !== "" && key !== "") return { certificate, key };
  const { namespace, name } = clusterSecretKey(context, purpose);
  const lacking = certificate === "" ? "tls.crt" : "tls.key";
  const wanted = certificates(context).find((each) => each.purpose === purpose) ?? { purpose };
  throw authorityMissing(
    data === undefined
      ? lostCertificate(context, wanted, consequence)
      : `Secret ${namespace}/${name} has no key ${lacking}: ${consequence}; put it there`,
  );
};

const keepCertificates = async <O extends KubeObject>(
  options: Options<O>,
  context: ControlPlaneContext<O>,
): Promise<void> => {
  const wanted = options.certificates(context);
  const owner = ownerOf(options, context.object);
  if (context.initialized) {
    say(context, await readable(context, () => missingOf(context, wanted)));
    await ownCertificates(context, wanted, owner);
    return;
  }
  await readable(context, () => ensureCertificates(context, wanted, { ...options.generate?.(context), owner }));
  say(context, []);
};

const newKubeconfig = async <O extends KubeObject>(
  options: Options<O>,
  context: ControlPlaneContext<O>,
): Promise<string> => {
  const { cluster, clock } = context;
  const endpoint = clusterFields.endpoint.get(cluster);
  if (!isValidEndpoint(endpoint)) throw new TypeError("waiting for the Cluster to have an endpoint");
  const consequence = "the kubeconfig of the cluster cannot be created or renewed";
  const server = await signingAuthority(options, context, { purpose: SecretPurpose.ca, consequence });
  const { clientAuthority: purpose = SecretPurpose.ca } = options;
  const isSame = purpose === SecretPurpose.ca;
  return adminKubeconfig({
    clusterName: cluster.metadata.name ?? "",
    endpoint,
    serverAuthority: server.certificate,
    clientAuthority: isSame ? server : await signingAuthority(options, context, { purpose, consequence }),
    clock,
  });
};

const keepKubeconfig = async <O extends KubeObject>(
  options: Options<O>,
  context: ControlPlaneContext<O>,
): Promise<void> => {
  const { client, object, call } = context;
  const purpose = SecretPurpose.kubeconfig;
  const key = clusterSecretKey(context, purpose);
  const owner = ownerOf(options, object);
  const found = await readClusterSecret(context, purpose, { confirm: false });
  if (found === undefined) {
    await createClusterSecret(context, purpose, { data: { value: await newKubeconfig(options, context) }, owner });
    return;
  }
  await ownClusterSecret(context, purpose, owner);
  if (!isDue(found, context)) return;
  const body = {
    stringData: { value: await newKubeconfig(options, context) },
    metadata: { resourceVersion: found.secret.metadata.resourceVersion },
  };
  await client.patch(SecretResource, key, { type: "merge", body }, call);
};

/** With the config that made them the Secrets would go, and the cluster's authority with them. */
const adoptCertificates = async <O extends KubeObject>(
  options: Options<O>,
  context: ControlPlaneContext<O> & { readonly machine: Machine },
): Promise<void> => {
  const { client, machine, object, call } = context;
  const { configRef } = machine.spec.bootstrap;
  for (const { purpose } of options.certificates(context)) {
    const key = clusterSecretKey(context, purpose);
    const secret = await client.find(SecretResource, key, call);
    const controller = secret === undefined ? undefined : controllerOf(secret);
    if (secret === undefined || controller?.kind !== configRef?.kind || controller?.name !== configRef?.name) continue;
    const { ownerReferences = [], resourceVersion } = secret.metadata;
    const others = ownerReferences.filter(({ uid }) => uid !== controller?.uid);
    const body = { metadata: { resourceVersion, ownerReferences: [...others, ownerOf(options, object)] } };
    await client.patch(SecretResource, key, { type: "merge", body }, call);
  }
};

/** Keeps the Secrets of clusters for the author of their control planes. */
export const controlPlaneSecrets = <O extends KubeObject>(options: Options<O>): ControlPlaneSecrets<O> => ({
  signingAuthority: (context, about) => signingAuthority(options, context, about),
  keepCertificates: (context) => keepCertificates(options, context),
  missingCertificates: async (context) =>
    (await missingOf(context, options.certificates(context))).map(
      ({ purpose }) =>
        `waiting for the missing certificate ${purpose}: CertificatesAvailable says how to restore its Secret`,
    ),
  keepKubeconfig: (context) => keepKubeconfig(options, context),
  adoptCertificates: (context) => adoptCertificates(options, context),
});
