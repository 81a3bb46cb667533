export { directAccess } from "./access.ts";
export type { Access, AccessOptions, Credentials, TlsMaterial } from "./access.ts";
export type { Cache, CacheEvent, IndexFunction, Informer, InformerOptions } from "./cache.ts";
export type {
  CallOptions,
  Client,
  DeleteOptions,
  ListOptions,
  ObjectList,
  Patch,
  PatchOptions,
  RawRequest,
  WriteOptions,
} from "./client.ts";
export { anySize, connect, defaultUserAgent } from "./connection.ts";
export type {
  AnswerSizes,
  Connection,
  ConnectionSettings,
  ConnectOptions,
  HttpAnswer,
  HttpRequest,
} from "./connection.ts";
export { createClient } from "./create-client.ts";
export type { WriteObserver } from "./create-client.ts";
export { createDiscovery } from "./discovery.ts";
export type { Discovery } from "./discovery.ts";
export { createEventRecorder } from "./event-recorder.ts";
export type { EventRecorderOptions } from "./event-recorder.ts";
export { isNamespaceTerminating } from "./errors.ts";
export type { EventRecorder } from "./events.ts";
export { deepFreeze, draft } from "./freeze.ts";
export type { Draft } from "./freeze.ts";
export { createCache } from "./informer/create-cache.ts";
export type { CacheOptions, WatchCache } from "./informer/create-cache.ts";
export type { InformerStatus } from "./informer/watch-informer.ts";
export { electJointly } from "./joint-leadership.ts";
export type { JointElectionOptions, LeaseMark } from "./joint-leadership.ts";
export { electLeader } from "./leader-election.ts";
export type { LeaderElectionOptions, Leadership } from "./leader-election.ts";
export type { HttpStream } from "./response-stream.ts";
export { loadKubeconfig } from "./load-kubeconfig.ts";
export type { KubeconfigSource } from "./auth/kubeconfig-source.ts";
export { findMetadata, listMetadata } from "./metadata.ts";
export type { MetadataObject } from "./metadata.ts";
export { isOwnedBy, ownerReferenceTo } from "./owner-references.ts";
export { collectionPath, objectPath, queryString } from "./paths.ts";
