import { existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { silentLogger } from "@capstan/contract";
import type { CreateProviderV1, FlavorV1, OutsideV1 } from "@capstan/contract/v1";
import { byText } from "@capstan/kube-values";
import { cryptoRandom, systemClock } from "@capstan/runtime";
import { isKind } from "@capstan/schema";
import type { Kind } from "@capstan/schema";

/** A package with kinds of its own. */
export interface ApiPackage {
  /** Folder below the repository's root. */
  readonly folder: string;
  /** The stored version of each kind. */
  readonly kinds: readonly Kind[];
  /** Templates of clusters that its provider brings. */
  readonly flavors: readonly FlavorV1[];
}

const root = resolve(import.meta.dirname, "../../..");

const kindsOf = (api: Readonly<Record<string, unknown>>): readonly Kind[] =>
  Object.values(api)
    .filter((value) => typeof value === "object" && value !== null && "kind" in value)
    .map((value) => value as Kind)
    .filter((value) => isKind(value) && value.storage)
    .sort((a, b) => byText(a.kind, b.kind));

const outside: OutsideV1 = {
  clock: systemClock,
  random: cryptoRandom,
  log: silentLogger,
  variable: () => undefined,
  simulated: () => undefined,
};

const moduleOf = (folder: string, file: string) => import(pathToFileURL(join(root, folder, file)).href);

const flavorsOf = async (folder: string): Promise<readonly FlavorV1[]> => {
  if (!existsSync(join(root, folder, "src/flavors")) || !existsSync(join(root, folder, "src/provider.ts"))) return [];
  const { createProvider } = (await moduleOf(folder, "src/provider.ts")) as {
    readonly createProvider: CreateProviderV1;
  };
  const { flavors = [] } = await createProvider(outside);
  return flavors;
};

const apiOf = async (folder: string): Promise<ApiPackage> => ({
  folder,
  kinds: kindsOf((await moduleOf(folder, "src/api.ts")) as Record<string, unknown>),
  flavors: await flavorsOf(folder),
});

/** Every package that defines kinds: those with a `src/api.ts`. */
export const apiPackages: readonly ApiPackage[] = await Promise.all(
  readdirSync(join(root, "packages"))
    .toSorted()
    .map((name) => `packages/${name}`)
    .filter((folder) => existsSync(join(root, folder, "src/api.ts")))
    .map(apiOf),
);
