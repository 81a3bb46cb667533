import { Label } from "@capstan/contract";
import {
  boolean,
  defaulted,
  enumOf,
  immutable,
  kind,
  object,
  objectReference,
  optional,
  string,
  time,
} from "@capstan/schema";
import { credentialsRef } from "./credentials-ref.ts";
import { linodeKind } from "./names.ts";
import { bucketReferences } from "./references.ts";
import { thingStatus } from "./status-parts.ts";

export const LinodeObjectStorageBucket = kind({
  ...linodeKind,
  labels: { ...linodeKind.labels, [Label.moveHierarchy]: "true" },
  kind: "LinodeObjectStorageBucket",
  plural: "linodeobjectstoragebuckets",
  references: bucketReferences,
  shortNames: ["lobj"],
  description: "A bucket in Linode's object storage, named as the object.",
  columns: [
    { name: "Label", path: ".spec.label" },
    { name: "Region", path: ".spec.region" },
    { name: "Ready", path: ".status.ready" },
  ],
  spec: object({
    region: immutable(string({ description: "Region id, for example us-ord.", minLength: 1 })),
    acl: defaulted(
      enumOf(["private", "public-read", "authenticated-read", "public-read-write"], {
        description: "Who may do what with the bucket.",
      }),
      "private",
    ),
    corsEnabled: defaulted(boolean({ description: "Whether pages of other origins may use the bucket." }), true),
    accessKeyRef: optional(
      objectReference({ description: "LinodeObjectStorageKey by which the bucket is emptied before it is deleted." }),
    ),
    forceDeleteBucket: optional(
      boolean({ description: "Whether the bucket, with all that is in it, goes with the object. Otherwise it stays." }),
    ),
    credentialsRef: credentialsRef(),
  }),
  status: object({
    ...thingStatus("The bucket exists."),
    hostname: optional(string({ description: "Where the bucket is reached." })),
    creationTime: optional(time({ description: "When the bucket was made." })),
  }),
});

/** One LinodeObjectStorageBucket. */
export type LinodeObjectStorageBucket = typeof LinodeObjectStorageBucket.Type;
