import type { Duplex } from "node:stream";
import { CapstanError, isCapstanError } from "@capstan/contract";
import { keyOf, keyText, type ObjectKey } from "@capstan/kube-values";
import { apiVersionOf, type KubeObject, type Resource } from "@capstan/schema";
import { jsonText, parseInTurns } from "@capstan/schema/structural";
import { call, headerOf, warningsIn } from "./call.ts";
import type {
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
import { anySize, type Connection, type HttpRequest } from "./connection.ts";
import { answerTooLarge } from "./errors.ts";
import { forwardPort } from "./port-forward.ts";
import { collectionPath, objectPath, queryString } from "./paths.ts";

/** Receives every successful write, so that a cache can show it before the watch does. */
export interface WriteObserver {
  observe(resource: Resource, written: KubeObject): void;
  observeDeleted(resource: Resource, key: ObjectKey, uid: string): void;
}

/** A list as the server answers it. Items of built-in kinds come without `apiVersion` and `kind`. */
interface WireList {
  readonly metadata?: { readonly resourceVersion?: string; readonly continue?: string };
  readonly items?: readonly KubeObject[] | null;
}

const patchTypes = {
  merge: "application/merge-patch+json",
  strategic: "application/strategic-merge-patch+json",
  json: "application/json-patch+json",
  apply: "application/apply-patch+yaml",
} as const;

const writeQuery = (
  options: WriteOptions | undefined,
  more: Readonly<Record<string, string | undefined>> = {},
): string =>
  queryString({
    fieldManager: options?.fieldManager,
    dryRun: options?.dryRun === true ? "All" : undefined,
    ...more,
  });

const timing = (options: CallOptions | undefined): Pick<HttpRequest, "signal" | "timeoutMs"> => ({
  signal: options?.signal,
  timeoutMs: options?.timeoutMs,
});

class HttpClient implements Client {
  readonly #connection: Connection;
  readonly #observer: WriteObserver | undefined;

  constructor(connection: Connection, observer: WriteObserver | undefined) {
    this.#connection = connection;
    this.#observer = observer;
  }

  async forward(pod: ObjectKey, port: number, options?: CallOptions): Promise<Duplex> {
    return forwardPort(this.#connection, pod, port, options);
  }

  async get<T extends KubeObject>(resource: Resource<T>, key: ObjectKey, options?: CallOptions): Promise<T> {
    return this.#json<T>({ method: "GET", path: objectPath(resource, key), ...timing(options) });
  }

  async find<T extends KubeObject>(
    resource: Resource<T>,
    key: ObjectKey,
    options?: CallOptions,
  ): Promise<T | undefined> {
    try {
      return await this.get(resource, key, options);
    } catch (error) {
      if (isCapstanError(error, "kube.not_found")) return undefined;
      throw error;
    }
  }

  async list<T extends KubeObject>(resource: Resource<T>, options: ListOptions = {}): Promise<ObjectList<T>> {
    const path = collectionPath(resource, options.namespace);
    const { labelSelector, fieldSelector, resourceVersion, limit = 500 } = options;
    const apiVersion = apiVersionOf(resource);
    const items: T[] = [];
    const { list: most } = this.#connection.sizes ?? anySize;
    let bytes = 0;
    let next: string | undefined;
    let version = "";
    do {
      // A page continues at the version of the first one: asking for a version again is an error.
      const query = {
        labelSelector,
        fieldSelector,
        limit,
        continue: next,
        ...(next === undefined && { resourceVersion }),
      };
      const request = { method: "GET", path: path + queryString(query), ...timing(options) } as const;
      const onBytes = (more: number): void => {
        bytes += more;
      };
      const page: WireList = await this.#json(request, { onBytes });
      if (bytes > most) throw answerTooLarge("a list", most);
      for (const item of page.items ?? []) items.push({ ...item, apiVersion, kind: resource.kind } as T);
      version = page.metadata?.resourceVersion ?? version;
      next = page.metadata?.continue === "" ? undefined : page.metadata?.continue;
    } while (next !== undefined);
    return { items, resourceVersion: version };
  }

  async create<T extends KubeObject>(resource: Resource<T>, object: KubeObject, options?: WriteOptions): Promise<T> {
    const path = collectionPath(resource, object.metadata.namespace) + writeQuery(options);
    return this.#write(resource, { method: "POST", path, body: jsonText(object) }, options);
  }

  async update<T extends KubeObject>(
    resource: Resource<T>,
    object: KubeObject,
    options?: WriteOptions & { readonly subresource?: string },
  ): Promise<T> {
    const path = objectPath(resource, keyOf(object), options?.subresource) + writeQuery(options);
    return this.#write(resource, { method: "PUT", path, body: jsonText(object) }, options);
  }

  async patch<T extends KubeObject>(
    resource: Resource<T>,
    key: ObjectKey,
    patch: Patch,
    options?: PatchOptions,
  ): Promise<T> {
    if (patch.type === "apply" && options?.fieldManager === undefined) {
      throw new CapstanError({
        code: "kube.bad_request",
        reason: "BadRequest",
        message: `${resource.kind} "${keyText(key)}": server-side apply needs a fieldManager`,
      });
    }
    const force = patch.type === "apply" && patch.force === true ? "true" : undefined;
    const path = objectPath(resource, key, options?.subresource) + writeQuery(options, { force });
    const headers = { "content-type": patchTypes[patch.type] };
    return this.#write(resource, { method: "PATCH", path, headers, body: jsonText(patch.body) }, options);
  }

  async delete(resource: Resource, key: ObjectKey, options: DeleteOptions = {}): Promise<void> {
    const { preconditions, propagationPolicy, gracePeriodSeconds } = options;
    const body = { apiVersion: "v1", kind: "DeleteOptions", preconditions, propagationPolicy, gracePeriodSeconds };
    try {
      const path = objectPath(resource, key);
      const answer = await this.#json({ method: "DELETE", path, body: jsonText(body), ...timing(options) });
      this.#observeDelete(resource, key, answer);
    } catch (error) {
      if (!isCapstanError(error, "kube.not_found")) throw error;
    }
  }

  async request<T = unknown>(request: RawRequest): Promise<T> {
    const { method, headers, body } = request;
    const sent: HttpRequest = {
      method,
      path: request.path + queryString(request.query ?? {}),
      ...(headers === undefined ? {} : { headers }),
      ...(body === undefined ? {} : { body: jsonText(body) }),
      ...timing(request),
    };
    return this.#json<T>(sent, request.onWarning === undefined ? {} : { onWarning: request.onWarning });
  }

  async #write<T extends KubeObject>(
    resource: Resource<T>,
    request: HttpRequest,
    options: WriteOptions | undefined,
  ): Promise<T> {
    const written = await this.#json<T>({ ...request, ...timing(options) });
    // Some subresources answer with an object of another kind, for example a Scale.
    if (options?.dryRun !== true && written.kind === resource.kind) this.#observer?.observe(resource, written);
    return written;
  }

  /** The answer is the object while it waits for finalizers or a grace period, and a Status with its uid once it is gone. */
  #observeDelete(resource: Resource, key: ObjectKey, answer: unknown): void {
    const { kind, metadata, details } = answer as Partial<KubeObject> & { details?: { uid?: string } };
    if (kind === resource.kind && metadata?.deletionTimestamp !== undefined) {
      if ((metadata.finalizers ?? []).length > 0) this.#observer?.observe(resource, answer as KubeObject);
    } else if (kind === "Status" && details?.uid !== undefined) {
      this.#observer?.observeDeleted(resource, key, details.uid);
    }
  }

  async #json<T>(
    request: HttpRequest,
    { onBytes, onWarning }: Pick<RawRequest, "onWarning"> & { readonly onBytes?: (bytes: number) => void } = {},
  ): Promise<T> {
    const answer = await call(this.#connection, request);
    onBytes?.(answer.body.length);
    if (onWarning !== undefined) for (const message of warningsIn(answer.headers)) onWarning(message);
    const isJson = headerOf(answer.headers, "content-type")?.includes("json") === true;
    if (!isJson) return answer.body as T;
    try {
      return (await parseInTurns(answer.body)) as T;
    } catch (cause) {
      throw new CapstanError({
        code: "kube.unknown",
        reason: "UndecodableAnswer",
        message: `the response to ${request.method} ${request.path} is not JSON; is there a proxy in between?`,
        cause,
      });
    }
  }
}

/** A client over a connection. With an observer (a cache), own writes are readable there as soon as they are answered. */
export const createClient = (connection: Connection, options: { readonly observer?: WriteObserver } = {}): Client =>
  new HttpClient(connection, options.observer);
