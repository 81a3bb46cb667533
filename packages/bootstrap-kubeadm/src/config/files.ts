import { CapstanError } from "@capstan/contract";
import { SecretResource } from "@capstan/contract/wire";
import type { Client } from "@capstan/kube";
import type { Json } from "../render/kubeadm-documents.ts";

/** Reads one key of a Secret of the namespace as text. Throws `kubeadm.content_missing` naming field, Secret and key. */
export type ReadSecretKey = (ref: Json, field: string) => Promise<string>;

/** Reads Secrets live, each at most once per call of the reader. */
export const secretReader = (
  client: Client,
  namespace: string,
  call: { readonly signal: AbortSignal },
): ReadSecretKey => {
  const read = new Map<string, Promise<Readonly<Record<string, string>> | undefined>>();
  const dataOf = async (name: string): Promise<Readonly<Record<string, string>> | undefined> => {
    const found = await client.find(SecretResource, { namespace, name }, call);
    return found === undefined ? undefined : ((found["data"] ?? {}) as Readonly<Record<string, string>>);
  };
  return async (ref, field) => {
    const [name, key] = [String(ref["name"]), String(ref["key"])];
    const pending = read.get(name) ?? dataOf(name);
    read.set(name, pending);
    const data = await pending;
    const value = data?.[key];
    if (value !== undefined) return Buffer.from(value, "base64").toString("utf8");
    throw new CapstanError({
      code: "kubeadm.content_missing",
      reason: "ContentMissing",
      message:
        data === undefined
          ? `${field}: Secret ${namespace}/${name} does not exist; create it or correct the reference`
          : `${field}: Secret ${namespace}/${name} has no key ${JSON.stringify(key)}; its keys are ${Object.keys(data).toSorted().join(", ") || "none"}`,
    });
  };
};

/** Replaces `contentFrom` by the contents of the Secret, in order; the stored spec is not changed. */
export const resolveFiles = async (files: unknown, read: ReadSecretKey): Promise<readonly Json[]> => {
  const resolved: Json[] = [];
  for (const [index, file] of ((files ?? []) as readonly Json[]).entries()) {
    const { contentFrom, contentFormat, ...rest } = file;
    if (contentFormat === "Template") throw templateUnsupported(index, String(file["path"]));
    const secret = (contentFrom as Json | undefined)?.["secret"] as Json | undefined;
    resolved.push(
      secret === undefined ? rest : { ...rest, content: await read(secret, `spec.files[${index}].contentFrom.secret`) },
    );
  }
  return resolved;
};

const templateUnsupported = (index: number, path: string): CapstanError =>
  new CapstanError({
    code: "kubeadm.template_unsupported",
    reason: "ContentFormatUnsupported",
    message: `spec.files[${index}] (${path}): contentFormat Template is not supported yet; use Raw`,
    retry: { kind: "never" },
  });

/** Replaces `passwdFrom` by the password of the Secret. */
export const resolveUsers = async (users: unknown, read: ReadSecretKey): Promise<readonly Json[]> => {
  const resolved: Json[] = [];
  for (const [index, user] of ((users ?? []) as readonly Json[]).entries()) {
    const { passwdFrom, ...rest } = user;
    const secret = (passwdFrom as Json | undefined)?.["secret"] as Json | undefined;
    resolved.push(
      secret === undefined ? rest : { ...rest, passwd: await read(secret, `spec.users[${index}].passwdFrom.secret`) },
    );
  }
  return resolved;
};
