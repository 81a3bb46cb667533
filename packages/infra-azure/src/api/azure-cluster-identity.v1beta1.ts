import {
  enumOf,
  kind,
  labelSelector,
  legacyConditions,
  list,
  object,
  optional,
  readsSecret,
  secretReference,
  string,
} from "@capstan/schema";
import { azureKind } from "./names.ts";

const allowedNamespaces = () =>
  object(
    {
      list: optional(list(string({ description: "One namespace." }), { description: "Namespaces by name." })),
      selector: optional(labelSelector({ description: "Namespaces by label; empty selects none." })),
    },
    { description: "Namespaces whose AzureClusters may use it: none when unset, all when empty." },
  );

export const AzureClusterIdentity = kind({
  ...azureKind,
  kind: "AzureClusterIdentity",
  plural: "azureclusteridentities",
  references: [readsSecret("spec.clientSecret")],
  description: "Who AzureClusters and their machines act as at Azure.",
  columns: [
    { name: "Type", path: ".spec.type" },
    { name: "Age", path: ".metadata.creationTimestamp", type: "date" },
  ],
  spec: optional(
    object(
      {
        type: enumOf(
          [
            "ServicePrincipal",
            "UserAssignedMSI",
            "ManualServicePrincipal",
            "ServicePrincipalCertificate",
            "WorkloadIdentity",
            "UserAssignedIdentityCredential",
          ],
          { description: "How it proves who it is." },
        ),
        tenantID: string({ description: "Tenant that it belongs to." }),
        clientID: string({ description: "Its client ID." }),
        clientSecret: optional(secretReference({ description: "Secret with the key clientSecret." })),
        certPath: optional(string({ description: "File with the certificate of a ServicePrincipalCertificate." })),
        userAssignedIdentityCredentialsPath: optional(
          string({ description: "File with the credentials of a UserAssignedIdentityCredential." }),
        ),
        userAssignedIdentityCredentialsCloudType: optional(
          string({ description: "Cloud of these credentials: public, china or usgovernment." }),
        ),
        resourceID: optional(string({ description: "Not used any more; with UserAssignedMSI only." })),
        allowedNamespaces: optional(allowedNamespaces()),
      },
      { description: "The identity." },
    ),
  ),
  status: object({ conditions: optional(legacyConditions()) }),
});

/** One AzureClusterIdentity. */
export type AzureClusterIdentity = typeof AzureClusterIdentity.Type;
