import { type KubeObject, sameJson } from "@capstan/schema";
import { type Part, specOf, statusOf, textOf } from "../../values/object-parts.ts";
import { millisOf } from "../../values/quantity.ts";
import { withBothSources } from "./claim-sources.ts";
import { type Causes, forbidden } from "./causes.ts";
import { claimSpecCauses, requestedOf } from "./claim.ts";

export const claimCauses = (object: KubeObject): Causes => claimSpecCauses(specOf(object), "spec");

/** A claim is what it was, but whoever binds it names its volume, and a bound one may grow. */
export const claimUpdateCauses = (object: KubeObject, old: KubeObject): Causes => {
  // One that was stored before its sources were made the same has not been changed by whoever writes now.
  const [spec, before] = [specOf(object), withBothSources(specOf(old), specOf(old))];
  const isBound = statusOf(old)["phase"] === "Bound";
  const open = [
    ...(isBound ? ["resources", "volumeAttributesClassName"] : []),
    ...(before["storageClassName"] === undefined ? ["storageClassName"] : []),
    ...(textOf(before["volumeName"]) === "" ? ["volumeName"] : []),
  ];
  const fixed = (part: Part): Part => Object.fromEntries(Object.entries(part).filter(([name]) => !open.includes(name)));
  if (!sameJson(fixed(spec), fixed(before))) {
    const rule =
      "spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims";
    return [forbidden("spec", rule)];
  }
  return (millisOf(requestedOf(spec)) ?? 0n) < (millisOf(requestedOf(before)) ?? 0n)
    ? [forbidden("spec.resources.requests.storage", "field can not be less than previous value")]
    : [];
};
