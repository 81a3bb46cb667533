import { CapstanError } from "@capstan/contract";
import type { ObjectStore, ObjectStoreOpener } from "@capstan/contract/v1";
import type { SecretData, StoreAccess, StoreTarget } from "./store-access.ts";
import { step } from "./store-step.ts";

/** Opens the store behind a Secret, as the type that the Secret, the provider or the application says. */
export const openStore = async (access: StoreAccess, target: StoreTarget): Promise<ObjectStore> => {
  const { defaultType, openers, readSecret } = access;
  if (openers === undefined || openers.length === 0) {
    throw new CapstanError({
      code: "objectstore.not_plugged_in",
      reason: "ObjectStoreUnavailable",
      message: "no object store is plugged into this application; name one in its configuration",
      retry: { kind: "never" },
    });
  }
  const data = await readSecret(target.ref);
  if (data === undefined) {
    throw new CapstanError({
      code: "objectstore.secret_missing",
      reason: "ObjectStoreSecretMissing",
      message: `Secret ${target.secret} with the credentials of the object store does not exist; create it`,
    });
  }
  const opener = openerOf(openers, typeOf(data, defaultType), target);
  return step("objectstore.open_failed", "ObjectStoreOpenFailed", `open the store of Secret ${target.secret}`, () =>
    opener.open(data, { namespace: target.ref.namespace }),
  );
};

const typeOf = (data: SecretData, byProvider: string | undefined): string | undefined => {
  const said = data["type"]?.trim();
  return said === undefined || said === "" ? byProvider : said;
};

const openerOf = (
  openers: readonly ObjectStoreOpener[],
  type: string | undefined,
  { secret }: StoreTarget,
): ObjectStoreOpener => {
  const known = openers.map((opener) => opener.type).join(", ");
  const opener = openers.find((candidate) => (type === undefined ? candidate.isDefault : candidate.type === type));
  if (opener !== undefined) return opener;
  if (type === undefined) {
    throw new CapstanError({
      code: "objectstore.type_missing",
      reason: "ObjectStoreTypeMissing",
      message: `Secret ${secret} does not say of what type its object store is; write one of ${known} under its key "type"`,
    });
  }
  throw new CapstanError({
    code: "objectstore.type_unknown",
    reason: "ObjectStoreTypeUnknown",
    message: `Secret ${secret}: the type "${type}" of its object store is none of ${known}; correct its key "type", or plug such a store into the application`,
    retry: { kind: "never" },
  });
};
