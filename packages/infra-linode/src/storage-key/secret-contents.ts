import { ownerOfKind } from "@capstan/contract/wire";
import { compileTemplate, shortTemplateUnits, TemplateBudget } from "@capstan/go-template";
import { keyOf } from "@capstan/kube-values";
import type { ObjectKey } from "@capstan/kube-values";
import type { Bucket } from "@capstan/linode-client";
import type { KubeObject } from "@capstan/schema";
import { LinodeReason } from "../api/linode-conditions.ts";
import { LinodeObjectStorageKey } from "../api/linode-object-storage-key.v1alpha2.ts";

const defaultFormat = { access: "{{ .AccessKey }}", secret: "{{ .SecretKey }}" } as const;

/** Templates of the Secret, by its keys. */
const formatOf = ({ spec }: LinodeObjectStorageKey): Readonly<Record<string, string>> => {
  const format = spec.generatedSecret.format ?? spec.secretDataFormat ?? {};
  return Object.keys(format).length === 0 ? defaultFormat : format;
};

export const secretTypeOf = ({ spec }: LinodeObjectStorageKey): string =>
  spec.generatedSecret.type === "Opaque" ? (spec.secretType ?? "Opaque") : spec.generatedSecret.type;

/** Labels of a generated Secret that name its LinodeObjectStorageKey. */
export const keyLabels = {
  name: "capstan.dev/object-storage-key-name",
  namespace: "capstan.dev/object-storage-key-namespace",
} as const;

/** The LinodeObjectStorageKey that a Secret was made by, here or by upstream's provider. */
export const keyOfSecret = (secret: KubeObject): ObjectKey | undefined => {
  const { [keyLabels.name]: name, [keyLabels.namespace]: namespace } = secret.metadata.labels ?? {};
  if (name !== undefined && namespace !== undefined) return { name, namespace };
  const owner = ownerOfKind(secret, LinodeObjectStorageKey);
  return owner && { ...keyOf(secret), name: owner.name };
};

/** Where the Secret is. */
export const secretKeyOf = ({ metadata, spec }: LinodeObjectStorageKey) => {
  const { name = "", namespace = "" } = spec.generatedSecret;
  return {
    namespace: namespace === "" ? (metadata.namespace ?? "") : namespace,
    name: name === "" ? `${metadata.name ?? ""}-obj-key` : name,
  };
};

/** Without the bucket in front; a place that names its scheme is taken at its word. */
const endpointOf = ({ hostname, label, s3_endpoint: endpoint = "" }: Bucket): string =>
  endpoint.includes("://") ? endpoint : `https://${hostname.replace(`${label}.`, "")}`;

/** The contents of the Secret. Throws `TemplateError`. */
export const secretContents = (
  object: LinodeObjectStorageKey,
  key: { readonly access_key: string; readonly secret_key: string },
  bucket: Bucket,
): Readonly<Record<string, string>> => {
  const values = {
    AccessKey: key.access_key,
    SecretKey: key.secret_key,
    BucketName: bucket.label,
    BucketEndpoint: bucket.hostname,
    S3Endpoint: endpointOf(bucket),
  };
  const budget = new TemplateBudget(shortTemplateUnits);
  return Object.fromEntries(
    Object.entries(formatOf(object)).map(([name, source]) => [
      name,
      compileTemplate(source, { name, missingKey: "error", budget }).render(values),
    ]),
  );
};

const sample: Bucket = {
  label: "bucket",
  region: "region",
  cluster: "cluster",
  hostname: "bucket.host",
  created: "",
  objects: 0,
  size: 0,
};

/** Returns what is wrong with the templates. Called before a key is made, because its secret is shown only once. */
export const templateProblem = (object: LinodeObjectStorageKey) => {
  try {
    secretContents(object, { access_key: "access", secret_key: "secret" }, sample);
    return undefined;
  } catch (error) {
    const message = `spec.generatedSecret.format: ${(error as Error).message}; .AccessKey, .SecretKey, .BucketName, .BucketEndpoint and .S3Endpoint are there`;
    return { reason: LinodeReason.templateInvalid, message };
  }
};
