import { forbidden, invalid, required } from "@capstan/kit/admission";
import type { Cause } from "@capstan/schema";
import type { AzureClusterIdentity } from "../api/azure-cluster-identity.v1beta1.ts";
import { credentialClouds } from "../identity/principal.ts";

type Spec = NonNullable<AzureClusterIdentity["spec"]>;

const withSecret = new Set(["ServicePrincipal", "ManualServicePrincipal"]);

const credentialCauses = ({
  userAssignedIdentityCredentialsCloudType: cloud = "",
  userAssignedIdentityCredentialsPath: path = "",
}: Spec): readonly Cause[] => [
  ...(path === "" ? [required("spec.userAssignedIdentityCredentialsPath", "the file with the credentials")] : []),
  ...(cloud === "" || cloud.toLowerCase() in credentialClouds
    ? []
    : [
        invalid(
          "spec.userAssignedIdentityCredentialsCloudType",
          cloud,
          `must be one of ${Object.keys(credentialClouds).join(", ")}`,
        ),
      ]),
];

/** Validates an identity, and changes to it. */
export const identityCauses = (
  { spec }: AzureClusterIdentity,
  old: AzureClusterIdentity | undefined,
): readonly Cause[] => {
  if (spec === undefined) return [];
  const { certPath = "", clientSecret, resourceID = "", type } = spec;
  const before = old?.spec?.type;
  const hasSecret = (clientSecret?.name ?? "") !== "";
  const needsSecret = withSecret.has(type) || (type === "ServicePrincipalCertificate" && certPath === "");
  return [
    ...(before !== undefined && before !== type ? [invalid("spec.type", type, "field is immutable")] : []),
    ...(resourceID !== "" && type !== "UserAssignedMSI"
      ? [forbidden("spec.resourceID", "only where type is UserAssignedMSI")]
      : []),
    ...(needsSecret && !hasSecret ? [required("spec.clientSecret.name", "the Secret with the key clientSecret")] : []),
    ...(type === "UserAssignedIdentityCredential" ? credentialCauses(spec) : []),
  ];
};
