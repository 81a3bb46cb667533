import { CapstanError } from "@capstan/contract";
import type { GuestImage, InternetPlace } from "@capstan/guest";

/** Settings under `guest` of a seed, for the machines of its cloud. */
export interface GuestSeed {
  readonly images: readonly GuestImage[];
  readonly internet: readonly InternetPlace[];
  /** The seed of the cloud itself. */
  readonly rest: unknown;
}

const invalid = (what: string): CapstanError =>
  new CapstanError({
    code: "up.seed_unreadable",
    reason: "SeedUnreadable",
    message: `--seed: guest.${what}`,
    retry: { kind: "never" },
  });

const listed = (value: unknown, name: string): readonly Readonly<Record<string, unknown>>[] => {
  if (value === undefined) return [];
  if (Array.isArray(value)) return value as readonly Readonly<Record<string, unknown>>[];
  throw invalid(`${name} is not a list`);
};

const image = (given: Readonly<Record<string, unknown>>, index: number): GuestImage => {
  const { names, release, system } = given;
  if (Array.isArray(names) && typeof system === "string" && release !== undefined) {
    return { ...given, names: names.map(String), release: String(release) } as unknown as GuestImage;
  }
  throw invalid(`images[${index}] requires names, system and release, for example [my-image], ubuntu and "24.04"`);
};

const place = ({ content, url }: Readonly<Record<string, unknown>>, index: number): InternetPlace => {
  if (typeof url === "string" && /^https?:\/\/[^/*]+\//.test(url) && typeof content === "string") {
    return { urls: [url], answer: () => content };
  }
  throw invalid(`internet[${index}] requires url and content, for example https://example.com/install.sh and its text`);
};

/** Takes `guest` out of a seed. Throws `up.seed_unreadable`. */
export const guestSeed = (seed: unknown): GuestSeed => {
  if (typeof seed !== "object" || seed === null || !("guest" in seed)) return { images: [], internet: [], rest: seed };
  const { guest, ...rest } = seed;
  const { images, internet } = (guest ?? {}) as Readonly<Record<string, unknown>>;
  return {
    images: listed(images, "images").map(image),
    internet: listed(internet, "internet").map(place),
    rest: Object.keys(rest).length === 0 ? undefined : rest,
  };
};
