import type { ObjectStoreRequest } from "@capstan/kit/machine";
import type { AzureCluster } from "../api/azure-cluster.v1beta1.ts";
import { objectStoreAnnotation } from "../api/names.ts";

/** The object store for bootstrap data that is too large for custom data: upstream's kind has no field for it. */
export const objectStoreRequest = (cluster: AzureCluster | undefined): ObjectStoreRequest | undefined => {
  const name = cluster?.metadata.annotations?.[objectStoreAnnotation] ?? "";
  return name === "" ? undefined : { credentialsRef: { name }, defaultType: "azure-blob" };
};
