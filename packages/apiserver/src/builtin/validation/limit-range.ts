import { type KubeObject, own } from "@capstan/schema";
import { qualifiedNameFault } from "../../registry/metadata.ts";
import { listOf, type Part, partOf, specOf, textOf } from "../../values/object-parts.ts";
import { millisOf } from "../../values/quantity.ts";
import { type Causes, duplicate, forbidden, invalid, required } from "./causes.ts";

export const amounts = ["max", "min", "default", "defaultRequest", "maxLimitRequestRatio"];

/** Pairs of which the first must not be more than the second. */
const orders = [
  ["min", "max"],
  ["min", "default"],
  ["min", "defaultRequest"],
  ["defaultRequest", "default"],
  ["default", "max"],
  ["defaultRequest", "max"],
] as const;

const types = ["Container", "PersistentVolumeClaim", "Pod"];

const ofPods = ["Container", "Pod"];

const ofContainers = ["cpu", "memory", "ephemeral-storage"];

const amountOf = (limit: Part, name: string, resource: string): bigint | undefined =>
  millisOf(own(partOf(limit[name]), resource));

/** The field that is at fault when `lower` is more than `upper`: a minimum is taken as given. */
const orderCauses = (limit: Part, field: string): Causes =>
  orders.flatMap(([lower, upper]) =>
    Object.entries(partOf(limit[lower])).flatMap(([resource, amount]) => {
      const [less, more] = [amountOf(limit, lower, resource), amountOf(limit, upper, resource)];
      if (less === undefined || more === undefined || less <= more) {
        return [];
      }
      const at = lower === "min" && upper !== "max" ? upper : lower;
      const given = at === lower ? amount : own(partOf(limit[upper]), resource);
      return [invalid(`${field}.${at}[${resource}]`, given, `${lower} value is greater than ${upper} value`)];
    }),
  );

/** Limits may be more than requests by this factor: no less than 1, and no more than there is room for. */
const ratioCauses = (limit: Part, field: string): Causes =>
  Object.entries(partOf(limit["maxLimitRequestRatio"])).flatMap(([resource, ratio]) => {
    const [least, most] = [amountOf(limit, "min", resource), amountOf(limit, "max", resource)];
    const value = millisOf(ratio) ?? 1000n;
    const at = `${field}.maxLimitRequestRatio[${resource}]`;
    const isTooMuch = least !== undefined && most !== undefined && least > 0n && value * least > most * 1000n;
    return [
      ...(value < 1000n ? [invalid(at, ratio, "ratio must be greater than or equal to 1")] : []),
      ...(isTooMuch ? [invalid(at, ratio, "ratio is greater than max/min")] : []),
    ];
  });

const isKnown = (resource: string, type: string): boolean =>
  !ofPods.includes(type) ||
  ofContainers.includes(resource) ||
  resource.startsWith("hugepages-") ||
  (resource.includes("/") && qualifiedNameFault(resource) === undefined);

const limitCauses = (value: unknown, field: string): Causes => {
  const limit = partOf(value);
  const type = textOf(limit["type"]);
  const storage = ["min", "max"].some((name) => amountOf(limit, name, "storage") !== undefined);
  return [
    ...(types.includes(type) || (type.includes("/") && qualifiedNameFault(type) === undefined)
      ? []
      : [invalid(`${field}.type`, type, "must be a standard limit type or fully qualified")]),
    ...(type === "Pod"
      ? ["default", "defaultRequest"]
          .filter((name) => Object.keys(partOf(limit[name])).length > 0)
          .map((name) => forbidden(`${field}.${name}`, "may not be specified when `type` is 'Pod'"))
      : []),
    ...(type === "PersistentVolumeClaim" && !storage
      ? [required(`${field}.limits`, "either minimum or maximum storage value is required")]
      : []),
    ...amounts.flatMap((name) =>
      Object.keys(partOf(limit[name]))
        .filter((resource) => !isKnown(resource, type))
        .map((resource) => invalid(`${field}.${name}[${resource}]`, resource, "must be a standard resource type")),
    ),
    ...orderCauses(limit, field),
    ...ratioCauses(limit, field),
  ];
};

export const limitRangeCauses = (object: KubeObject): Causes => {
  const limits = listOf(specOf(object)["limits"]);
  const seen = new Set<unknown>();
  return limits.flatMap((limit, index) => {
    const { type } = partOf(limit);
    const isKnownType = seen.has(type);
    seen.add(type);
    const field = `spec.limits[${index}]`;
    return [...limitCauses(limit, field), ...(isKnownType ? [duplicate(`${field}.type`, type)] : [])];
  });
};
