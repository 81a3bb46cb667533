import type { OptionDeclarationV1 } from "@capstan/contract/v1";
import { loadObjectStores } from "./object-stores.ts";
import { loadProviders } from "./providers.ts";
import { checkOwners, optionValues } from "../options/option-value.ts";
import type { OptionSettings } from "../options/set-option-flag.ts";

/** Modules as the command line names them. */
export interface NamedModules {
  readonly providers: readonly string[];
  readonly objectStores: readonly string[];
}

/** Returns the declarations of providers and object stores, providers first. Loads the modules and creates nothing. */
export const declaredOptions = async ({
  objectStores,
  providers,
}: NamedModules): Promise<readonly OptionDeclarationV1[]> => {
  const loaded = await Promise.all([loadProviders(providers), loadObjectStores(objectStores)]);
  return loaded.flat().flatMap(({ declaration }) => declaration ?? []);
};

/** Refuses, before anything starts, what no one declares. Throws `option.unknown`, `option.invalid`. */
export const checkOptions = async (settings: OptionSettings, modules: NamedModules): Promise<void> => {
  if (settings.length === 0) return;
  const declarations = await declaredOptions(modules);
  checkOwners(settings, declarations);
  for (const declaration of declarations) optionValues(declaration, settings);
};
