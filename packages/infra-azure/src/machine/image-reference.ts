import { CapstanError } from "@capstan/contract";
import { groupId } from "../arm/resource-id.ts";
import type { DefaultedMachine } from "./machine-defaults.ts";
import { isOfMarketplace, marketplaceImage } from "./marketplace-images.ts";

type Image = NonNullable<DefaultedMachine["image"]>;
type Json = Readonly<Record<string, unknown>>;

/** The gallery of the community that images of Kubernetes are in. */
const communityGallery = "ClusterAPI-f72ceb4f-5159-4c26-a0fe-2ea738f0d019";
const linuxImage = "capi-ubun2-2404";

const communityId = (gallery: string, name: string, version: string): Json => ({
  communityGalleryImageId: `/CommunityGalleries/${gallery}/Images/${name}/Versions/${version}`,
});

const galleryId = (
  place: { readonly subscription: string; readonly group: string },
  { gallery, name, version }: { readonly gallery: string; readonly name: string; readonly version: string },
): Json => ({
  id: `${groupId(place.subscription, place.group)}/providers/Microsoft.Compute/galleries/${gallery}/images/${name}/versions/${version}`,
});

const given = ({ computeGallery, id, marketplace, sharedGallery }: Image): Json | undefined => {
  if (id !== undefined && id !== "") return { id };
  if (marketplace !== undefined) {
    const { offer, publisher, sku, version } = marketplace;
    return { publisher, offer, sku, version };
  }
  if (computeGallery !== undefined) {
    const { gallery, name, resourceGroup: group = "", subscriptionID: subscription = "", version } = computeGallery;
    return subscription === "" || group === ""
      ? communityId(gallery, name, version)
      : galleryId({ subscription, group }, computeGallery);
  }
  if (sharedGallery === undefined) return undefined;
  const { resourceGroup: group, subscriptionID: subscription } = sharedGallery;
  return galleryId({ subscription, group }, sharedGallery);
};

const releaseOf = (version: string): readonly number[] | undefined => {
  const found = /^v?(\d+)\.(\d+)\.(\d+)/.exec(version);
  return found === null ? undefined : found.slice(1).map(Number);
};

const noImage = (what: string): CapstanError =>
  new CapstanError({
    code: "azure.image_unknown",
    reason: "ImageUnknown",
    message: `${what}; set spec.image`,
    retry: { kind: "never" },
  });

export interface ImageFacts {
  /** Kubernetes version. */
  readonly version: string | undefined;
  readonly osType: string;
  /** Windows version, for example `windows-2022`. */
  readonly windowsServerVersion: string | undefined;
}

/** The image that a machine boots: the one of the spec, or that of the community for its Kubernetes version. */
export const imageReference = (
  image: Image | undefined,
  { osType, version, windowsServerVersion }: ImageFacts,
): Json => {
  const own = image === undefined ? undefined : given(image);
  if (own !== undefined) return own;
  if (version === undefined) throw noImage("the Machine has no version to choose an image by");
  const release = releaseOf(version);
  if (release === undefined) throw noImage(`the version ${version} of the Machine is not a Kubernetes version`);
  const isWindows = osType.toLowerCase() === "windows";
  if (isOfMarketplace(release)) {
    const old = marketplaceImage(release, isWindows ? "windows" : "linux");
    if (old === undefined) throw noImage(`the community has no image of ${osType} for Kubernetes ${version}`);
    return old;
  }
  // What stands behind a plus names a distribution, for which the images are good as well.
  const number = version.replace(/^v/, "").replace(/\+.*$/, "");
  if (!isWindows) return communityId(communityGallery, linuxImage, number);
  const year = /^windows-(\d{4})$/.exec(windowsServerVersion ?? "windows-2022")?.[1] ?? "2022";
  return communityId(communityGallery, `capi-win-${year}-containerd`, number);
};

/** The plan of an image whose terms have to be accepted. */
export const imagePlan = (image: Image | undefined): Json | undefined => {
  const { computeGallery, marketplace, sharedGallery } = image ?? {};
  const plan = marketplace?.thirdPartyImage === true ? marketplace : (computeGallery?.plan ?? sharedGallery);
  if (plan?.publisher === undefined || plan.offer === undefined || plan.sku === undefined) return undefined;
  return { publisher: plan.publisher, product: plan.offer, name: plan.sku };
};
