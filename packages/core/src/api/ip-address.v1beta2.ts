import { int32, kind, object, optional } from "@capstan/schema";
import { addressColumns, addressText, namedObject, poolReference } from "./ip-address-parts.ts";
import { IPAddressV1Alpha1, IPAddressV1Beta1 } from "./ip-address.v1beta1.ts";
import { ipAddressNames } from "./names.ts";

export const IPAddress = kind({
  ...ipAddressNames,
  version: "v1beta2",
  versions: [IPAddressV1Alpha1, IPAddressV1Beta1],
  columns: addressColumns,
  spec: object({
    claimRef: namedObject("claim"),
    poolRef: poolReference(),
    address: addressText("The address."),
    prefix: int32({ description: "Length of the network's prefix, in bits.", minimum: 0, maximum: 128 }),
    gateway: optional(addressText("Gateway of the network.")),
  }),
});

/** One IPAddress. */
export type IPAddress = typeof IPAddress.Type;
