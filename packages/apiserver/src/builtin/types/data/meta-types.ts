import type { TypeTable } from "../type-table.ts";

/** Types of meta/v1 (shared by all groups); the notation is described at `TypeTable`. Source: Kubernetes 1.36. */
export const metaTypes: TypeTable = {
  Condition:
    "type 1 string required; status 2 string required; observedGeneration 3 int64; lastTransitionTime 4 Time required; reason 5 string required; message 6 string required",
  DeleteOptions:
    "gracePeriodSeconds 1 int64?; preconditions 2 Preconditions; orphanDependents 3 bool?; propagationPolicy 4 string?; dryRun 5 [string]; ignoreStoreReadErrorWithClusterBreakingPotential 6 bool?",
  FieldSelectorRequirement: "key 1 string required; operator 2 string required; values 3 [string]",
  LabelSelector: "@atomic; matchLabels 1 {string}; matchExpressions 2 [LabelSelectorRequirement]",
  LabelSelectorRequirement: "key 1 string required; operator 2 string required; values 3 [string]",
  ListMeta:
    "selfLink 1 string; resourceVersion 2 string; continue 3 string; remainingItemCount 4 int64?; shardInfo 5 ShardInfo",
  ManagedFieldsEntry:
    "manager 1 string; operation 2 string; apiVersion 3 string; time 4 Time; fieldsType 6 string; fieldsV1 7 FieldsV1; subresource 8 string",
  ObjectMeta:
    "name 1 string; generateName 2 string; namespace 3 string; selfLink 4 string; uid 5 string; resourceVersion 6 string; generation 7 int64; creationTimestamp 8 Time; deletionTimestamp 9 Time; deletionGracePeriodSeconds 10 int64?; labels 11 {string}; annotations 12 {string}; ownerReferences 13 [OwnerReference] map(uid) patch(merge:uid); finalizers 14 [string] set patch(merge); managedFields 17 [ManagedFieldsEntry]",
  OwnerReference:
    "@atomic; apiVersion 5 string required; kind 1 string required; name 3 string required; uid 4 string required; controller 6 bool?; blockOwnerDeletion 7 bool?",
  Preconditions: "uid 1 string?; resourceVersion 2 string?",
  ShardInfo: "selector 1 string required",
  Status:
    "metadata 1 ListMeta; status 2 string; message 3 string; reason 4 string; details 5 StatusDetails; code 6 int32",
  StatusCause: "reason 1 string; message 2 string; field 3 string",
  StatusDetails:
    "name 1 string; group 2 string; kind 3 string; uid 6 string; causes 4 [StatusCause]; retryAfterSeconds 5 int32",
};
