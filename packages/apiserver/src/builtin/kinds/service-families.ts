import { sameJson } from "@capstan/schema";
import { filled, listOf, type Part } from "../../values/object-parts.ts";
import type { AddressRange } from "../../values/address-range.ts";
import { families, isOpen } from "../validation/address-families.ts";

type AddressFamily = AddressRange["family"];

/** The spec of a Service with its families of addresses: `family`, which is all that is given out here, or both when no one gives any. */
export const withFamilies = (spec: Part, family: AddressFamily): Part => {
  const complete = filled(spec, {
    ipFamilies: [family],
    ipFamilyPolicy: isOpen(spec) ? "RequireDualStack" : "SingleStack",
  });
  const given = listOf(complete["ipFamilies"]);
  return isOpen(spec) && complete["ipFamilyPolicy"] !== "SingleStack" && given.length === 1
    ? { ...complete, ipFamilies: [...given, ...families.filter((each) => each !== given[0])] }
    : complete;
};

/** The spec without its second family when whoever changes it wants one from now on. */
export const withWantedFamilies = (spec: Part, before: Part): Part => {
  const given = listOf(spec["ipFamilies"]);
  const wantsOne = spec["ipFamilyPolicy"] === "SingleStack" && before["ipFamilyPolicy"] !== "SingleStack";
  return wantsOne && sameJson(given, before["ipFamilies"]) ? { ...spec, ipFamilies: given.slice(0, 1) } : spec;
};
