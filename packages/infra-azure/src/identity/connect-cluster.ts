import { CapstanError, Secret } from "@capstan/contract";
import { describeObject } from "@capstan/contract/wire";
import type { Credentials, SecretRef } from "@capstan/kit/machine";
import { isBeingDeleted } from "@capstan/kube-values";
import type { AzureCluster } from "../api/azure-cluster.v1beta1.ts";
import type { AzureApi } from "../cloud/azure-api.ts";
import type { Connect } from "../cloud/connections.ts";
import type { Principal } from "../cloud/token-source.ts";
import type { AzureProviderOptions } from "../options.ts";
import type { Identities } from "./identities.ts";
import { identityKey } from "./identities.ts";
import { defaultTokenFile, isAllowed, notAllowed, principalOf } from "./principal.ts";

export interface ConnectPlace {
  readonly cluster: AzureCluster;
  readonly identities: Pick<Identities, "of" | "labelsOf">;
  readonly credentialsOf: (ref: SecretRef) => Promise<Credentials>;
}

const subscriptionMissing = (object: AzureCluster): CapstanError =>
  new CapstanError({
    code: "azure.subscription_missing",
    reason: "SubscriptionMissing",
    message: `${describeObject(object)}: spec.subscriptionID is missing; set it, or AZURE_SUBSCRIPTION_ID of the manager`,
    retry: { kind: "never" },
  });

const identityMissing = (object: AzureCluster, what: string): CapstanError =>
  new CapstanError({
    code: "azure.identity_missing",
    reason: "IdentityMissing",
    message: `${describeObject(object)}: ${what}`,
    retry: { kind: "never" },
  });

/** The subscription of an AzureCluster. */
const subscriptionOf = (object: AzureCluster, { subscriptionId = "" }: AzureProviderOptions): string => {
  const given = object.spec?.subscriptionID ?? "";
  const subscription = given === "" ? subscriptionId : given;
  if (subscription !== "") return subscription;
  throw subscriptionMissing(object);
};

const principal = async (place: ConnectPlace, options: AzureProviderOptions): Promise<Principal> => {
  const { cluster, identities } = place;
  const key = identityKey(cluster);
  if (key === undefined) {
    if (options.token !== undefined) return { type: "Token", token: new Secret(options.token) };
    throw identityMissing(cluster, "spec.identityRef is missing; name an AzureClusterIdentity");
  }
  const identity = identities.of(cluster);
  if (identity === undefined) {
    const name = `AzureClusterIdentity ${key.namespace}/${key.name}`;
    const orEnd = isBeingDeleted(cluster)
      ? " again, or take its finalizers away if nothing of it is left at Azure"
      : "";
    const text = `${name} of spec.identityRef does not exist; create it${orEnd}`;
    throw identityMissing(cluster, text);
  }
  const namespace = cluster.metadata.namespace ?? "";
  if (!isAllowed(identity.spec?.allowedNamespaces, namespace, identities.labelsOf(namespace))) {
    throw notAllowed(identity, namespace);
  }
  const tokenFile = options.federatedTokenFile ?? defaultTokenFile;
  return principalOf(identity, { credentialsOf: place.credentialsOf, tokenFile });
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
