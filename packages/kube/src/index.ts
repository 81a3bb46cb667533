export type { Cache, CacheEvent, IndexFunction, Informer, InformerOptions } from "./cache.ts";
export type {
  CallOptions,
  Client,
  DeleteOptions,
  ListOptions,
  ObjectKey,
  ObjectList,
  Patch,
  PatchOptions,
  RawRequest,
  WriteOptions,
} from "./client.ts";
export type { EventRecorder } from "./events.ts";
