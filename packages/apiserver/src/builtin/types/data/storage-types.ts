import type { TypeTable } from "../type-table.ts";

/** Types of storage.k8s.io/v1; the notation is described at `TypeTable`. Source: Kubernetes 1.36. */
export const storageTypes: TypeTable = {
  CSIDriver: "metadata 1 ObjectMeta; spec 2 CSIDriverSpec required",
  CSIDriverSpec:
    "attachRequired 1 bool?; podInfoOnMount 2 bool?; volumeLifecycleModes 3 [string] set; storageCapacity 4 bool?; fsGroupPolicy 5 string?; tokenRequests 6 [TokenRequest]; requiresRepublish 7 bool?; seLinuxMount 8 bool?; nodeAllocatableUpdatePeriodSeconds 9 int64?; serviceAccountTokenInSecrets 10 bool?; preventPodSchedulingIfMissing 11 bool?",
  CSINode: "metadata 1 ObjectMeta; spec 2 CSINodeSpec required",
  CSINodeDriver:
    "name 1 string required; nodeID 2 string required; topologyKeys 3 [string]; allocatable 4 VolumeNodeResources",
  CSINodeSpec: "drivers 1 [CSINodeDriver] required map(name) patch(merge:name)",
  CSIStorageCapacity:
    "metadata 1 ObjectMeta; nodeTopology 2 LabelSelector; storageClassName 3 string required; capacity 4 Quantity; maximumVolumeSize 5 Quantity",
  StorageClass:
    "metadata 1 ObjectMeta; provisioner 2 string required; parameters 3 {string}; reclaimPolicy 4 string?; mountOptions 5 [string]; allowVolumeExpansion 6 bool?; volumeBindingMode 7 string?; allowedTopologies 8 [core.TopologySelectorTerm]",
  TokenRequest: "audience 1 string required; expirationSeconds 2 int64?",
  VolumeAttachment: "metadata 1 ObjectMeta; spec 2 VolumeAttachmentSpec required; status 3 VolumeAttachmentStatus",
  VolumeAttachmentSource: "persistentVolumeName 1 string?; inlineVolumeSpec 2 core.PersistentVolumeSpec",
  VolumeAttachmentSpec:
    "attacher 1 string required; source 2 VolumeAttachmentSource required; nodeName 3 string required",
  VolumeAttachmentStatus:
    "attached 1 bool required; attachmentMetadata 2 {string}; attachError 3 VolumeError; detachError 4 VolumeError",
  VolumeAttributesClass: "metadata 1 ObjectMeta; driverName 2 string required; parameters 3 {string}",
  VolumeError: "time 1 Time; message 2 string; errorCode 3 int32?",
  VolumeNodeResources: "count 1 int32?",
};
