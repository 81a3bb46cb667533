import { CapstanError, Secret } from "@capstan/contract";
import { SecretResource } from "@capstan/contract/wire";
import type { Cache, Client } from "@capstan/kube";
import { keyText } from "@capstan/kube-values";
import type { Request, Source } from "@capstan/runtime";
import { watchMapped } from "@capstan/runtime";
import type { KubeObject } from "@capstan/schema";

/** The data of a credentials Secret, decoded. */
export interface Credentials {
  /** Throws `credentials.key_missing` or `credentials.variable_left`, naming the Secret and the key. */
  required(key: string): Secret<string>;
  /** Throws `credentials.variable_left`. */
  optional(key: string): Secret<string> | undefined;
  /** A value that may be no text. Throws as `required`. */
  bytes(key: string): Secret<Uint8Array>;
  /** Changes when the contents change; use it as the key of connection caches. Not a secret. */
  readonly fingerprint: string;
}

/** A Secret; without a namespace, in the object's. */
export interface SecretRef {
  readonly namespace?: string;
  readonly name: string;
}

/** The data of a Secret, out of base64. */
export type SecretBytes = Readonly<Record<string, Uint8Array>>;

export const secretBytes = (secret: KubeObject): SecretBytes =>
  Object.fromEntries(
    Object.entries((secret["data"] ?? {}) as Readonly<Record<string, string>>).map(([key, value]) => [
      key,
      new Uint8Array(Buffer.from(value, "base64")),
    ]),
  );

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString("utf8");

/** The data of a Secret as text. */
export const secretText = (data: SecretBytes): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(data).map(([key, value]) => [key, textOf(value)]));

/** A Secret that was read otherwise, as verbs receive it. */
export const credentialsIn = (secret: KubeObject): Credentials => {
  const { namespace = "", name = "", resourceVersion = "" } = secret.metadata;
  return credentialsOf({ namespace, name }, resourceVersion, secretBytes(secret));
};

/** A value that is one variable of a template: its file was applied as it is. */
const leftVariable = /^\$\{([A-Z_][A-Z0-9_]*)(?:[:=-][^}]*)?\}$/;

/** `used`: told of every key that is read and has a value. */
export const credentialsOf = (
  ref: Required<SecretRef>,
  fingerprint: string,
  data: SecretBytes,
  used: (key: string) => void = () => undefined,
): Credentials => {
  const find = (key: string): Uint8Array | undefined => {
    const value = data[key];
    if (value === undefined || value.length === 0) return undefined;
    used(key);
    return value;
  };
  const optional = (key: string): Secret<string> | undefined => {
    const value = find(key);
    if (value === undefined) return undefined;
    const text = textOf(value).trim();
    const [, variable] = leftVariable.exec(text) ?? [];
    if (variable !== undefined) {
      throw new CapstanError({
        code: "credentials.variable_left",
        reason: "CredentialsVariableLeft",
        message: `Secret ${keyText(ref)} holds the variable ${variable} in key "${key}"; replace it with its value, for example by capstan generate yaml`,
        details: { secret: keyText(ref), key },
      });
    }
    return new Secret(text);
  };
  const missing = (key: string): CapstanError =>
    new CapstanError({
      code: "credentials.key_missing",
      reason: "CredentialsKeyMissing",
      message: `Secret ${keyText(ref)} has no key "${key}"; add it`,
      details: { secret: keyText(ref), key },
    });
  return {
    fingerprint,
    optional,
    required: (key) => {
      const value = optional(key);
      if (value !== undefined) return value;
      throw missing(key);
    },
    bytes: (key) => {
      const value = find(key);
      if (value !== undefined) return new Secret(value);
      throw missing(key);
    },
  };
};

export const secretMissing = (ref: Required<SecretRef>): CapstanError =>
  new CapstanError({
    code: "credentials.secret_missing",
    reason: "CredentialsSecretMissing",
    message: `Secret ${keyText(ref)} with the credentials does not exist; create it`,
    details: { secret: keyText(ref) },
  });

/** Failures that end when a user changes a Secret: no retry in between is of use, the change itself wakes the object. */
export const isCredentialsProblem = (error: unknown): error is CapstanError =>
  error instanceof Error && "code" in error && typeof error.code === "string" && error.code.startsWith("credentials.");

interface Loaded {
  readonly version: string;
  /** The first version with these contents. */
  readonly since: string;
  readonly data: SecretBytes;
  /** All of it but its contents. */
  readonly secret: KubeObject;
}

const sameBytes = (left: SecretBytes, right: SecretBytes): boolean => {
  const keys = Object.keys(left);
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => Buffer.compare(left[key] ?? new Uint8Array(), right[key] ?? new Uint8Array([0])) === 0)
  );
};

/** Contents of Secrets as last read. */
class SecretContents {
  readonly #loaded = new Map<string, Loaded>();
  /** Reads under way, by Secret and version: a hundred objects that ask at once are one request. */
  readonly #loading = new Map<string, Promise<Loaded | undefined>>();
  /** Readers that use a Secret, by its name. */
  readonly #readers = new Map<string, Set<SecretReader>>();

  /** Returns the contents of one version, kept until the reader releases it. Not cancelled with the first caller: others wait for the same response. */
  read(ref: Required<SecretRef>, version: string, client: Client, reader: SecretReader): Promise<Loaded | undefined> {
    const name = keyText(ref);
    this.#readers.set(name, (this.#readers.get(name) ?? new Set()).add(reader));
    const loaded = this.#loaded.get(name);
    if (loaded?.version === version) return Promise.resolve(loaded);
    const key = `${name}@${version}`;
    const under = this.#loading.get(key) ?? this.#fetch(ref, client).finally(() => this.#loading.delete(key));
    this.#loading.set(key, under);
    return under;
  }

  /** Stores a Secret from an answer of the API server. */
  note(ref: Required<SecretRef>, secret: KubeObject): Loaded {
    const version = versionOf(secret);
    const data = secretBytes(secret);
    const before = this.#loaded.get(keyText(ref));
    const since = before !== undefined && sameBytes(before.data, data) ? before.since : version;
    const { data: _, ...about } = secret;
    const read = { version, since, data, secret: about };
    this.#loaded.set(keyText(ref), read);
    return read;
  }

  /** The Secret is gone. */
  delete(name: string): void {
    this.#loaded.delete(name);
  }

  /** Called when a reader no longer uses a Secret; drops the contents with the last reader. */
  release(name: string, reader: SecretReader): void {
    const readers = this.#readers.get(name);
    readers?.delete(reader);
    if (readers !== undefined && readers.size > 0) return;
    this.#readers.delete(name);
    this.#loaded.delete(name);
  }

  async #fetch(ref: Required<SecretRef>, client: Client): Promise<Loaded | undefined> {
    const secret = await client.find(SecretResource, ref);
    return secret === undefined ? undefined : this.note(ref, secret);
  }
}

const versionOf = ({ metadata }: KubeObject): string => `${metadata.uid ?? ""}/${metadata.resourceVersion ?? ""}`;

/** One for each cache: the controllers of a process read each version of a Secret once. */
const contentsBehind = new WeakMap<Cache, SecretContents>();

const contentsOf = (cache: Cache): SecretContents => {
  const contents = contentsBehind.get(cache) ?? new SecretContents();
  contentsBehind.set(cache, contents);
  return contents;
};

/**
 * Secrets that objects of one controller use: their contents are read live once per version (the cache holds metadata only), and a
 * change of a Secret wakes exactly those that used it, also while it was missing.
 */
export class SecretReader {
  #contents: SecretContents | undefined;
  readonly #users = new Map<string, Map<string, Request>>();

  /** From now on a change of the Secret wakes the user. */
  watch(ref: Required<SecretRef>, user: Request): void {
    const name = keyText(ref);
    const users = this.#users.get(name) ?? new Map<string, Request>();
    users.set(`${user.namespace}/${user.name}`, user);
    this.#users.set(name, users);
  }

  /** The contents; `undefined` when there is no such Secret. */
  async read(
    ref: Required<SecretRef>,
    user: Request,
    access: { readonly cache: Cache; readonly client: Client },
  ): Promise<(Pick<Loaded, "data" | "secret"> & { readonly fingerprint: string }) | undefined> {
    const name = keyText(ref);
    this.watch(ref, user);
    this.#contents ??= contentsOf(access.cache);
    const known = access.cache.get(SecretResource, ref);
    if (known === undefined) {
      this.#contents.delete(name);
      return undefined;
    }
    const read = await this.#contents.read(ref, versionOf(known), access.client, this);
    return read && { data: read.data, secret: read.secret, fingerprint: `${name}@${read.since}` };
  }

  /** Stores the contents of a Secret that was just created, so that they need not be read. */
  created(secret: KubeObject, { cache }: { readonly cache: Cache }): void {
    const { namespace = "", name = "" } = secret.metadata;
    this.#contents ??= contentsOf(cache);
    this.#contents.note({ namespace, name }, secret);
  }

  /** Forgets a user that is gone. */
  forget(user: Request): void {
    for (const [secret, users] of this.#users) {
      users.delete(`${user.namespace}/${user.name}`);
      if (users.size > 0) continue;
      this.#users.delete(secret);
      this.#contents?.release(secret, this);
    }
  }

  /** Requests for the users of a Secret that changed. */
  source(): Source {
    return watchMapped(
      SecretResource,
      (secret) => {
        const { namespace = "", name = "" } = secret.metadata;
        return [...(this.#users.get(keyText({ namespace, name }))?.values() ?? [])];
      },
      {
        when: (event) =>
          event.type !== "updated" || event.previous.metadata.resourceVersion !== event.object.metadata.resourceVersion,
      },
    );
  }
}
