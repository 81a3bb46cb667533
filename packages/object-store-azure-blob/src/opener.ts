import { type CreateObjectStoreV1, type ObjectStoreOpener, withOptions } from "@capstan/contract/v1";
import { requireDefaultCredentials } from "@capstan/kit";
import { type AzureBlobObjectStoreOptions, declaration } from "./options.ts";
import { readSettings } from "./settings.ts";
import { azureBlobStore } from "./store.ts";

/** Opens stores of type `azure-blob`: containers of Azure Blob Storage. Opening makes no call. */
export const azureBlobObjectStores = (options: AzureBlobObjectStoreOptions): ObjectStoreOpener => ({
  contract: "v1",
  type: "azure-blob",
  open: (data, { namespace = "" } = { namespace: "" }) => {
    const settings = readSettings(data);
    if (settings.accountKey === undefined && settings.client === undefined) {
      requireDefaultCredentials(options.defaultCredentials, namespace, "an identity of the manager for object stores");
    }
    return azureBlobStore(settings, options);
  },
});

/** The stores as the command loads them. */
export const createObjectStore = withOptions(declaration, (outside, options) => {
  const { clock, defaultCredentials, guard, proxyFor, variable } = outside;
  const federatedTokenFile = variable("AZURE_FEDERATED_TOKEN_FILE");
  return azureBlobObjectStores({
    clock,
    ...(proxyFor !== undefined && { proxyFor }),
    ...(guard !== undefined && { guard }),
    ...(defaultCredentials !== undefined && { defaultCredentials }),
    ...(federatedTokenFile !== undefined && { federatedTokenFile }),
    ...options,
  });
}) satisfies CreateObjectStoreV1;
