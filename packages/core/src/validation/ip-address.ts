import { invalid, unchanged } from "@capstan/kit/admission";
import { isIPv4, isIPv6 } from "node:net";
import type { Cause } from "@capstan/schema";
import type { IPAddress, IPAddressClaim } from "../api.ts";

const isAddress = (text: string): boolean => isIPv4(text) || isIPv6(text);

const addressCauses = (address: string, path: string): readonly Cause[] =>
  isAddress(address) ? [] : [invalid(path, address, "must be an IPv4 or IPv6 address")];

/** The schema holds the longest prefix of either family. */
const prefixCauses = ({ address, prefix }: IPAddress["spec"]): readonly Cause[] =>
  isIPv4(address) && prefix > 32 ? [invalid("spec.prefix", prefix, "an IPv4 network has at most 32 bits")] : [];

/** Validates an IPAddress. It is immutable: a change would take the address from its user. */
export const validateIPAddress = ({ spec }: IPAddress, old: IPAddress | undefined): readonly Cause[] =>
  old === undefined
    ? [
        ...addressCauses(spec.address, "spec.address"),
        ...prefixCauses(spec),
        ...(spec.gateway === undefined ? [] : addressCauses(spec.gateway, "spec.gateway")),
      ]
    : unchanged("spec", old.spec, spec);

/** Validates an IPAddressClaim. It is immutable: another pool needs another claim. */
export const validateIPAddressClaim = ({ spec }: IPAddressClaim, old: IPAddressClaim | undefined): readonly Cause[] =>
  unchanged("spec", old?.spec, spec);
