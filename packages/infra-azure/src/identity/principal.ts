import { CapstanError, Secret } from "@capstan/contract";
import type { DefaultCredentialsV1 } from "@capstan/contract/v1";
import { describeObject } from "@capstan/contract/wire";
import { requireDefaultCredentials } from "@capstan/kit";
import type { Credentials, SecretRef } from "@capstan/kit/machine";
import { isEmptySelector, selects } from "@capstan/kube-values";
import { own } from "@capstan/schema";
import type { AzureClusterIdentity } from "../api/azure-cluster-identity.v1beta1.ts";
import { certificateText } from "../cloud/certificate-text.ts";
import type { Principal } from "../cloud/token-source.ts";

type Spec = NonNullable<AzureClusterIdentity["spec"]>;

/** Where the token of a pod with workload identity is. */
export const defaultTokenFile = "/var/run/secrets/azure/tokens/azure-identity-token";

const secretKey = "clientSecret";

/** Returns whether AzureClusters of a namespace may use an identity: none by default, all where nothing is named. */
export const isAllowed = (
  allowed: Spec["allowedNamespaces"],
  namespace: string,
  labels: Readonly<Record<string, string>>,
): boolean => {
  if (allowed === undefined) return false;
  const { list, selector } = allowed;
  if (list === undefined && selector === undefined) return true;
  if ((list ?? []).includes(namespace)) return true;
  return selector !== undefined && !isEmptySelector(selector) && selects(selector, labels);
};

/** The error of an AzureCluster in a namespace that may not use the identity. */
export const notAllowed = (identity: AzureClusterIdentity, namespace: string): CapstanError =>
  new CapstanError({
    code: "azure.identity_not_allowed",
    reason: "NamespaceNotAllowedByIdentity",
    message: `${describeObject(identity)} may not be used in the namespace ${namespace}; add it to spec.allowedNamespaces`,
    retry: { kind: "never" },
  });

const unusable = (identity: AzureClusterIdentity, what: string): CapstanError =>
  new CapstanError({
    code: "azure.identity_invalid",
    reason: "IdentityInvalid",
    message: `${describeObject(identity)}: ${what}`,
    retry: { kind: "never" },
  });

export interface PrincipalReader {
  /** Throws when there is no such Secret. */
  readonly credentialsOf: (ref: SecretRef) => Promise<Credentials>;
  /** The file with the token of this process. */
  readonly tokenFile: string;
  /** For whom the identities of this process and its files are. */
  readonly defaultCredentials?: DefaultCredentialsV1 | undefined;
}

const secretOf = (identity: AzureClusterIdentity, { credentialsOf }: PrincipalReader): Promise<Credentials> => {
  const { name = "", namespace = "" } = identity.spec?.clientSecret ?? {};
  if (name === "") {
    throw unusable(identity, "spec.clientSecret.name is missing; name the Secret with the key clientSecret");
  }
  return credentialsOf({ name, namespace: namespace === "" ? (identity.metadata.namespace ?? "") : namespace });
};

/** The client secret of an identity, for configurations that hold it; empty where it has none, or its Secret is not there yet. */
export const clientSecretOf = async (
  { metadata, spec }: AzureClusterIdentity,
  readSecret: (ref: SecretRef) => Promise<Credentials | undefined>,
): Promise<string> => {
  const { name = "", namespace = "" } = spec?.clientSecret ?? {};
  if (!["ServicePrincipal", "ManualServicePrincipal"].includes(spec?.type ?? "") || name === "") return "";
  const found = await readSecret({ name, namespace: namespace === "" ? (metadata.namespace ?? "") : namespace });
  return found?.optional(secretKey)?.reveal() ?? "";
};

/** Environments by the names that credentials of user-assigned identities have for them. */
export const credentialClouds: Readonly<Record<string, string>> = {
  public: "AzurePublicCloud",
  china: "AzureChinaCloud",
  usgovernment: "AzureUSGovernmentCloud",
};

const withSecret = new Set<Spec["type"]>(["ServicePrincipal", "ManualServicePrincipal"]);

/** Returns whether an identity is proved by something that the manager has, and not by a Secret. */
const isOfTheManager = ({ certPath = "", type }: Spec): boolean =>
  !withSecret.has(type) && (type !== "ServicePrincipalCertificate" || certPath !== "");

/** Who an identity is, and by what it proves that. What the manager has is only for identities in namespaces that may use it. */
export const principalOf = async (identity: AzureClusterIdentity, reader: PrincipalReader): Promise<Principal> => {
  const { spec } = identity;
  if (spec === undefined) throw unusable(identity, "it has no spec; set it");
  const { clientID: client, tenantID: tenant } = spec;
  if (isOfTheManager(spec)) {
    const { namespace = "" } = identity.metadata;
    requireDefaultCredentials(reader.defaultCredentials, namespace, `what proves an identity of the type ${spec.type}`);
  }
  switch (spec.type) {
    case "ServicePrincipal":
    case "ManualServicePrincipal": {
      const credentials = await secretOf(identity, reader);
      return { type: "ClientSecret", tenant, client, secret: credentials.required(secretKey) };
    }
    case "ServicePrincipalCertificate": {
      if (spec.certPath !== undefined && spec.certPath !== "") {
        return { type: "Certificate", tenant, client, certificate: { path: spec.certPath } };
      }
      const certificate = certificateText((await secretOf(identity, reader)).bytes(secretKey).reveal());
      return { type: "Certificate", tenant, client, certificate: { pem: new Secret(certificate) } };
    }
    case "WorkloadIdentity":
      return { type: "Federated", tenant, client, tokenFile: reader.tokenFile };
    case "UserAssignedMSI":
      return { type: "Managed", client };
    case "UserAssignedIdentityCredential": {
      const { userAssignedIdentityCredentialsCloudType: cloud = "", userAssignedIdentityCredentialsPath: path = "" } =
        spec;
      if (path === "") {
        throw unusable(
          identity,
          "spec.userAssignedIdentityCredentialsPath is missing; name the file with the credentials",
        );
      }
      const environment = own(credentialClouds, cloud === "" ? "public" : cloud.toLowerCase());
      if (environment !== undefined) return { type: "IdentityCredential", path, environment };
      throw unusable(
        identity,
        `spec.userAssignedIdentityCredentialsCloudType must be public, china or usgovernment, not ${cloud}`,
      );
    }
  }
};
