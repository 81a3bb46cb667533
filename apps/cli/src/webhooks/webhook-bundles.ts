import { isCapstanError } from "@capstan/contract";
import { CustomResourceDefinitionResource } from "@capstan/contract/wire";
import type { CallOptions, Client } from "@capstan/kube";
import { fromBase64 } from "@capstan/kube-values";
import { readCertificates } from "@capstan/pki";
import type { KubeObject, Resource } from "@capstan/schema";
import { configurationKinds, conversionOf, type ClientConfig } from "./webhook-clients.ts";

/** An object in which API servers find whom they trust when they ask webhooks. */
export interface BundlePlace {
  readonly kind: Resource<never>;
  readonly name: string;
  readonly resourceVersion: string;
  /** Each `caBundle` that has something, by its JSON pointer. */
  readonly bundles: readonly { readonly path: string; readonly authorities: readonly string[] }[];
}

/** The certificates of a text in PEM, each in the same form. */
const eachCertificate = (pem: string): readonly string[] => {
  try {
    return readCertificates(pem).map((certificate) => certificate.toString());
  } catch (error) {
    // What others wrote that is none.
    if (isCapstanError(error)) return [];
    throw error;
  }
};

const bundleAt = (path: string, { caBundle = "" }: Partial<ClientConfig> = {}) =>
  caBundle === ""
    ? []
    : [{ path: `${path}/clientConfig/caBundle`, authorities: eachCertificate(fromBase64(caBundle)) }];

const placeOf = (
  kind: Resource<never>,
  { metadata }: Pick<KubeObject, "metadata">,
  bundles: BundlePlace["bundles"],
): BundlePlace => ({
  kind,
  name: metadata.name ?? "",
  resourceVersion: metadata.resourceVersion ?? "",
  bundles,
});

/** Every `caBundle` of webhook configurations and conversions in a cluster. */
export const readBundles = async (client: Client, call: CallOptions): Promise<readonly BundlePlace[]> => {
  const definitions = (await client.list(CustomResourceDefinitionResource, call)).items;
  const configured = await Promise.all(
    configurationKinds.map(async (kind) =>
      (await client.list(kind, call)).items.map((each) =>
        placeOf(
          kind as Resource<never>,
          each,
          (each.webhooks ?? []).flatMap(({ clientConfig }, index) => bundleAt(`/webhooks/${index}`, clientConfig)),
        ),
      ),
    ),
  );
  return [
    ...definitions.map((each) =>
      placeOf(
        CustomResourceDefinitionResource as Resource<never>,
        each,
        bundleAt("/spec/conversion/webhook", conversionOf(each)),
      ),
    ),
    ...configured.flat(),
  ];
};
