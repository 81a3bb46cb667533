import { existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { byText } from "@capstan/kube-values";
import { isKind } from "@capstan/schema";
import type { Kind } from "@capstan/schema";

/** A package with kinds of its own. */
export interface ApiPackage {
  /** Folder below the repository's root. */
  readonly folder: string;
  /** The stored version of each kind. */
  readonly kinds: readonly Kind[];
}

const root = resolve(import.meta.dirname, "../../..");

const kindsOf = (api: Readonly<Record<string, unknown>>): readonly Kind[] =>
  Object.values(api)
    .filter((value) => typeof value === "object" && value !== null && "kind" in value)
    .map((value) => value as Kind)
    .filter((value) => isKind(value) && value.storage)
    .sort((a, b) => byText(a.kind, b.kind));

const apiOf = async (folder: string): Promise<ApiPackage> => {
  const api = (await import(pathToFileURL(join(root, folder, "src/api.ts")).href)) as Record<string, unknown>;
  return { folder, kinds: kindsOf(api) };
};

/** Every package that defines kinds: those with a `src/api.ts`. */
export const apiPackages: readonly ApiPackage[] = await Promise.all(
  readdirSync(join(root, "packages"))
    .toSorted()
    .map((name) => `packages/${name}`)
    .filter((folder) => existsSync(join(root, folder, "src/api.ts")))
    .map(apiOf),
);
