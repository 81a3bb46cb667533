import type { Call, CatalogueCalls } from "../cloud/linode-api.ts";

/**
 * Returns whether a region has the metadata service, and an image a cloud-init that reads it. What is unknown, as with backups, which have no
 * image, is left to the API to refuse.
 */
export const supportsMetadata = async (
  api: CatalogueCalls,
  { image, region }: { readonly image: string | undefined; readonly region: string },
  call: Call,
): Promise<boolean> => {
  const regions = await api.regions(call);
  const capabilities = regions.find(({ id }) => id === region)?.capabilities;
  if (capabilities?.includes("Metadata") === false) return false;
  if (image === undefined) return true;
  return (await api.image(image, call))?.capabilities.includes("cloud-init") !== false;
};
