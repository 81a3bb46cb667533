import { isSet, listOf, type Part, partOf, textOf } from "../../values/object-parts.ts";
import { type Causes, invalid, oneOf, unique } from "./causes.ts";

export const families = ["IPv4", "IPv6"];

/** Returns whether the Service has no address of its own, and Endpoints of which no one here knows where they are. */
export const isOpen = ({ clusterIP, clusterIPs, selector }: Part): boolean =>
  (textOf(clusterIP) || listOf(clusterIPs)[0]) === "None" && Object.keys(partOf(selector)).length === 0;

/** Causes of the families of a Service that gets its addresses here, which are of the family `own`. */
export const familyCauses = (spec: Part, own: string): Causes => {
  const given = listOf(spec["ipFamilies"]);
  const policy = spec["ipFamilyPolicy"];
  const at = (index: number): string => `spec.ipFamilies[${index}]`;
  const shape = [
    ...oneOf("spec.ipFamilyPolicy", policy, ["SingleStack", "PreferDualStack", "RequireDualStack"]),
    ...given.flatMap((family, index) => oneOf(at(index), family, families)),
    ...unique(given, (family) => family, at),
  ];
  if (shape.length > 0 || !isSet(policy)) return shape;
  if (policy === "SingleStack" && given.length > 1) {
    const rule = "must be 'RequireDualStack' or 'PreferDualStack' when multiple IP families are specified";
    return [invalid("spec.ipFamilyPolicy", policy, rule)];
  }
  if (isOpen(spec)) return [];
  return [
    ...(policy === "RequireDualStack"
      ? [invalid("spec.ipFamilyPolicy", policy, "this cluster is not configured for dual-stack services")]
      : []),
    ...given.flatMap((family, index) =>
      family !== own ? [invalid(at(index), family, "not configured on this cluster")] : [],
    ),
  ];
};
