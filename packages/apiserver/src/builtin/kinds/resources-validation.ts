import { qualifiedNameFault } from "../../registry/metadata.ts";
import { type Causes, invalid, required } from "./causes.ts";
import { partOf } from "./object-parts.ts";
import { millisOf } from "./quantity.ts";

const own = ["cpu", "memory", "ephemeral-storage"];

const isHugePage = (name: string): boolean => name.startsWith("hugepages-");
/** Resources that somebody else has defined are counted in whole things. */
const isExtended = (name: string): boolean => name.includes("/") && !name.includes("kubernetes.io/");

const amountsCauses = (amounts: unknown, field: string): Causes =>
  Object.entries(partOf(amounts)).flatMap(([name, amount]) => {
    const at = `${field}[${name}]`;
    const millis = millisOf(amount) ?? 0n;
    const isKnown =
      own.includes(name) || isHugePage(name) || (name.includes("/") && qualifiedNameFault(name) === undefined);
    return [
      ...(isKnown ? [] : [invalid(at, name, "must be a standard resource for containers")]),
      ...(millis < 0n ? [invalid(at, amount, "must be greater than or equal to 0")] : []),
      ...(isExtended(name) && millis % 1000n !== 0n ? [invalid(at, amount, "must be an integer")] : []),
    ];
  });

/** Causes of requests and limits of a container. */
export const resourcesCauses = (resources: unknown, field: string): Causes => {
  const { limits, requests } = partOf(resources);
  const most = partOf(limits);
  return [
    ...amountsCauses(limits, `${field}.limits`),
    ...amountsCauses(requests, `${field}.requests`),
    ...Object.entries(partOf(requests)).flatMap(([name, amount]): Causes => {
      const [asked, limit] = [millisOf(amount), millisOf(most[name])];
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
