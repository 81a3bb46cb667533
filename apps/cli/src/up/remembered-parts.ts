import { resolve } from "node:path";
import { isRelativePath } from "../modules/resolve-module.ts";
import type { DataFolder } from "./data-folder.ts";
import { readStored } from "./read-stored.ts";
import type { UpOptions } from "./up-options.ts";

/** Options that a data folder was last used with. */
export type UpParts = Pick<UpOptions, "simulate" | "providers" | "objectStores" | "setOptions">;

export const partsFile = "parts.json";

/** Keeps with what a data folder is used, so that what runs in it can be taken down by the same providers and clouds. */
export const rememberParts = (
  data: DataFolder,
  { simulate, providers, objectStores, setOptions = [] }: UpParts,
): void => {
  const anywhere = (names: readonly string[]): readonly string[] =>
    names.map((name) => (isRelativePath(name) ? resolve(name) : name));
  const parts = {
    simulate: anywhere(simulate),
    providers: anywhere(providers),
    objectStores: anywhere(objectStores),
    setOptions,
  } satisfies UpParts;
  data.writeSecret(partsFile, `${JSON.stringify(parts)}\n`);
};

/** `undefined`: nothing ran in the folder yet. Throws `up.data_file_damaged`. */
export const rememberedParts = (data: DataFolder): UpParts | undefined => readStored<UpParts>(data.file(partsFile));
