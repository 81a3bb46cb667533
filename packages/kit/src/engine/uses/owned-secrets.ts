import { isCapstanError } from "@capstan/contract";
import { SecretResource } from "@capstan/contract/wire";
import type { KubeObject } from "@capstan/schema";
import type { SecretBytes } from "../credentials.ts";
import { watched } from "../permissions.ts";
import { isOwn, keyIn, nameTaken, wholeObject } from "./draft.ts";
import type { Use, UsePlace } from "./use.ts";

/** Secrets that the user of `ownedSecrets` owns. The cache knows their metadata only: contents are read once per version. */
export interface OwnedSecrets {
  /** The contents; `undefined` when there is none of this name, or it is not the user's own. */
  read(name: string): Promise<SecretBytes | undefined>;
  /** Returns whether the name is taken by another owner. */
  isOthers(name: string): boolean;
  /** Creates it, or updates its contents if they differ. Throws `kit.owned_name_taken` if it has another owner. */
  write(
    name: string,
    data: Readonly<Record<string, string | Uint8Array>>,
    options?: {
      readonly type?: string;
      /** Options for creating one. */ readonly labels?: Readonly<Record<string, string>>;
    },
  ): Promise<void>;
  /** One that is gone is success. */
  delete(name: string): Promise<void>;
}

/** Secrets that the user owns and controls. */
export const ownedSecrets = (): Use<OwnedSecrets> => ({
  permissions: [
    watched(SecretResource, ["get", "create"], {
      patch: "contents that change",
      delete: "one that is not used any more",
    }),
  ],
  attach: () => ({ sources: [], open: secretsOf }),
});

const encoded = (data: Readonly<Record<string, string | Uint8Array>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(data).map(([key, value]) => [key, Buffer.from(value).toString("base64")]));

const encodedBytes = (data: SecretBytes): Readonly<Record<string, string>> => encoded(data);

const secretsOf = (place: UsePlace): OwnedSecrets => {
  const { environment, identity, request, secrets } = place;
  const { cache, client, signal } = environment;
  const read = async (name: string): Promise<SecretBytes | undefined> => {
    const found = await secrets.read({ namespace: identity.namespace, name }, request, environment);
    const known = cache.get(SecretResource, keyIn(place, name));
    return known !== undefined && isOwn(place, known) ? found?.data : undefined;
  };
  const set = async (present: KubeObject, data: Readonly<Record<string, string>>): Promise<void> => {
    if (!isOwn(place, present)) throw nameTaken(place, present);
    const { name = "", resourceVersion } = present.metadata;
    const gone = Object.keys(present["data"] ?? {}).filter((key) => !(key in data));
    const body = {
      metadata: { resourceVersion },
      data: { ...Object.fromEntries(gone.map((key) => [key, null])), ...data },
    };
    await client.patch(SecretResource, keyIn(place, name), { type: "merge", body }, { signal });
  };
  return {
    read,
    isOthers: (name) => {
      const known = cache.get(SecretResource, keyIn(place, name));
      return known !== undefined && !isOwn(place, known);
    },
    write: async (name, contents, { labels = {}, type = "Opaque" } = {}) => {
      const data = encoded(contents);
      const known = await read(name);
      if (known !== undefined && sameEntries(encodedBytes(known), data)) return;
      const draft = { metadata: { name, labels }, type, data };
      const present =
        known === undefined ? undefined : await client.find(SecretResource, keyIn(place, name), { signal });
      if (present !== undefined) {
        await set(present, data);
        return;
      }
      try {
        await client.create(SecretResource, wholeObject(place, SecretResource, draft), { signal });
      } catch (error) {
        if (!isCapstanError(error, "kube.already_exists")) throw error;
        await set(await client.get(SecretResource, keyIn(place, name), { signal }), data);
      }
    },
    delete: (name) => client.delete(SecretResource, keyIn(place, name), { signal }),
  };
};

const sameEntries = (left: Readonly<Record<string, string>>, right: Readonly<Record<string, string>>): boolean =>
  Object.keys(left).length === Object.keys(right).length &&
  Object.entries(left).every(([key, value]) => right[key] === value);
