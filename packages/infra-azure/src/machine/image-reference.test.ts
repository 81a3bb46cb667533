import { expect, it } from "vitest";
import { imagePlan, imageReference } from "./image-reference.ts";

const linux = { osType: "Linux", version: "v1.34.1", windowsServerVersion: undefined };
const community = "/CommunityGalleries/ClusterAPI-f72ceb4f-5159-4c26-a0fe-2ea738f0d019/Images";
const gallery = { gallery: "g", name: "i", version: "1.0.0" };
const plan = { publisher: "p", offer: "o", sku: "s" };

it.each([
  [undefined, linux, { communityGalleryImageId: `${community}/capi-ubun2-2404/Versions/1.34.1` }],
  [
    undefined,
    { ...linux, version: "v1.34.1+k3s1" },
    { communityGalleryImageId: `${community}/capi-ubun2-2404/Versions/1.34.1` },
  ],
  [
    undefined,
    { ...linux, osType: "Windows" },
    { communityGalleryImageId: `${community}/capi-win-2022-containerd/Versions/1.34.1` },
  ],
  [
    undefined,
    { ...linux, osType: "Windows", windowsServerVersion: "windows-2025" },
    { communityGalleryImageId: `${community}/capi-win-2025-containerd/Versions/1.34.1` },
  ],
  [
    undefined,
    { ...linux, version: "v1.29.8" },
    { communityGalleryImageId: `${community}/capi-ubun2-2404/Versions/1.29.8` },
  ],
  [
    undefined,
    { ...linux, version: "v1.30.3" },
    { publisher: "cncf-upstream", offer: "capi", sku: "ubuntu-2204-gen1", version: "130.3.20240717" },
  ],
  [
    undefined,
    { ...linux, osType: "Windows", version: "1.29.5", windowsServerVersion: "windows-2022" },
    {
      publisher: "cncf-upstream",
      offer: "capi-windows",
      sku: "windows-2019-containerd-gen1",
      version: "129.5.20240515",
    },
  ],
  [{ id: "/x" }, linux, { id: "/x" }],
  [{ marketplace: { ...plan, version: "1", thirdPartyImage: false } }, linux, { ...plan, version: "1" }],
  [{ computeGallery: gallery }, linux, { communityGalleryImageId: "/CommunityGalleries/g/Images/i/Versions/1.0.0" }],
  [
    { computeGallery: { ...gallery, subscriptionID: "sub", resourceGroup: "rg" } },
    linux,
    { id: "/subscriptions/sub/resourceGroups/rg/providers/Microsoft.Compute/galleries/g/images/i/versions/1.0.0" },
  ],
  [
    { sharedGallery: { ...gallery, subscriptionID: "sub", resourceGroup: "rg" } },
    linux,
    { id: "/subscriptions/sub/resourceGroups/rg/providers/Microsoft.Compute/galleries/g/images/i/versions/1.0.0" },
  ],
])("boots %j of %j", (image, facts, expected) => {
  expect(imageReference(image, facts)).toEqual(expected);
});

it.each([undefined, "latest", "v1.27.13", "v1.28.0", "v1.22.17"])(
  "knows no image for version %s, and says what to set",
  (version) => {
    expect(() => imageReference(undefined, { ...linux, version })).toThrow(/set spec\.image/);
  },
);

it("has a plan only where terms were accepted", () => {
  const expected = { publisher: "p", product: "o", name: "s" };
  expect(imagePlan({ marketplace: { ...plan, version: "1", thirdPartyImage: true } })).toEqual(expected);
  expect(imagePlan({ marketplace: { ...plan, version: "1", thirdPartyImage: false } })).toBeUndefined();
  expect(imagePlan({ computeGallery: { ...gallery, plan } })).toEqual(expected);
  expect(imagePlan(undefined)).toBeUndefined();
});
