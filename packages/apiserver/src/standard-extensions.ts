import { apiServiceRegistration } from "./controllers/api-services.ts";
import { type ControllerName, controllers } from "./controllers/controllers.ts";
import { customResources, type CustomResourcesOptions } from "./crd/custom-resources.ts";
import type { ExtensionFactory } from "./registry/extension.ts";
import { admissionPolicies } from "./webhooks/admission-policies.ts";
import { admissionWebhooks } from "./webhooks/admission-webhooks.ts";

/**
 * Returns the default extensions of a server: custom resources, admission policies and webhooks, its APIServices, and the named
 * controllers (default: the standard ones).
 */
export const standardExtensions = (
  names?: readonly ControllerName[],
  options: CustomResourcesOptions = {},
): readonly ExtensionFactory[] => [
  customResources(options),
  admissionPolicies(),
  admissionWebhooks({ ...(options.resolveService !== undefined && { resolveService: options.resolveService }) }),
  apiServiceRegistration(),
  ...controllers(names),
];
