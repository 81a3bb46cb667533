import { type Causes, forbidden, invalid, oneOf, required } from "./causes.ts";
import { claimSourceCauses } from "./claim-sources.ts";
import { dnsSubdomain } from "./names.ts";
import { listOf, type Part, partOf } from "../../values/object-parts.ts";
import { millisOf } from "../../values/quantity.ts";
import { labelSelectorCauses } from "./label-selector.ts";

const accessModes = ["ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"];

/** Causes of the ways in which a volume may be used at a time. */
export const modesCauses = (value: unknown, field: string): Causes => {
  const modes = listOf(value);
  return [
    ...(modes.length === 0 ? [required(field, "at least 1 access mode is required")] : []),
    ...modes.flatMap((mode) => oneOf(field, mode, accessModes)),
    ...(modes.length > 1 && modes.includes("ReadWriteOncePod")
      ? [forbidden(field, "may not use ReadWriteOncePod with other access modes")]
      : []),
  ];
};

/** Returns the amount of storage that a claim requests. */
export const requestedOf = (spec: Part): unknown => partOf(partOf(spec["resources"])["requests"])["storage"];

/** Causes of the spec of a claim, or of a template of claims. */
export const claimSpecCauses = (spec: Part, field: string): Causes => {
  const storage = requestedOf(spec);
  const at = `${field}.resources[storage]`;
  return [
    ...labelSelectorCauses(`${field}.selector`, spec["selector"]),
    ...modesCauses(spec["accessModes"], `${field}.accessModes`),
    ...(storage === undefined
      ? [required(at)]
      : (millisOf(storage) ?? 1n) > 0n
        ? []
        : [invalid(at, storage, "must be greater than zero")]),
    ...oneOf(`${field}.volumeMode`, spec["volumeMode"], ["Block", "Filesystem"]),
    ...claimSourceCauses(spec, field),
    ...dnsSubdomain(`${field}.storageClassName`, spec["storageClassName"]),
    ...dnsSubdomain(`${field}.volumeAttributesClassName`, spec["volumeAttributesClassName"]),
  ];
};
