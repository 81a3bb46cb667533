import { SecretPurpose } from "@capstan/contract";
import type { Waiting } from "@capstan/kit/resource";
import type { LinodeObjectStorageKey } from "../api/linode-object-storage-key.v1alpha2.ts";
import { LinodeReason } from "../api/linode-conditions.ts";
import { secretKeyOf } from "./secret-contents.ts";

/** Suffixes that Secrets of clusters have after the cluster's name. */
const purposes = [...Object.values(SecretPurpose), "peer-etcd", "token", "agent-token", "azure-json"];

/**
 * Returns what is wrong with the name of the Secret: its contents are the user's, so other controllers must not read it
 * by its name.
 */
export const nameProblem = (object: LinodeObjectStorageKey): Waiting | undefined => {
  const { name } = secretKeyOf(object);
  const purpose = purposes.find((each) => name.endsWith(`-${each}`));
  if (purpose === undefined) return undefined;
  const message = `spec.generatedSecret.name: ${name} is what the Secret ${purpose} of a cluster is called; choose a name that does not end in -${purpose}`;
  return { reason: LinodeReason.secretNameReserved, message };
};
