import { isUtf8 } from "node:buffer";
import { CapstanError } from "@capstan/contract";
import { ConfigMapResource, SecretResource } from "@capstan/contract/wire";
import type { Client } from "@capstan/kube";
import type { ObjectKey } from "@capstan/kube-values";
import type { KubeObject, Resource } from "@capstan/schema";
import { encodedFile, type FileEntry, isBase64 } from "./file-entry.ts";

/** One key of a Secret or ConfigMap. Without a namespace it is in the reader's. */
export interface ContentKey {
  readonly name: string;
  readonly key: string;
  readonly namespace?: string;
}

/** Where a content stands; one of the two is set. */
export interface ContentSource {
  readonly secret?: ContentKey;
  readonly configMap?: ContentKey;
}

/** Reads a content. `field` names the source in messages. Throws `bootstrap.content_missing` with field, object and key. */
export type ReadContent = (source: ContentSource, field: string) => Promise<Buffer>;

/** Contents by key. */
export type Data = Readonly<Record<string, Buffer>>;
type Texts = Readonly<Record<string, string>>;

const decoded = (data: unknown, encoding: BufferEncoding): Data =>
  Object.fromEntries(Object.entries((data ?? {}) as Texts).map(([key, text]) => [key, Buffer.from(text, encoding)]));

const dataOf: Readonly<Record<keyof ContentSource, (object: KubeObject) => Data>> = {
  secret: (object) => decoded(object["data"], "base64"),
  configMap: (object) => ({ ...decoded(object["data"], "utf8"), ...decoded(object["binaryData"], "base64") }),
};

const resources: Readonly<Record<keyof ContentSource, Resource>> = {
  secret: SecretResource,
  configMap: ConfigMapResource,
};

/** Reads all data of a Secret or ConfigMap. `field` names the source in messages. Throws `bootstrap.content_missing` with field and object. */
export type ReadData = (
  source: { readonly [Type in keyof ContentSource]?: Omit<ContentKey, "key"> },
  field: string,
) => Promise<Data>;

const missing = (message: string): CapstanError =>
  new CapstanError({ code: "bootstrap.content_missing", reason: "ContentMissing", message });

/**
 * Reads Secrets and ConfigMaps live, each at most once in the life of the reader. An author whose users may name ConfigMaps has `get` for
 * them among its `permissions`.
 */
export const dataReader = (access: {
  readonly client: Client;
  readonly namespace: string;
  readonly call: { readonly signal: AbortSignal };
  /** Told of each Secret before it is read, as in a `BootstrapContext`. */
  readonly watchSecret?: (key: Required<ObjectKey>) => void;
}): ReadData => {
  const reads = new Map<string, Promise<Data | undefined>>();
  const read = async (type: keyof ContentSource, namespace: string, name: string): Promise<Data | undefined> => {
    if (type === "secret") access.watchSecret?.({ namespace, name });
    const found = await access.client.find(resources[type], { namespace, name }, access.call);
    return found === undefined ? undefined : dataOf[type](found);
  };
  return async (source, field) => {
    const type = source.secret === undefined ? "configMap" : "secret";
    const { name = "", namespace = access.namespace } = source[type] ?? {};
    const id = `${type} ${namespace}/${name}`;
    const pending = reads.get(id) ?? read(type, namespace, name);
    reads.set(id, pending);
    const data = await pending;
    if (data !== undefined) return data;
    const where = `${field}.${type}: ${resources[type].kind} ${namespace}/${name}`;
    throw missing(`${where} does not exist; create it or correct the reference`);
  };
};

/** A value among the data of a Secret or ConfigMap. Throws `bootstrap.content_missing`; `where` names field and object. */
export const requireKey = (data: Data, key: string, where: string): Buffer => {
  const value = data[key];
  if (value !== undefined) return value;
  const keys = Object.keys(data).toSorted().join(", ") || "none";
  throw missing(`${where} has no key ${JSON.stringify(key)}; its keys are ${keys}`);
};

/** Reads single keys, as `dataReader` does whole objects. */
export const contentReader = (access: Parameters<typeof dataReader>[0]): ReadContent => {
  const read = dataReader(access);
  return async (source, field) => {
    const type = source.secret === undefined ? "configMap" : "secret";
    const { key = "", name = "", namespace = access.namespace } = source[type] ?? {};
    const where = `${field}.${type}: ${resources[type].kind} ${namespace}/${name}`;
    return requireKey(await read(source, field), key, where);
  };
};

/** A file whose content may stand elsewhere. */
export interface FileSource extends FileEntry {
  readonly contentFrom?: ContentSource;
}

const isText = (bytes: Buffer): boolean => isUtf8(bytes) && !bytes.includes(0);

/**
 * The file with a content that came as bytes; `field` names it in messages. What no document can hold as it is, as raw gzip, travels in
 * base64 and arrives the same. Throws `bootstrap.content_invalid` for what is not base64 though the file's encoding says so.
 */
export const withContent = (file: FileEntry, bytes: Buffer, field: string): FileEntry => {
  const { encoding, ...plain } = file;
  if (encoding === undefined) {
    return isText(bytes) ? { ...file, content: String(bytes) } : encodedFile(plain, bytes, "base64");
  }
  if (encoding === "gzip" || encoding === "gz") {
    return { ...file, encoding: "gzip+base64", content: bytes.toString("base64") };
  }
  if (isBase64(String(bytes))) return { ...file, content: String(bytes) };
  throw new CapstanError({
    code: "bootstrap.content_invalid",
    reason: "ContentInvalid",
    message: `${field}: the content is not base64, but the encoding of ${file.path} is ${encoding}; correct one of them`,
  });
};

/** Files in their order, with the contents that stand elsewhere. Throws `bootstrap.content_missing` and `bootstrap.content_invalid`. */
export const resolveFiles = async (
  files: readonly FileSource[] | undefined,
  read: ReadContent,
  field = "spec.files",
): Promise<readonly FileEntry[]> => {
  const resolved: FileEntry[] = [];
  for (const [index, { contentFrom, ...file }] of (files ?? []).entries()) {
    if (contentFrom === undefined) {
      resolved.push(file);
    } else {
      const where = `${field}[${index}].contentFrom`;
      resolved.push(withContent(file, await read(contentFrom, where), where));
    }
  }
  return resolved;
};
