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
      message: "no object store is configured; add one to the manager's configuration",
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
      message: `Secret ${secret} has no key "type"; set it to one of ${known}`,
    });
  }
  throw new CapstanError({
    code: "objectstore.type_unknown",
    reason: "ObjectStoreTypeUnknown",
    message: `Secret ${secret}: unknown object store type "${type}"; set its key "type" to one of ${known}, or load such a store`,
    retry: { kind: "never" },
  });
};
