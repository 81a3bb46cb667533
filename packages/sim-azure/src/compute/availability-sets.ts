import { integer, object, text } from "@capstan/simulation";
import { refusal } from "../arm/refusals.ts";
import { referrers } from "../resources/references.ts";
import { locationOf } from "../resources/locations.ts";
import type { ResourceKind } from "../resources/resource-kind.ts";
import { ref } from "../resources/shapes.ts";
import { readOnly } from "../resources/writable.ts";
import { faultDomains } from "./skus.ts";

/** Availability sets. */
export const availabilitySets: ResourceKind<{
  readonly platformFaultDomainCount?: number;
  readonly platformUpdateDomainCount?: number;
}> = {
  type: "Microsoft.Compute/availabilitySets",
  form: "compute",
  put: { created: 200, updated: 200, state: "Succeeded" },
  delete: { status: 200 },
  isPatched: true,
  durationMs: () => undefined,
  outer: { sku: object({ name: text({ enum: ["Aligned", "Classic"] }), tier: text(), capacity: integer }) },
  properties: object({
    platformFaultDomainCount: { ...integer, min: 1 },
    platformUpdateDomainCount: { ...integer, min: 1, max: 20 },
    proximityPlacementGroup: ref,
    virtualMachines: readOnly,
    statuses: readOnly,
    provisioningState: readOnly,
  }),
  prepare: ({ resource }) => {
    const most = faultDomains(locationOf(resource.location));
    const { platformFaultDomainCount = most } = resource.properties;
    if (platformFaultDomainCount > most) {
      throw refusal(
        400,
        "InvalidParameter",
        `The specified fault domain count ${platformFaultDomainCount} must fall in the range 1 to ${most}.`,
        "platformFaultDomainCount",
      );
    }
    resource.properties = { platformFaultDomainCount, platformUpdateDomainCount: 5, ...resource.properties };
    resource.outer = { sku: { name: "Classic" }, ...resource.outer };
  },
  derived: ({ id }, world) => ({ virtualMachines: referrers(id, world).map(({ from }) => ({ id: from })) }),
  blocker: ({ id, name }, world) =>
    referrers(id, world).length === 0
      ? undefined
      : refusal(
          409,
          "OperationNotAllowed",
          `Availability Set '${name}' cannot be deleted. Before deleting an Availability Set please ensure that it does not contain any VM.`,
        ),
};
