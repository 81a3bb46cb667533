import { clusterName, newerStatus } from "@capstan/kit/machines";
import { kind, legacyConditions, object, optional } from "@capstan/schema";
import { loosePoolReference, looseName, poolColumns } from "./ip-address-parts.ts";
import { ipAddressClaimNames } from "./names.ts";

const older = { ...ipAddressClaimNames, storage: false, columns: poolColumns } as const;

const status = { addressRef: optional(looseName("address")), conditions: optional(legacyConditions()) };

export const IPAddressClaimV1Alpha1 = kind({
  ...older,
  version: "v1alpha1",
  spec: optional(object({ poolRef: loosePoolReference() })),
  status: object(status),
});

export const IPAddressClaimV1Beta1 = kind({
  ...older,
  version: "v1beta1",
  deprecated: true,
  spec: optional(object({ clusterName: optional(clusterName()), poolRef: loosePoolReference() })),
  status: object({ ...status, v1beta2: optional(newerStatus({})) }),
});

/** One IPAddressClaim in API version v1beta1. */
export type IPAddressClaimV1Beta1 = typeof IPAddressClaimV1Beta1.Type;
