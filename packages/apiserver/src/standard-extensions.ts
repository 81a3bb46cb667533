import { type ControllerName, controllers } from "./controllers/controllers.ts";
import { customResources, type CustomResourcesOptions } from "./crd/custom-resources.ts";
import type { ExtensionFactory } from "./registry/extension.ts";

/** What a server brings along unless told otherwise: custom resources, and the named controllers (default: the standard ones). */
export const standardExtensions = (
  names?: readonly ControllerName[],
  options: CustomResourcesOptions = {},
): readonly ExtensionFactory[] => [customResources(options), ...controllers(names)];
