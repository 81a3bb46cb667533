import { Label } from "@capstan/contract";
import {
  defaulted,
  enumOf,
  immutable,
  integer,
  kind,
  list,
  map,
  object,
  optional,
  string,
  time,
} from "@capstan/schema";
import { credentialsRef } from "./credentials-ref.ts";
import { linodeKind } from "./names.ts";
import { keyReferences } from "./references.ts";
import { thingStatus } from "./status-parts.ts";

const secretTypes = ["Opaque", "addons.cluster.x-k8s.io/resource-set"] as const;

const format = (description: string) => optional(map(string({ description: "A template of Go." }), { description }));

const access = () =>
  object(
    {
      bucketName: string({ description: "Label of the bucket.", minLength: 3, maxLength: 63 }),
      permissions: enumOf(["read_only", "read_write"], { description: "What the key may do there." }),
      region: string({ description: "Region id of the bucket.", minLength: 1 }),
    },
    { description: "One bucket." },
  );

export const LinodeObjectStorageKey = kind({
  ...linodeKind,
  labels: { ...linodeKind.labels, [Label.moveHierarchy]: "true" },
  kind: "LinodeObjectStorageKey",
  plural: "linodeobjectstoragekeys",
  references: keyReferences,
  shortNames: ["lobjkey"],
  description: "A key for buckets in Linode's object storage, and the Secret that holds it.",
  columns: [
    { name: "ID", path: ".status.accessKeyRef" },
    { name: "Secret", path: ".status.secretName" },
    { name: "Ready", path: ".status.ready" },
  ],
  spec: object({
    bucketAccess: list(access(), { description: "What the key is for.", minItems: 1, type: "atomic" }),
    keyGeneration: defaulted(integer({ description: "Another number here has the key made anew." }), 0),
    generatedSecret: immutable(
      object(
        {
          name: optional(string({ description: "Its name; that of the object followed by -obj-key when unset." })),
          namespace: optional(string({ description: "Its namespace; that of the object when unset." })),
          type: defaulted(enumOf(secretTypes, { description: "Its type." }), "Opaque"),
          format: format(
            "Its keys, each with a template of the value: .AccessKey, .SecretKey, .BucketName, .BucketEndpoint and .S3Endpoint are there.",
          ),
        },
        { description: "The Secret that is made." },
      ),
    ),
    secretType: optional(enumOf(secretTypes, { description: "Not used any more; see generatedSecret.type." })),
    secretDataFormat: format("Not used any more; see generatedSecret.format."),
    credentialsRef: credentialsRef(),
  }),
  status: object({
    ...thingStatus("The key exists, and its Secret holds it."),
    creationTime: optional(time({ description: "When the key was made." })),
    lastKeyGeneration: optional(integer({ description: "The keyGeneration for which the key was made." })),
    accessKeyRef: optional(integer({ description: "Id of the key at Linode." })),
  }),
});

/** One LinodeObjectStorageKey. */
export type LinodeObjectStorageKey = typeof LinodeObjectStorageKey.Type;
