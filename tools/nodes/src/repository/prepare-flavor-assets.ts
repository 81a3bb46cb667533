import { cacheFolder, targets } from "@capstan/tool-kube-assets/assets";
import { type MachineAssets, nodesCache, prepareAssets, releases } from "../assets/prepare.ts";
import { bareImage } from "./bare-image.ts";
import { packageRepositories } from "./package-repository.ts";

/** What machines are made of, with an image on which user data installs the older release, and the repositories that it finds. */
export const prepareFlavorAssets = async (
  say: (line: string) => void,
): Promise<{ readonly assets: MachineAssets; readonly cache: string; readonly packages: string }> => {
  const { base, images } = await prepareAssets(say);
  const cache = nodesCache();
  const [version] = releases;
  const packages = await packageRepositories(cache, { version, programs: cacheFolder(targets["nodes-before"]) }, say);
  const bare = await bareImage({ cache, base, image: images[version] ?? "", version, say });
  return { assets: { base, images: { ...images, [`bare-${version}`]: bare } }, cache, packages };
};
