type Json = Readonly<Record<string, unknown>>;

interface Series {
  /** The last patch release that was published at the marketplace. */
  readonly last: number;
  /** Dates of the images by patch release. */
  readonly linux: Readonly<Record<number, number>>;
  readonly windows: Readonly<Record<number, number>>;
}

/** Minor releases of Kubernetes 1 whose images are at the marketplace: those before the community had a gallery. Nothing is added any more. */
const published: Readonly<Record<number, Series>> = {
  27: {
    last: 16,
    linux: { 14: 20240517, 15: 20240612, 16: 20240717 },
    windows: { 14: 20240515 },
  },
  28: {
    last: 12,
    linux: {
      1: 20230829,
      2: 20230918,
      3: 20231023,
      4: 20231130,
      5: 20240102,
      6: 20240201,
      7: 20240223,
      8: 20240327,
      9: 20240418,
      10: 20240517,
      11: 20240612,
      12: 20240717,
    },
    windows: {
      1: 20230830,
      2: 20230918,
      3: 20231023,
      4: 20231122,
      5: 20240102,
      6: 20240201,
      7: 20240223,
      8: 20240327,
      9: 20240418,
      10: 20240515,
      11: 20240612,
      12: 20240717,
    },
  },
  29: {
    last: 7,
    linux: { 1: 20240206, 2: 20240223, 3: 20240327, 4: 20240418, 5: 20240517, 6: 20240612, 7: 20240717 },
    windows: { 1: 20240201, 2: 20240223, 3: 20240327, 4: 20240418, 5: 20240515, 6: 20240612, 7: 20240717 },
  },
  30: {
    last: 3,
    linux: { 0: 20240506, 1: 20240517, 2: 20240612, 3: 20240717 },
    windows: { 0: 20240418, 1: 20240515, 2: 20240612, 3: 20240717 },
  },
};
const oldest = 27;

/** Returns whether images of a release would be at the marketplace, and not in the community's gallery. */
export const isOfMarketplace = ([major = 0, minor = 0, patch = 0]: readonly number[]): boolean =>
  major === 1 && (minor < oldest || patch <= (published[minor]?.last ?? -1));

/** The marketplace's image of a release, if there is one. */
export const marketplaceImage = (
  [, minor = 0, patch = 0]: readonly number[],
  osType: "linux" | "windows",
): Json | undefined => {
  const date = published[minor]?.[osType][patch];
  if (date === undefined) return undefined;
  const what =
    osType === "linux"
      ? { offer: "capi", sku: "ubuntu-2204-gen1" }
      : { offer: "capi-windows", sku: "windows-2019-containerd-gen1" };
  return { publisher: "cncf-upstream", ...what, version: `1${minor}.${patch}.${date}` };
};
