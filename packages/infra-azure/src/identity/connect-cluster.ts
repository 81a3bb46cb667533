import { CapstanError, Secret } from "@capstan/contract";
import { describeObject } from "@capstan/contract/wire";
import { requireDefaultCredentials } from "@capstan/kit";
import type { Credentials, SecretRef } from "@capstan/kit/machine";
import { isBeingDeleted, keyText } from "@capstan/kube-values";
import type { KubeObject } from "@capstan/schema";
import type { AzureCluster } from "../api/azure-cluster.v1beta1.ts";
import { AzureClusterIdentity } from "../api/azure-cluster-identity.v1beta1.ts";
import type { AzureApi } from "../cloud/azure-api.ts";
import type { Connect } from "../cloud/connections.ts";
import type { Principal } from "../cloud/token-source.ts";
import type { AzureProviderOptions } from "../options.ts";
import type { Identities } from "./identities.ts";
import { identityKey } from "./identities.ts";
import { defaultTokenFile, isAllowed, notAllowed, principalOf } from "./principal.ts";

export interface ConnectPlace {
  readonly cluster: AzureCluster;
  /** Object that is reconciled, which errors name. Default: the AzureCluster. */
  readonly object?: KubeObject;
  readonly identities: Pick<Identities, "admitted" | "of" | "labelsOf">;
  readonly credentialsOf: (ref: SecretRef) => Promise<Credentials>;
}

const subscriptionMissing = (object: AzureCluster): CapstanError =>
  new CapstanError({
    code: "azure.subscription_missing",
    reason: "SubscriptionMissing",
    message: `${describeObject(object)}: spec.subscriptionID is missing; set it, or AZURE_SUBSCRIPTION_ID of the manager`,
    retry: { kind: "never" },
  });

const identityMissing = (object: KubeObject, what: string): CapstanError =>
  new CapstanError({
    code: "azure.identity_missing",
    reason: "IdentityMissing",
    message: `${describeObject(object)}: ${what}`,
    retry: { kind: "never" },
  });

/** The subscription of an AzureCluster. */
export const subscriptionOf = (object: AzureCluster, { subscriptionId = "" }: AzureProviderOptions): string => {
  const given = object.spec?.subscriptionID ?? "";
  const subscription = given === "" ? subscriptionId : given;
  if (subscription !== "") return subscription;
  throw subscriptionMissing(object);
};

/** Returns advice for deleting the remains at Azure by hand when the identity is gone. */
const orByHand = ({ cluster, object = cluster }: ConnectPlace, options: AzureProviderOptions): string => {
  const { name = "" } = cluster.metadata;
  const group = cluster.spec?.resourceGroup || name;
  const where = `the resource group ${group} of the subscription ${subscriptionOf(cluster, options)}`;
  const finalizers = (object.metadata.finalizers ?? []).join(", ");
  return `or delete the remains of ${describeObject(object)} in ${where} yourself and remove its finalizers: ${finalizers}`;
};

const identityGone = (place: ConnectPlace, name: string, options: AzureProviderOptions): CapstanError => {
  const { cluster, object = cluster } = place;
  const of = cluster === object ? "spec.identityRef" : `spec.identityRef of ${describeObject(cluster)}`;
  const create = isBeingDeleted(object) ? `recreate it, ${orByHand(place, options)}` : "create it";
  return identityMissing(object, `${AzureClusterIdentity.kind} ${name} of ${of} does not exist; ${create}`);
};

/** The same of an identity in another namespace that does not exist, and of one that is not for this namespace. */
const noneAllowed = (place: ConnectPlace, name: string, options: AzureProviderOptions): CapstanError => {
  const { cluster, object = cluster } = place;
  const { namespace = "" } = cluster.metadata;
  const mend = `create it, or add ${namespace} to its spec.allowedNamespaces`;
  const ways = isBeingDeleted(object) ? `${mend}, ${orByHand(place, options)}` : mend;
  const text = `no ${AzureClusterIdentity.kind} ${name} is usable in the namespace ${namespace}; ${ways}`;
  return new CapstanError({
    code: "azure.identity_not_allowed",
    reason: "NamespaceNotAllowedByIdentity",
    message: `${describeObject(object)}: spec.identityRef: ${text}`,
    retry: { kind: "never" },
  });
};

const principal = async (place: ConnectPlace, options: AzureProviderOptions): Promise<Principal> => {
  const { cluster, identities } = place;
  const key = identityKey(cluster);
  if (key === undefined) {
    if (options.token !== undefined) {
      requireDefaultCredentials(
        options.defaultCredentials,
        cluster.metadata.namespace ?? "",
        "the manager's Azure token",
      );
      return { type: "Token", token: new Secret(options.token) };
    }
    throw identityMissing(cluster, "spec.identityRef is missing; name an AzureClusterIdentity");
  }
  const identity = identities.of(cluster);
  const namespace = cluster.metadata.namespace ?? "";
  const allowed =
    identity !== undefined && isAllowed(identity.spec?.allowedNamespaces, namespace, identities.labelsOf(namespace));
  if (!allowed && key.namespace !== namespace) throw noneAllowed(place, keyText(key), options);
  if (identity === undefined) throw identityGone(place, keyText(key), options);
  if (!allowed) throw notAllowed(identity, namespace);
  await identities.admitted(identity);
  const tokenFile = options.federatedTokenFile ?? defaultTokenFile;
  const { defaultCredentials } = options;
  return principalOf(identity, { credentialsOf: place.credentialsOf, tokenFile, defaultCredentials });
};

/** Opens the subscription of an AzureCluster as its identity. */
export const connectCluster = async (
  place: ConnectPlace,
  connect: Connect,
  options: AzureProviderOptions,
): Promise<AzureApi> => {
  const { cluster } = place;
  const given = cluster.spec?.azureEnvironment ?? "";
  return connect({
    environment: given === "" ? "AzurePublicCloud" : given,
    subscription: subscriptionOf(cluster, options),
    principal: await principal(place, options),
  });
};
