import { cacheFolder, targets } from "@capstan/tool-kube-assets/assets";
import { type MachineAssets, nodesCache, prepareAssets } from "../assets/prepare.ts";
import { bareImage, installedImage } from "./flavor-images.ts";
import { packageRepositories } from "./package-repository.ts";

/** Release that flavors run on: only one, the newer. */
export const flavorTarget = targets.nodes;

export interface FlavorAssets {
  /** With the images `installed` and `bare`, with and without Kubernetes. */
  readonly assets: MachineAssets;
  readonly cache: string;
  /** The folder of the repositories. */
  readonly packages: string;
}

/**
 * Prepares the folders that machines are made from, and the repositories from which user data installs Kubernetes on
 * the bare image.
 */
export const prepareFlavorAssets = async (say: (line: string) => void): Promise<FlavorAssets> => {
  const { version } = flavorTarget;
  const { base, images } = await prepareAssets(say, [flavorTarget]);
  const cache = nodesCache();
  const packages = await packageRepositories(cache, { version, programs: cacheFolder(flavorTarget) }, say);
  const options = { cache, base, image: images[version] ?? "", version, say };
  const ofFlavors = { installed: await installedImage(options), bare: await bareImage(options) };
  return { assets: { base, images: ofFlavors }, cache, packages };
};
