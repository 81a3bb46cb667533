import type { TypeTable } from "../type-table.ts";

/** Types of core/v1 about volumes; the notation is described at `TypeTable`. Source: Kubernetes 1.36. */
export const coreVolumeTypes: TypeTable = {
  AWSElasticBlockStoreVolumeSource: "volumeID 1 string required; fsType 2 string; partition 3 int32; readOnly 4 bool",
  AttachedVolume: "name 1 string required; devicePath 2 string required",
  AzureDiskVolumeSource:
    'diskName 1 string required; diskURI 2 string required; cachingMode 3 string? default="ReadWrite"; fsType 4 string? default="ext4"; readOnly 5 bool?; kind 6 string? default="Shared"',
  AzureFilePersistentVolumeSource:
    "secretName 1 string required; shareName 2 string required; readOnly 3 bool; secretNamespace 4 string?",
  AzureFileVolumeSource: "secretName 1 string required; shareName 2 string required; readOnly 3 bool",
  CSIPersistentVolumeSource:
    "driver 1 string required; volumeHandle 2 string required; readOnly 3 bool; fsType 4 string; volumeAttributes 5 {string}; controllerPublishSecretRef 6 SecretReference; nodeStageSecretRef 7 SecretReference; nodePublishSecretRef 8 SecretReference; controllerExpandSecretRef 9 SecretReference; nodeExpandSecretRef 10 SecretReference",
  CSIVolumeSource:
    "driver 1 string required; readOnly 2 bool?; fsType 3 string?; volumeAttributes 4 {string}; nodePublishSecretRef 5 LocalObjectReference",
  CephFSPersistentVolumeSource:
    "monitors 1 [string] required; path 2 string; user 3 string; secretFile 4 string; secretRef 5 SecretReference; readOnly 6 bool",
  CephFSVolumeSource:
    "monitors 1 [string] required; path 2 string; user 3 string; secretFile 4 string; secretRef 5 LocalObjectReference; readOnly 6 bool",
  CinderPersistentVolumeSource:
    "volumeID 1 string required; fsType 2 string; readOnly 3 bool; secretRef 4 SecretReference",
  CinderVolumeSource: "volumeID 1 string required; fsType 2 string; readOnly 3 bool; secretRef 4 LocalObjectReference",
  ClusterTrustBundleProjection:
    "name 1 string?; signerName 2 string?; labelSelector 3 LabelSelector; optional 5 bool?; path 4 string required",
  ConfigMapProjection: "... 1 LocalObjectReference; items 2 [KeyToPath]; optional 4 bool?",
  ConfigMapVolumeSource: "... 1 LocalObjectReference; items 2 [KeyToPath]; defaultMode 3 int32?; optional 4 bool?",
  DownwardAPIProjection: "items 1 [DownwardAPIVolumeFile]",
  DownwardAPIVolumeFile:
    "path 1 string required; fieldRef 2 ObjectFieldSelector; resourceFieldRef 3 ResourceFieldSelector; mode 4 int32?",
  DownwardAPIVolumeSource: "items 1 [DownwardAPIVolumeFile]; defaultMode 2 int32?",
  EmptyDirVolumeSource: "medium 1 string; sizeLimit 2 Quantity",
  EphemeralVolumeSource: "volumeClaimTemplate 1 PersistentVolumeClaimTemplate",
  FCVolumeSource: "targetWWNs 1 [string]; lun 2 int32?; fsType 3 string; readOnly 4 bool; wwids 5 [string]",
  FlexPersistentVolumeSource:
    "driver 1 string required; fsType 2 string; secretRef 3 SecretReference; readOnly 4 bool; options 5 {string}",
  FlexVolumeSource:
    "driver 1 string required; fsType 2 string; secretRef 3 LocalObjectReference; readOnly 4 bool; options 5 {string}",
  FlockerVolumeSource: "datasetName 1 string; datasetUUID 2 string",
  GCEPersistentDiskVolumeSource: "pdName 1 string required; fsType 2 string; partition 3 int32; readOnly 4 bool",
  GitRepoVolumeSource: "repository 1 string required; revision 2 string; directory 3 string",
  GlusterfsPersistentVolumeSource:
    "endpoints 1 string required; path 2 string required; readOnly 3 bool; endpointsNamespace 4 string?",
  GlusterfsVolumeSource: "endpoints 1 string required; path 2 string required; readOnly 3 bool",
  HostPathVolumeSource: "path 1 string required; type 2 string?",
  ISCSIPersistentVolumeSource:
    'targetPortal 1 string required; iqn 2 string required; lun 3 int32 required; iscsiInterface 4 string default="default"; fsType 5 string; readOnly 6 bool; portals 7 [string]; chapAuthDiscovery 8 bool; chapAuthSession 11 bool; secretRef 10 SecretReference; initiatorName 12 string?',
  ISCSIVolumeSource:
    'targetPortal 1 string required; iqn 2 string required; lun 3 int32 required; iscsiInterface 4 string default="default"; fsType 5 string; readOnly 6 bool; portals 7 [string]; chapAuthDiscovery 8 bool; chapAuthSession 11 bool; secretRef 10 LocalObjectReference; initiatorName 12 string?',
  ImageVolumeSource: "reference 1 string; pullPolicy 2 string",
  ImageVolumeStatus: "imageRef 1 string required",
  KeyToPath: "key 1 string required; path 2 string required; mode 3 int32?",
  LocalVolumeSource: "path 1 string required; fsType 2 string?",
  ModifyVolumeStatus: "targetVolumeAttributesClassName 1 string; status 2 string required",
  NFSVolumeSource: "server 1 string required; path 2 string required; readOnly 3 bool",
  PersistentVolume: "metadata 1 ObjectMeta; spec 2 PersistentVolumeSpec; status 3 PersistentVolumeStatus",
  PersistentVolumeClaim:
    "metadata 1 ObjectMeta; spec 2 PersistentVolumeClaimSpec; status 3 PersistentVolumeClaimStatus",
  PersistentVolumeClaimCondition:
    "type 1 string required; status 2 string required; lastProbeTime 3 Time; lastTransitionTime 4 Time; reason 5 string; message 6 string",
  PersistentVolumeClaimSpec:
    "accessModes 1 [string]; selector 4 LabelSelector; resources 2 VolumeResourceRequirements; volumeName 3 string; storageClassName 5 string?; volumeMode 6 string?; dataSource 7 TypedLocalObjectReference; dataSourceRef 8 TypedObjectReference; volumeAttributesClassName 9 string?",
  PersistentVolumeClaimStatus:
    "phase 1 string; accessModes 2 [string]; capacity 3 {Quantity}; conditions 4 [PersistentVolumeClaimCondition] map(type) patch(merge:type); allocatedResources 5 {Quantity}; allocatedResourceStatuses 7 {string} granular; currentVolumeAttributesClassName 8 string?; modifyVolumeStatus 9 ModifyVolumeStatus",
  PersistentVolumeClaimTemplate: "metadata 1 ObjectMeta; spec 2 PersistentVolumeClaimSpec required",
  PersistentVolumeClaimVolumeSource: "claimName 1 string required; readOnly 2 bool",
  PersistentVolumeSource:
    "gcePersistentDisk 1 GCEPersistentDiskVolumeSource; awsElasticBlockStore 2 AWSElasticBlockStoreVolumeSource; hostPath 3 HostPathVolumeSource; glusterfs 4 GlusterfsPersistentVolumeSource; nfs 5 NFSVolumeSource; rbd 6 RBDPersistentVolumeSource; iscsi 7 ISCSIPersistentVolumeSource; cinder 8 CinderPersistentVolumeSource; cephfs 9 CephFSPersistentVolumeSource; fc 10 FCVolumeSource; flocker 11 FlockerVolumeSource; flexVolume 12 FlexPersistentVolumeSource; azureFile 13 AzureFilePersistentVolumeSource; vsphereVolume 14 VsphereVirtualDiskVolumeSource; quobyte 15 QuobyteVolumeSource; azureDisk 16 AzureDiskVolumeSource; photonPersistentDisk 17 PhotonPersistentDiskVolumeSource; portworxVolume 18 PortworxVolumeSource; scaleIO 19 ScaleIOPersistentVolumeSource; local 20 LocalVolumeSource; storageos 21 StorageOSPersistentVolumeSource; csi 22 CSIPersistentVolumeSource",
  PersistentVolumeSpec:
    "capacity 1 {Quantity}; ... 2 PersistentVolumeSource; accessModes 3 [string]; claimRef 4 ObjectReference granular; persistentVolumeReclaimPolicy 5 string; storageClassName 6 string; mountOptions 7 [string]; volumeMode 8 string?; nodeAffinity 9 VolumeNodeAffinity; volumeAttributesClassName 10 string?",
  PersistentVolumeStatus: "phase 1 string; message 2 string; reason 3 string; lastPhaseTransitionTime 4 Time",
  PhotonPersistentDiskVolumeSource: "pdID 1 string required; fsType 2 string",
  PodCertificateProjection:
    "signerName 1 string required; keyType 2 string required; maxExpirationSeconds 3 int32?; credentialBundlePath 4 string; keyPath 5 string; certificateChainPath 6 string; userAnnotations 7 {string}",
  PortworxVolumeSource: "volumeID 1 string required; fsType 2 string; readOnly 3 bool",
  ProjectedVolumeSource: "sources 1 [VolumeProjection]; defaultMode 2 int32?",
  QuobyteVolumeSource:
    "registry 1 string required; volume 2 string required; readOnly 3 bool; user 4 string; group 5 string; tenant 6 string",
  RBDPersistentVolumeSource:
    'monitors 1 [string] required; image 2 string required; fsType 3 string; pool 4 string default="rbd"; user 5 string default="admin"; keyring 6 string default="/etc/ceph/keyring"; secretRef 7 SecretReference; readOnly 8 bool',
  RBDVolumeSource:
    'monitors 1 [string] required; image 2 string required; fsType 3 string; pool 4 string default="rbd"; user 5 string default="admin"; keyring 6 string default="/etc/ceph/keyring"; secretRef 7 LocalObjectReference; readOnly 8 bool',
  ScaleIOPersistentVolumeSource:
    'gateway 1 string required; system 2 string required; secretRef 3 SecretReference required; sslEnabled 4 bool; protectionDomain 5 string; storagePool 6 string; storageMode 7 string default="ThinProvisioned"; volumeName 8 string; fsType 9 string default="xfs"; readOnly 10 bool',
  ScaleIOVolumeSource:
    'gateway 1 string required; system 2 string required; secretRef 3 LocalObjectReference required; sslEnabled 4 bool; protectionDomain 5 string; storagePool 6 string; storageMode 7 string default="ThinProvisioned"; volumeName 8 string; fsType 9 string default="xfs"; readOnly 10 bool',
  SecretProjection: "... 1 LocalObjectReference; items 2 [KeyToPath]; optional 4 bool?",
  SecretVolumeSource: "secretName 1 string; items 2 [KeyToPath]; defaultMode 3 int32?; optional 4 bool?",
  ServiceAccountTokenProjection: "audience 1 string; expirationSeconds 2 int64?; path 3 string required",
  StorageOSPersistentVolumeSource:
    "volumeName 1 string; volumeNamespace 2 string; fsType 3 string; readOnly 4 bool; secretRef 5 ObjectReference",
  StorageOSVolumeSource:
    "volumeName 1 string; volumeNamespace 2 string; fsType 3 string; readOnly 4 bool; secretRef 5 LocalObjectReference",
  Volume: "name 1 string required; ... 2 VolumeSource",
  VolumeDevice: "name 1 string required; devicePath 2 string required",
  VolumeMount:
    "name 1 string required; readOnly 2 bool; recursiveReadOnly 7 string?; mountPath 3 string required; subPath 4 string; mountPropagation 5 string?; subPathExpr 6 string",
  VolumeMountStatus:
    "name 1 string required; mountPath 2 string required; readOnly 3 bool; recursiveReadOnly 4 string?; volumeStatus 5 VolumeStatus",
  VolumeNodeAffinity: "required 1 NodeSelector",
  VolumeProjection:
    "secret 1 SecretProjection; downwardAPI 2 DownwardAPIProjection; configMap 3 ConfigMapProjection; serviceAccountToken 4 ServiceAccountTokenProjection; clusterTrustBundle 5 ClusterTrustBundleProjection; podCertificate 6 PodCertificateProjection",
  VolumeResourceRequirements: "limits 1 {Quantity}; requests 2 {Quantity}",
  VolumeSource:
    "hostPath 1 HostPathVolumeSource; emptyDir 2 EmptyDirVolumeSource; gcePersistentDisk 3 GCEPersistentDiskVolumeSource; awsElasticBlockStore 4 AWSElasticBlockStoreVolumeSource; gitRepo 5 GitRepoVolumeSource; secret 6 SecretVolumeSource; nfs 7 NFSVolumeSource; iscsi 8 ISCSIVolumeSource; glusterfs 9 GlusterfsVolumeSource; persistentVolumeClaim 10 PersistentVolumeClaimVolumeSource; rbd 11 RBDVolumeSource; flexVolume 12 FlexVolumeSource; cinder 13 CinderVolumeSource; cephfs 14 CephFSVolumeSource; flocker 15 FlockerVolumeSource; downwardAPI 16 DownwardAPIVolumeSource; fc 17 FCVolumeSource; azureFile 18 AzureFileVolumeSource; configMap 19 ConfigMapVolumeSource; vsphereVolume 20 VsphereVirtualDiskVolumeSource; quobyte 21 QuobyteVolumeSource; azureDisk 22 AzureDiskVolumeSource; photonPersistentDisk 23 PhotonPersistentDiskVolumeSource; projected 26 ProjectedVolumeSource; portworxVolume 24 PortworxVolumeSource; scaleIO 25 ScaleIOVolumeSource; storageos 27 StorageOSVolumeSource; csi 28 CSIVolumeSource; ephemeral 29 EphemeralVolumeSource; image 30 ImageVolumeSource",
  VolumeStatus: "image 1 ImageVolumeStatus",
  VsphereVirtualDiskVolumeSource:
    "volumePath 1 string required; fsType 2 string; storagePolicyName 3 string; storagePolicyID 4 string",
};
