import { clusterName, deprecatedStatus, statusConditions, v1beta2 } from "@capstan/kit/machines";
import { kind, object, optional } from "@capstan/schema";
import { namedObject, poolColumns, poolReference } from "./ip-address-parts.ts";
import { IPAddressClaimV1Alpha1, IPAddressClaimV1Beta1 } from "./ip-address-claim.v1beta1.ts";
import { ipAddressClaimNames } from "./names.ts";

export const IPAddressClaim = kind({
  ...ipAddressClaimNames,
  version: "v1beta2",
  versions: [IPAddressClaimV1Alpha1, IPAddressClaimV1Beta1],
  columns: poolColumns,
  spec: object({ clusterName: optional(clusterName()), poolRef: poolReference() }),
  status: object(
    {
      conditions: optional(statusConditions()),
      addressRef: optional(namedObject("address")),
      deprecated: optional(deprecatedStatus({})),
    },
    { ...v1beta2.object },
  ),
});

/** One IPAddressClaim. */
export type IPAddressClaim = typeof IPAddressClaim.Type;
