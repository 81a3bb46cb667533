import { isIP } from "node:net";
import { type Causes, invalid, oneOf, required } from "./causes.ts";
import { dnsSubdomain } from "./names.ts";
import { isSet, listOf, type Part, partOf, textOf } from "../../values/object-parts.ts";

const policies = ["ClusterFirst", "ClusterFirstWithHostNet", "Default", "None"];
const mostNameservers = 3;
const mostSearches = 32;
/** Maximum length of all search domains, joined by spaces. */
const longestSearches = 2048;

const nameserversCauses = (servers: readonly unknown[], field: string): Causes => [
  ...(servers.length > mostNameservers
    ? [invalid(field, servers, `must not have more than ${mostNameservers} nameservers`)]
    : []),
  ...servers.flatMap((server, index) =>
    isIP(textOf(server)) === 0 ? [invalid(`${field}[${index}]`, server, "must be a valid IP address")] : [],
  ),
];

const searchesCauses = (searches: readonly unknown[], field: string): Causes => [
  ...(searches.length > mostSearches
    ? [invalid(field, searches, `must not have more than ${mostSearches} search paths`)]
    : []),
  ...(searches.map(textOf).join(" ").length > longestSearches
    ? [invalid(field, searches, `must not have more than ${longestSearches} characters (including spaces)`)]
    : []),
  ...searches.flatMap((search, index) => {
    // A dot alone is the root; names may end with one, and their parts may have underscores, also one in front.
    const name = textOf(search)
      .replace(/\.$/, "")
      .replaceAll(/(^|\.)_(?=[a-z0-9])/g, "$1")
      .replaceAll("_", "-");
    return name === "" ? [] : dnsSubdomain(`${field}[${index}]`, name);
  }),
];

/** Causes of how a Pod finds names. */
export const dnsCauses = ({ dnsPolicy, dnsConfig }: Part, field: string): Causes => {
  const { nameservers, searches, options } = partOf(dnsConfig);
  const at = `${field}.dnsConfig`;
  const why = "must provide at least one DNS nameserver when `dnsPolicy` is None";
  return [
    ...oneOf(`${field}.dnsPolicy`, dnsPolicy, policies),
    ...(dnsPolicy === "None" && !isSet(dnsConfig) ? [required(at, why)] : []),
    ...(dnsPolicy === "None" && isSet(dnsConfig) && listOf(nameservers).length === 0
      ? [required(`${at}.nameservers`, why)]
      : []),
    ...nameserversCauses(listOf(nameservers), `${at}.nameservers`),
    ...searchesCauses(listOf(searches), `${at}.searches`),
    ...listOf(options).flatMap((option, index) =>
      textOf(partOf(option)["name"]) === "" ? [required(`${at}.options[${index}]`, "must not be empty")] : [],
    ),
  ];
};
