import { customResources } from "./crd/custom-resources.ts";
import type { ExtensionFactory } from "./registry/types.ts";

/** What a server brings along unless told otherwise. */
export const standardExtensions = (): readonly ExtensionFactory[] => [customResources()];
