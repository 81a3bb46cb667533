import { azureStack } from "../cloud/azure-environments.ts";
import type { VirtualMachineSku } from "../cloud/skus.ts";
import { skuOf } from "../cloud/skus.ts";
import { sizeProblem } from "../machine/size-check.ts";
import type { PoolPlan } from "./pool-plan.ts";

/** Why there can be no machines of the size. Messages name the fields of a machine alone: those of a pool are in its template. */
export const poolSizeProblem = (
  skus: readonly VirtualMachineSku[],
  { isFlexible, place, spec, zones }: Pick<PoolPlan, "isFlexible" | "place" | "spec" | "zones">,
): string | undefined => {
  const { azureEnvironment: environment, location } = place.spec;
  if (environment === azureStack && isFlexible) {
    return "spec.orchestrationMode Flexible: Azure Stack only supports Uniform scale sets; create a pool with Uniform";
  }
  const sku = skuOf(skus, spec.vmSize);
  return (zones.length === 0 ? [undefined] : zones)
    .map((zone) => sizeProblem(sku, { environment, location, spec, zone })?.replaceAll("spec.", "spec.template."))
    .find((problem) => problem !== undefined);
};
