import { refusal } from "../arm/refusals.ts";
import { same } from "../resource-id.ts";
import type { World } from "../world.ts";
import type { ImageReference } from "../vm.ts";

/** The community gallery of Cluster API's images. */
const community = "ClusterAPI-f72ceb4f-5159-4c26-a0fe-2ea738f0d019";
const communityImages =
  /^(?:capi-ubun2-(?:2204|2404)|capi-azurelinux-3|capi-win-(?:2019|2022|2025)-containerd|capi-flatcar-stable-(?:amd64|arm64)(?:-gen2)?|flatcar-stable-(?:amd64|arm64))$/i;
const galleryVersions = /^(?:latest|\d+\.\d+\.\d+)$/;

interface MarketplaceImage {
  readonly publisher: string;
  readonly offer: RegExp;
  readonly sku: RegExp;
  /** Whoever uses it has to agree to a plan. */
  readonly hasPlan?: boolean;
}

const marketplace: readonly MarketplaceImage[] = [
  {
    publisher: "Canonical",
    offer: /^(?:0001-com-ubuntu-server-jammy|ubuntu-24_04-lts)$/i,
    sku: /^(?:22_04-lts(?:-gen2|-arm64)?|server(?:-gen1|-arm64)?|cvm)$/i,
  },
  {
    publisher: "cncf-upstream",
    offer: /^capi(?:-windows)?$/i,
    sku: /^(?:ubuntu-\d{4}-gen[12]|windows-\d{4}-containerd-gen[12])$/i,
  },
  { publisher: "kinvolk", offer: /^flatcar-container-linux(?:-free)?$/i, sku: /^stable(?:-gen2)?$/i, hasPlan: true },
  { publisher: "MicrosoftWindowsServer", offer: /^WindowsServer$/i, sku: /^20(?:19|22|25)-/i },
];

const matches = ({ publisher, offer, sku }: MarketplaceImage, reference: ImageReference): boolean =>
  same(publisher, reference.publisher ?? "") && offer.test(reference.offer ?? "") && sku.test(reference.sku ?? "");

const galleryNotFound = (id: string) =>
  refusal(
    404,
    "GalleryImageNotFound",
    `The gallery image ${id} is not available in the region. Please contact image owner to replicate to this region, or change your requested region.`,
    "imageReference",
  );

/** Returns whether there is such an image; the images of the subscription itself are those that it was seeded with. */
export const checkImage = (reference: ImageReference | undefined, plan: unknown, world: World): void => {
  if (reference === undefined) {
    throw refusal(400, "InvalidParameter", "Required parameter 'imageReference' is missing (null).", "imageReference");
  }
  const { id, communityGalleryImageId, sharedGalleryImageId, publisher, offer, sku, version } = reference;
  const private_ = id ?? sharedGalleryImageId;
  if (private_ !== undefined) {
    if (!world.images.some((known) => same(known, private_))) throw galleryNotFound(private_);
    return;
  }
  if (communityGalleryImageId !== undefined) {
    const [, gallery = "", image = "", , wanted = "latest"] =
      /^\/CommunityGalleries\/([^/]+)\/Images\/([^/]+)(\/Versions\/([^/]+))?$/i.exec(communityGalleryImageId) ?? [];
    const known = same(gallery, community) && communityImages.test(image) && galleryVersions.test(wanted);
    if (!known && !world.images.some((each) => same(each, communityGalleryImageId))) {
      throw galleryNotFound(communityGalleryImageId);
    }
    return;
  }
  const found = marketplace.find((image) => matches(image, reference));
  if (found === undefined || version === undefined || !/^(?:latest|\d+\.\d+\.\d+)$/.test(version)) {
    throw refusal(
      404,
      "PlatformImageNotFound",
      `The platform image '${publisher ?? ""}:${offer ?? ""}:${sku ?? ""}:${version ?? ""}' is not available. Verify that all fields in the storage profile are correct.`,
      "imageReference",
    );
  }
  if (found.hasPlan === true && plan === undefined) {
    throw refusal(
      400,
      "VMMarketplaceInvalidInput",
      `Creating a virtual machine from Marketplace image or a custom image sourced from a Marketplace image requires Plan information in the request. VM image: '${publisher ?? ""}:${offer ?? ""}:${sku ?? ""}'.`,
    );
  }
};
