import { rfc3339 } from "@capstan/contract";
import type { ControllerV1 } from "@capstan/contract/v1";
import { SecretResource } from "@capstan/contract/wire";
import { ownedAnywhere, referenced } from "@capstan/kit/engine";
import type { Difference, ResourceContext, Waiting } from "@capstan/kit/resource";
import { resource } from "@capstan/kit/resource";
import type { ObjectStorageKey } from "@capstan/linode-client";
import type { KubeObject } from "@capstan/schema";
import { sameJson } from "@capstan/schema";
import { LinodeReason } from "../api/linode-conditions.ts";
import { LinodeObjectStorageBucket } from "../api/linode-object-storage-bucket.v1alpha2.ts";
import { LinodeObjectStorageKey } from "../api/linode-object-storage-key.v1alpha2.ts";
import type { Connect } from "../cloud/connections.ts";
import { linodeError } from "../cloud/errors.ts";
import type { LinodeApi } from "../cloud/linode-api.ts";
import { namedSecret } from "../cloud/secret-ref.ts";
import type { LinodeProviderOptions } from "../options.ts";
import { labelledCluster } from "../resource/cluster-owner.ts";
import { finalizersOf } from "../resource/finalizers.ts";
import { thingAuthor } from "../resource/resource-author.ts";
import { keyRecordAnnotations, keyRecordOf } from "./key-record.ts";
import type { KeyRecord } from "./key-record.ts";
import { isOwnKey, keyLabel } from "./own-key.ts";
import { keyLabels, secretContents, secretKeyOf, secretTypeOf, templateProblem } from "./secret-contents.ts";
import { nameProblem } from "./secret-name.ts";

const uses = {
  cluster: labelledCluster(),
  buckets: referenced<LinodeObjectStorageBucket, LinodeObjectStorageKey>(LinodeObjectStorageBucket, ({ spec }) =>
    spec.bucketAccess.map(({ bucketName: name }) => ({ name })),
  ),
  secrets: ownedAnywhere<KubeObject>(SecretResource, keyLabels, { verbs: ["create", "delete", "patch"] }),
};

/** The object's keys at Linode, of which one is in the Secret. */
interface Keys {
  readonly all: readonly ObjectStorageKey[];
  readonly secret: KubeObject | undefined;
  readonly record: KeyRecord | undefined;
  /** The key that the Secret holds. */
  readonly current: ObjectStorageKey | undefined;
}

type Context = ResourceContext<LinodeObjectStorageKey, LinodeApi, typeof uses>;

/** Keys for buckets, each in a Secret. The API shows a key's secret once, so that a key without its Secret is recreated. */
export const linodeObjectStorageKey = (connect: Connect, options: LinodeProviderOptions): ControllerV1 =>
  resource<LinodeObjectStorageKey, LinodeApi, Keys, typeof uses>({
    ...thingAuthor(LinodeObjectStorageKey, connect, options),
    noun: "the object storage key",
    uses,
    waits: ({ object, uses: { buckets } }) =>
      nameProblem(object) ??
      templateProblem(object) ??
      bucketNotOwned(object, buckets.list()) ??
      bucketsNotReady(buckets.list()),
    find,
    facts: factsOf,
    retained: ({ object }) => neededBy(object),
    create: renew,
    differences: differencesOf,
    update: async (context) => {
      const { actual, api, call, differences } = context;
      if (differences.some(({ field }) => field !== spareKeys)) {
        await renew(context);
        return;
      }
      for (const { id } of actual.all) if (id !== actual.current?.id) await api.deleteStorageKey(id, call);
    },
    remove: async (context) => {
      const { api, call, uses: used } = context;
      const present = await used.secrets.find(secretKeyOf(context.object));
      if (present !== undefined) await used.secrets.delete(present);
      for (const { id } of (await find(context))?.all ?? []) await api.deleteStorageKey(id, call);
    },
  });

/** Not of our own kind: keys beside the one in the Secret. */
const spareKeys = "keys of earlier attempts";

/**
 * The manager's own token reaches every bucket of the account: with it, keys are made for those alone that are a LinodeObjectStorageBucket's
 * beside the object. Credentials of the object's own make keys for what they reach.
 */
const bucketNotOwned = (
  { spec }: LinodeObjectStorageKey,
  buckets: readonly LinodeObjectStorageBucket[],
): Waiting | undefined => {
  if (namedSecret(spec.credentialsRef) !== undefined) return undefined;
  const isOwned = ({ bucketName, region }: Access[number]): boolean =>
    buckets.some((bucket) => bucket.metadata.name === bucketName && bucket.spec.region === region);
  const index = spec.bucketAccess.findIndex((each) => !isOwned(each));
  const access = spec.bucketAccess[index];
  if (access === undefined) return undefined;
  const message = `spec.bucketAccess[${index}]: there is no LinodeObjectStorageBucket ${access.bucketName} of region ${access.region} in this namespace, and the manager's token makes keys for no other bucket; create one, or name credentials of your own in credentialsRef`;
  return { reason: LinodeReason.bucketNotOwned, message };
};

const bucketsNotReady = (buckets: readonly LinodeObjectStorageBucket[]): Waiting | undefined => {
  const waiting = buckets.find(({ status }) => status?.ready !== true);
  if (waiting === undefined) return undefined;
  const message = `waiting for LinodeObjectStorageBucket ${waiting.metadata.name ?? ""} to be ready`;
  return { reason: LinodeReason.waitingForBucket, message };
};

/** A bucket that is to be emptied by means of this key says so by a finalizer. */
const neededBy = ({ metadata }: LinodeObjectStorageKey): Waiting | undefined => {
  const { finalizer } = finalizersOf(LinodeObjectStorageKey);
  const others = (metadata.finalizers ?? []).filter((each) => each !== finalizer && each !== "foregroundDeletion");
  if (others.length === 0) return undefined;
  return { reason: LinodeReason.inUse, message: `waiting until ${others.join(", ")} does not need the key any more` };
};

const find = async ({ api, call, identity, object, uses: used }: Context): Promise<Keys | undefined> => {
  const secret = used.secrets.get(secretKeyOf(object));
  const record = secret === undefined ? undefined : keyRecordOf(secret);
  const all = (await api.storageKeys(call)).filter((key) => isOwnKey(key, { identity, object, record }));
  if (all.length === 0) return undefined;
  return { all, secret, record, current: all.find(({ id }) => id === record?.id) };
};

const factsOf = ({ all, current, record }: Keys) => ({
  handle: String(current?.id ?? all[0]?.id ?? 0),
  ...(current !== undefined &&
    record !== undefined && {
      status: {
        accessKeyRef: current.id,
        lastKeyGeneration: record.generation,
        ...(record.created !== "" && { creationTime: record.created }),
      },
    }),
});

type Access = LinodeObjectStorageKey["spec"]["bucketAccess"];

const accessBody = (access: Access) =>
  access.map(({ bucketName, permissions, region }) => ({ bucket_name: bucketName, permissions, region }));

const byBucket = (access: ReturnType<typeof accessBody>): readonly string[] =>
  access.map((each) => `${each.region}/${each.bucket_name}: ${each.permissions}`).toSorted();

const differencesOf = ({
  actual: { all, current, record },
  object: { spec },
}: {
  readonly actual: Keys;
  readonly object: LinodeObjectStorageKey;
}): readonly Difference[] => {
  if (current === undefined || record === undefined) {
    return [{ field: "spec.generatedSecret", desired: "a Secret with the key", actual: "none", mend: "update" }];
  }
  const access = (current.bucket_access ?? []).map(({ bucket_name, permissions, region }) => ({
    bucket_name,
    permissions,
    region,
  }));
  const found: readonly (Difference | false)[] = [
    record.generation !== spec.keyGeneration && {
      field: "spec.keyGeneration",
      desired: String(spec.keyGeneration),
      actual: String(record.generation),
      mend: "update",
    },
    !sameJson(byBucket(access), byBucket(accessBody(spec.bucketAccess))) && {
      field: "spec.bucketAccess",
      desired: byBucket(accessBody(spec.bucketAccess)).join(", "),
      actual: byBucket(access).join(", "),
      mend: "update",
    },
    all.length > 1 && { field: spareKeys, mend: "update" },
  ];
  return found.filter((difference) => difference !== false);
};

/** Makes a key and puts it into the Secret. Keys beside it are revoked afterwards: until then, the old one works. */
const renew = async (context: Context): Promise<void> => {
  const { api, call, clock, identity, object, uses: used } = context;
  const { bucketAccess, keyGeneration: generation } = object.spec;
  const [{ bucketName, region } = { bucketName: "", region: "" }] = bucketAccess;
  const bucket = await api.bucket(region, bucketName, call);
  if (bucket === undefined) {
    const why = `spec.bucketAccess[0]: there is no bucket ${bucketName} in ${region}; create it, or correct the name`;
    throw linodeError("notFound", why);
  }
  const label = keyLabel(identity);
  const key = await api.createStorageKey({ label, bucket_access: accessBody(bucketAccess) }, call);
  const record = { id: key.id, generation, created: rfc3339(clock.now()) };
  const data = encoded(secretContents(object, key, bucket));
  const annotations = keyRecordAnnotations(record);
  const { name, namespace } = secretKeyOf(object);
  const present = used.secrets.get({ name, namespace });
  if (present === undefined) {
    await used.secrets.create({ metadata: { name, annotations }, type: secretTypeOf(object), data }, namespace);
    // One that was there although no one knew of it holds an earlier key.
    const made = used.secrets.get({ name, namespace });
    if (made === undefined || keyRecordOf(made)?.id === key.id) return;
    await used.secrets.patch(made, { metadata: { annotations }, data });
    return;
  }
  await used.secrets.patch(present, { metadata: { annotations }, data });
};

const encoded = (texts: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, Buffer.from(text).toString("base64")]));
