import type { Duplex } from "node:stream";
import type { ObjectKey } from "@capstan/kube-values";
import type { KubeObject, Resource } from "@capstan/schema";

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Default 30 000. */
  readonly timeoutMs?: number;
}

export interface ListOptions extends CallOptions {
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  /** Page size; pages are followed until the end unless `continue` is read by the caller through `listPage`. */
  readonly limit?: number;
  readonly resourceVersion?: string;
}

export interface ObjectList<T> {
  readonly items: readonly T[];
  readonly resourceVersion: string;
}

/** The body is sent as it is; `apply` is server-side apply and needs a field manager. */
export type Patch =
  | { readonly type: "merge" | "strategic"; readonly body: Readonly<Record<string, unknown>> }
  | { readonly type: "json"; readonly body: readonly Readonly<Record<string, unknown>>[] }
  | {
      readonly type: "apply";
      readonly body: Readonly<Record<string, unknown>>;
      readonly force?: boolean;
    };

export interface WriteOptions extends CallOptions {
  readonly fieldManager?: string;
  readonly dryRun?: boolean;
}

export interface PatchOptions extends WriteOptions {
  readonly subresource?: "status" | "scale" | (string & {});
}

export interface DeleteOptions extends CallOptions {
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
  readonly propagationPolicy?: "Background" | "Foreground" | "Orphan";
  readonly gracePeriodSeconds?: number;
}

/**
 * Live calls to one API server, on plain JSON objects. Every failure is a `CapstanError`:
 * `kube.not_found`, `kube.conflict` (also AlreadyExists: `kube.already_exists`), `kube.invalid`, `kube.unauthorized`, `kube.forbidden`,
 * `kube.too_many_requests` (retry after), `kube.unavailable`, `kube.timeout`, `kube.gone`, `kube.bad_request`, `kube.unknown`;
 * `details` carries `status` (HTTP code), `reason`, `causes`.
 */
export interface Client {
  get<T extends KubeObject>(resource: Resource<T>, key: ObjectKey, options?: CallOptions): Promise<T>;
  /** As `get`, but a missing object (or a kind the server does not know) is `undefined`. */
  find<T extends KubeObject>(resource: Resource<T>, key: ObjectKey, options?: CallOptions): Promise<T | undefined>;
  list<T extends KubeObject>(resource: Resource<T>, options?: ListOptions): Promise<ObjectList<T>>;
  create<T extends KubeObject>(resource: Resource<T>, object: KubeObject, options?: WriteOptions): Promise<T>;
  update<T extends KubeObject>(
    resource: Resource<T>,
    object: KubeObject,
    options?: WriteOptions & { readonly subresource?: string },
  ): Promise<T>;
  patch<T extends KubeObject>(resource: Resource<T>, key: ObjectKey, patch: Patch, options?: PatchOptions): Promise<T>;
  /** A missing object is success. */
  delete(resource: Resource, key: ObjectKey, options?: DeleteOptions): Promise<void>;
  /**
   * A connection to a port of a Pod, through the API server. It fails with `kube.port_forward_failed` when the node cannot reach the port,
   * and with another error when the connection is lost before both sides have ended it.
   */
  forward(pod: ObjectKey, port: number, options?: CallOptions): Promise<Duplex>;
  /** Any other request, for example an eviction; the answer is parsed JSON. */
  request<T = unknown>(request: RawRequest): Promise<T>;
}

export interface RawRequest extends CallOptions {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Absolute path, already escaped, for example `/readyz`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Called with each thing that the server warns of in its answer. Default: warnings are not looked at. */
  readonly onWarning?: ((message: string) => void) | undefined;
}
