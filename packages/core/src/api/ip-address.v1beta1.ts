import { integer, kind, object, optional } from "@capstan/schema";
import { addressColumns, addressText, loosePoolReference, looseName } from "./ip-address-parts.ts";
import { ipAddressNames } from "./names.ts";

const older = {
  ...ipAddressNames,
  storage: false,
  columns: addressColumns,
  spec: optional(
    object({
      claimRef: looseName("claim"),
      poolRef: loosePoolReference(),
      address: addressText("The address."),
      prefix: integer({ description: "Length of the network's prefix, in bits." }),
      gateway: optional(addressText("Gateway of the network.")),
    }),
  ),
} as const;

export const IPAddressV1Alpha1 = kind({ ...older, version: "v1alpha1" });
export const IPAddressV1Beta1 = kind({ ...older, version: "v1beta1", deprecated: true });

/** One IPAddress in API version v1beta1; v1alpha1 has the same fields. */
export type IPAddressV1Beta1 = typeof IPAddressV1Beta1.Type;
