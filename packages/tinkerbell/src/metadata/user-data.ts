import { CapstanError } from "@capstan/contract";
import { SecretResource } from "@capstan/contract/wire";
import type { Client } from "@capstan/kube";
import { keyOf, keyText } from "@capstan/kube-values";
import type { Hardware } from "../api/hardware.ts";
import { userDataIn, userDataSecretAnnotation, userDataSecretOf } from "../api/user-data-secret.ts";

/** The first characters of base64 of gzip. */
const packedPrefix = "H4sI";

/** Returns the text unchanged, but base64 of gzip decoded: every cloud-init reads gzip, only recent versions decode base64 first. */
export const plainUserData = (text: string): Buffer =>
  Buffer.from(text, text.startsWith(packedPrefix) && /^[A-Za-z0-9+/\s]+={0,2}\s*$/.test(text) ? "base64" : "utf8");

const unavailable = (hardware: Hardware, why: string): CapstanError =>
  new CapstanError({
    code: "tink.user_data_unavailable",
    reason: "UserDataUnavailable",
    message: `Hardware ${keyText(keyOf(hardware))}: the user data that ${userDataSecretAnnotation} names cannot be served: ${why}`,
  });

/**
 * Returns the user data that the metadata service serves: from the Secret that the Hardware names, otherwise `spec.userData`; empty once it
 * was used. Throws `tink.user_data_unavailable` while there is no such Secret: a machine that got nothing would not ask again.
 */
export const userDataOf = async (
  hardware: Hardware,
  { client, signal }: { readonly client: Pick<Client, "find">; readonly signal: AbortSignal },
): Promise<Buffer> => {
  const ref = userDataSecretOf(hardware);
  if (ref === undefined) return plainUserData(hardware.spec?.userData ?? "");
  if (ref === "used") return Buffer.alloc(0);
  const secret = await client.find(SecretResource, ref, { signal });
  if (secret === undefined) throw unavailable(hardware, `there is no Secret ${keyText(ref)}`);
  const found = userDataIn(secret, hardware);
  if (found === undefined) throw unavailable(hardware, `Secret ${keyText(ref)} is not for this Hardware`);
  return found;
};
