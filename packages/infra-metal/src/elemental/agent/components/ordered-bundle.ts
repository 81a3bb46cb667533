import { isJsonObject, type JsonObject } from "@capstan/schema";
import { bundleError } from "../../bundle/bundle-errors.ts";
import { describeBundle, receivedDescription, type BundleDescription } from "../../bundle/describe-bundle.ts";
import { isDigest } from "../../bundle/digest.ts";
import { imageReference } from "../../bundle/image-reference.ts";
import { registrySource } from "../../bundle/registry-client.ts";
import type { Requests } from "../../http/requests.ts";
import type { ElementalClient } from "../elemental-client.ts";

/** Part of an archive from an offset on. */
export type ReadBlob = (
  digest: string,
  offset: number,
) => Promise<{ readonly from: number; readonly body: AsyncIterable<Uint8Array> }>;

/** The bundle that a host is to have. */
export interface OrderedBundle {
  readonly description: BundleDescription;
  readonly environment: Readonly<Record<string, string>>;
  readonly signature: { readonly required: boolean; readonly publicKeys: readonly string[] };
  readonly kubernetesVersion: string;
  readonly role: string;
  readonly readBlob: ReadBlob;
}

const textsOf = (value: unknown): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(isJsonObject(value) ? value : {}).map(([key, text]) => [key, String(text)]));

const signatureOf = (value: unknown): OrderedBundle["signature"] => {
  const { publicKeys, required } = isJsonObject(value) ? value : ({} as JsonObject);
  const keys = Array.isArray(publicKeys) ? publicKeys.map(String) : [];
  return { required: required === true || (required !== false && keys.length > 0), publicKeys: keys };
};

export interface BundlePlace {
  readonly host: string;
  readonly client: ElementalClient;
  /** To registries, for bundles that the host pulls. */
  readonly requests: Requests;
  readonly signal: AbortSignal;
}

/** Asks what the host is to have, and reads its manifests where they are. Throws `elemental.*`. */
export const orderedBundle = async ({ client, host, requests, signal }: BundlePlace): Promise<OrderedBundle> => {
  const told = await client.components(host);
  const { bundle, delivery, digest, env, image, kubernetesVersion = "", role = "" } = told;
  if (!isDigest(digest)) throw bundleError("verification_failed", "the Elemental API names no digest");
  const common = {
    environment: textsOf(env),
    signature: signatureOf(told["signature"]),
    kubernetesVersion: String(kubernetesVersion),
    role: String(role),
  };
  if (delivery === "pull") {
    const source = registrySource(imageReference(String(image)), { requests, signal });
    const readBlob: ReadBlob = (blob, offset) => source.blob(blob, offset);
    return { ...common, description: await describeBundle(source, digest), readBlob };
  }
  const readBlob: ReadBlob = (blob, offset) => client.componentBlob(host, blob, offset);
  return { ...common, description: receivedDescription(digest, bundle), readBlob };
};
