import { own } from "@capstan/schema";
import { qualifiedNameFault } from "../../registry/metadata.ts";
import { type Causes, forbidden, invalid, required } from "./causes.ts";
import { partOf } from "../../values/object-parts.ts";
import { millisOf } from "../../values/quantity.ts";

const standard = ["cpu", "memory", "ephemeral-storage"];

const isHugePage = (name: string): boolean => name.startsWith("hugepages-");
/** Resources that another user has defined are counted in whole things. */
const isExtended = (name: string): boolean => name.includes("/") && !name.includes("kubernetes.io/");
/** Such names are those of quotas for resources. */
const isOfQuota = (name: string): boolean => name.startsWith("requests.");
const isQualified = (name: string): boolean => name.includes("/") && qualifiedNameFault(name) === undefined;
const isKnown = (name: string): boolean =>
  standard.includes(name) || isHugePage(name) || (isQualified(name) && !isOfQuota(name));

/** Huge pages are given whole. */
const isUneven = (name: string, millis: bigint): boolean => {
  const page = isHugePage(name) ? (millisOf(name.slice("hugepages-".length)) ?? 0n) : 0n;
  return page > 0n && millis % page !== 0n;
};

const amountsCauses = (amounts: unknown, field: string): Causes =>
  Object.entries(partOf(amounts)).flatMap(([name, amount]) => {
    const at = `${field}[${name}]`;
    const millis = millisOf(amount) ?? 0n;
    return [
      ...(isKnown(name) ? [] : [invalid(at, name, "must be a standard resource for containers")]),
      ...(millis < 0n ? [invalid(at, amount, "must be greater than or equal to 0")] : []),
      ...(isExtended(name) && millis % 1000n !== 0n ? [invalid(at, amount, "must be an integer")] : []),
      ...(isUneven(name, millis) ? [invalid(at, amount, "must be a multiple of the page size")] : []),
    ];
  });

/** Causes of requests and limits of a container. */
export const resourcesCauses = (resources: unknown, field: string): Causes => {
  const { limits, requests } = partOf(resources);
  const most = partOf(limits);
  const names = Object.keys({ ...partOf(requests), ...most });
  return [
    ...(names.some(isHugePage) && !names.includes("cpu") && !names.includes("memory")
      ? [forbidden(field, "HugePages require cpu or memory")]
      : []),
    ...amountsCauses(limits, `${field}.limits`),
    ...amountsCauses(requests, `${field}.requests`),
    ...Object.entries(partOf(requests)).flatMap(([name, amount]): Causes => {
      const [asked, limit] = [millisOf(amount), millisOf(own(most, name))];
      // More of these than there are cannot be promised.
      const isExact = isExtended(name) || isHugePage(name);
      if (limit === undefined) {
        return isExact ? [required(`${field}.limits`, `Limit must be set for non overcommitable resources`)] : [];
      }
      if (asked === undefined || asked === limit || (asked < limit && !isExact)) {
        return [];
      }
      const rule = isExact ? "must be equal to" : "must be less than or equal to";
      return [invalid(`${field}.requests`, amount, `${rule} ${name} limit of ${String(most[name])}`)];
    }),
  ];
};
