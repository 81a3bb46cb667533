import { rfc3339 } from "@capstan/contract";
import type { ControllerV1 } from "@capstan/contract/v1";
import { SecretResource } from "@capstan/contract/wire";
import { adopts, holdNamesOf, ownerOf, peers, referenced, trustedIds } from "@capstan/kit/engine";
import type { HoldNames, TakenThing } from "@capstan/kit/engine";
import { isBeingDeleted, keyOf, keyText } from "@capstan/kube-values";
import type { Difference, ResourceContext } from "@capstan/kit/resource";
import { resource } from "@capstan/kit/resource";
import type { Bucket, BucketAccess } from "@capstan/linode-client";
import { parseLinodeTime } from "@capstan/linode-client";
import { LinodeObjectStorageBucket } from "../api/linode-object-storage-bucket.v1alpha2.ts";
import { LinodeObjectStorageKey } from "../api/linode-object-storage-key.v1alpha2.ts";
import type { Connect } from "../cloud/connections.ts";
import type { LinodeApi } from "../cloud/linode-api.ts";
import { isRefusedCreation } from "../cloud/errors.ts";
import { namedSecret } from "../cloud/secret-ref.ts";
import type { LinodeProviderOptions } from "../options.ts";
import { secretKeyOf } from "../storage-key/secret-contents.ts";
import { isOlder } from "../resource/age.ts";
import { labelledCluster } from "../resource/cluster-owner.ts";
import { secretHoldNames } from "../resource/finalizers.ts";
import { thingAuthor } from "../resource/resource-author.ts";
import { namedObject } from "../resource/ready-resource.ts";
import { bucketEmptier } from "./bucket-emptier.ts";

const uses = {
  cluster: labelledCluster(),
  key: referenced<LinodeObjectStorageKey, LinodeObjectStorageBucket>(
    LinodeObjectStorageKey,
    ({ spec }) => namedObject(spec.accessKeyRef),
    { follows: true, held: true },
  ),
  emptier: bucketEmptier(),
  ids: trustedIds(),
  peers: peers(LinodeObjectStorageBucket),
};

/** On a LinodeObjectStorageBucket: the mark of the object, by which of several with one name it is that which has the bucket. */
const bucketAnnotation = "capstan.dev/bucket-owner";

const hasBucket = (object: LinodeObjectStorageBucket): boolean =>
  object.metadata.annotations?.[bucketAnnotation] === ownerOf(object).mark;

/** Returns whether an object has the bucket rather than another of the same name. Anybody may write the annotation: of two with it the older counts. */
const comesBefore = (each: LinodeObjectStorageBucket, object: LinodeObjectStorageBucket): boolean =>
  hasBucket(each) === hasBucket(object) ? isOlder(each, object) : hasBucket(each);

/** The object of the same bucket that had it first. Buckets have no tags: it is known among the objects here. */
const firstOf = ({ object, uses: { peers: others } }: Context): LinodeObjectStorageBucket | undefined =>
  others
    .list()
    .find(
      (each) =>
        each.metadata.name === object.metadata.name &&
        each.spec.region === object.spec.region &&
        comesBefore(each, object),
    );

/**
 * Returns whether an object may have a bucket that was there before: what credentials of its own reach is its to use; the manager's token reaches
 * every bucket of the account. A moved object has lost its status, and says by its annotation that the bucket is its own.
 */
const mayTake = ({ object, uses: { ids } }: Context): boolean =>
  namedSecret(object.spec.credentialsRef) !== undefined ||
  adopts(object, ids) ||
  (hasBucket(object) && ids.has(object.metadata.namespace));

const takenBy = (context: Context): TakenThing | undefined => {
  const first = firstOf(context);
  if (first === undefined) return undefined;
  const owner = `${LinodeObjectStorageBucket.kind} ${keyText(keyOf(first))}`;
  return { what: `the bucket ${context.identity.name}`, owner, mend: "rename this one" };
};

interface OpenBucket {
  readonly bucket: Bucket;
  readonly access: BucketAccess;
}

type Context = ResourceContext<LinodeObjectStorageBucket, LinodeApi, typeof uses>;

/** Buckets, named as their objects. One stays when its object is deleted, unless that says otherwise. */
export const linodeObjectStorageBucket = (connect: Connect, options: LinodeProviderOptions): ControllerV1 =>
  resource<LinodeObjectStorageBucket, LinodeApi, OpenBucket, typeof uses>({
    ...thingAuthor(LinodeObjectStorageBucket, connect, options),
    noun: "the bucket",
    uses,
    holds: [
      {
        kind: SecretResource,
        of: ({ uses: used }) => {
          const key = used.key.get();
          return key && secretKeyOf(key);
        },
      },
    ],
    holdNames: (held) =>
      held.kind === LinodeObjectStorageKey.kind ? keyHoldNames : secretHoldNames(LinodeObjectStorageBucket),
    find,
    ownAnnotations: [bucketAnnotation],
    takenBy,
    unmarked: (context) => ({
      what: `the bucket ${context.identity.name} in ${context.object.spec.region}`,
      field: "metadata.name",
      mayTake: mayTake(context),
    }),
    facts: ({ bucket }, object) => ({
      handle: bucket.label,
      annotations: { [bucketAnnotation]: ownerOf(object).mark },
      status: { hostname: bucket.hostname, creationTime: rfc3339(parseLinodeTime(bucket.created)) },
    }),
    isRefusal: isRefusedCreation,
    create: ({ api, call, identity, object: { spec } }) =>
      api.createBucket(
        { label: identity.name, region: spec.region, acl: spec.acl, cors_enabled: spec.corsEnabled },
        call,
      ),
    differences: differencesOf,
    update: async (context) => {
      const { api, call, differences, object } = context;
      const { acl, corsEnabled, region } = object.spec;
      const differs = (field: string): boolean => differences.some((difference) => difference.field === field);
      if (differs("spec.acl") || differs("spec.corsEnabled")) {
        await api.setBucketAccess(region, object.metadata.name ?? "", { acl, cors_enabled: corsEnabled }, call);
      }
    },
    remove,
  });

/** A bucket that stays is none of the object's any more once that is deleted; its key may go then. */
const find = async (context: Context): Promise<OpenBucket | undefined> => {
  const { api, call, identity, object } = context;
  const { forceDeleteBucket = false, region } = object.spec;
  const stays = isBeingDeleted(object) && !forceDeleteBucket;
  const bucket = stays ? undefined : await api.bucket(region, identity.name, call);
  if (bucket !== undefined) return { bucket, access: await api.bucketAccess(region, identity.name, call) };
  return undefined;
};

const ours = holdNamesOf(LinodeObjectStorageBucket);

/** Upstream's finalizers on keys are called as the buckets are. Whatever could be another's is none of them. */
const isBucketName = (finalizer: string): boolean => /^[a-z0-9-]{3,63}$/.test(finalizer) && !standard.has(finalizer);
const standard = new Set(["orphan", "kubernetes"]);

/** The key has to outlive the bucket, which is emptied by means of it. */
const keyHoldNames: HoldNames = {
  of: (bucket) => (isBucketName(bucket.name) ? bucket.name : ours.of(bucket)),
  isOne: (finalizer) => ours.isOne(finalizer) || isBucketName(finalizer),
  ofOthers: ({ name, namespace }, key) => (namespace === key.namespace ? name : undefined),
};

const differencesOf = ({
  actual: { access },
  object: { spec },
}: Context & { readonly actual: OpenBucket }): readonly Difference[] => {
  const { acl, corsEnabled } = spec;
  const found: readonly (Difference | false)[] = [
    access.acl !== acl && { field: "spec.acl", desired: acl, actual: access.acl, mend: "update" },
    // Endpoints that do not know CORS say nothing of it.
    access.cors_enabled !== null &&
      access.cors_enabled !== corsEnabled && {
        field: "spec.corsEnabled",
        desired: String(corsEnabled),
        actual: String(access.cors_enabled),
        mend: "update",
      },
  ];
  return found.filter((difference) => difference !== false);
};

/** Called only where the bucket goes with its object: with the key, all that is in it goes first. */
const remove = async (context: Context): Promise<void> => {
  const { api, call, identity, object, uses: used } = context;
  const key = used.key.get();
  if (key !== undefined) await used.emptier.empty(secretKeyOf(key), call);
  await api.deleteBucket(object.spec.region, identity.name, call);
};
