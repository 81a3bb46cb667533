import { BlockList, isIPv4, isIPv6 } from "node:net";
import { invalid } from "@capstan/kit/admission";
import type { Cause } from "@capstan/schema";
import type { LinodeVPC } from "../api/linode-vpc.v1alpha2.ts";

/** Private addresses of the whole data centre. */
const reserved = "192.168.128.0/17";
const smallestIPv4 = 29;

interface Range {
  readonly first: number;
  readonly prefix: number;
}

const numberOf = (address: string): number => address.split(".").reduce((sum, part) => sum * 256 + Number(part), 0);

/** An IPv4 range whose address is its first, with a prefix of 1 to 29; or why it is none. */
const rangeOf = (text: string): Range | string => {
  const [address = "", length = "", ...more] = text.split("/");
  if (!isIPv4(address) || !/^\d{1,2}$/.test(length) || more.length > 0) return "write for example 10.0.0.0/24";
  const prefix = Number(length);
  if (prefix < 1 || prefix > smallestIPv4) return `the prefix must be 1 to ${smallestIPv4}`;
  const first = numberOf(address);
  return first % 2 ** (32 - prefix) === 0 ? { first, prefix } : "the address is not the first of the range";
};

const overlaps = (left: Range, right: Range): boolean => {
  const size = 2 ** (32 - Math.min(left.prefix, right.prefix));
  return Math.floor(left.first / size) === Math.floor(right.first / size);
};

/** `auto`, a prefix length, or a range. */
const isIPv6Range = (text: string): boolean => {
  if (text === "auto") return true;
  const [address = "", length = "", ...more] = text.split("/");
  if (!/^\d{1,3}$/.test(length) || Number(length) > 128 || more.length > 0) return false;
  if (address === "") return true;
  if (!isIPv6(address)) return false;
  const list = new BlockList();
  list.addSubnet(address, Number(length), "ipv6");
  return list.check(address, "ipv6");
};

/** Returns the problems of a VPC's subnets that hold for every account. */
export const vpcCauses = ({ ipv4Range = [], ipv6Range = [], subnets = [] }: LinodeVPC["spec"]): readonly Cause[] => {
  const causes: Cause[] = [];
  const taken: { readonly range: Range; readonly name: string }[] = [
    { range: rangeOf(reserved) as Range, name: `${reserved}, the private addresses of Linode` },
  ];
  const checkIPv6 = (field: string, range: string | undefined): void => {
    if (range !== undefined && !isIPv6Range(range)) {
      causes.push(invalid(field, range, "write auto, a prefix length such as /52, or an IPv6 range"));
    }
  };
  for (const [index, text] of ipv4Range.entries()) {
    const range = rangeOf(text);
    if (typeof range === "string") causes.push(invalid(`spec.ipv4Range[${index}]`, text, range));
  }
  for (const [index, { range }] of ipv6Range.entries()) checkIPv6(`spec.ipv6Range[${index}].range`, range);
  const labels = new Set<string>();
  for (const [index, { ipv4 = "", ipv6Range: wanted = [], label }] of subnets.entries()) {
    const field = `spec.subnets[${index}]`;
    if (label !== undefined && labels.has(label)) {
      causes.push({ reason: "FieldValueDuplicate", field: `${field}.label`, message: `Duplicate value: "${label}"` });
    }
    if (label !== undefined) labels.add(label);
    for (const [place, { range }] of wanted.entries()) checkIPv6(`${field}.ipv6Range[${place}].range`, range);
    if (ipv4 === "") continue;
    const range = rangeOf(ipv4);
    if (typeof range === "string") {
      causes.push(invalid(`${field}.ipv4`, ipv4, range));
      continue;
    }
    const other = taken.find((each) => overlaps(each.range, range));
    if (other !== undefined) causes.push(invalid(`${field}.ipv4`, ipv4, `it overlaps ${other.name}`));
    taken.push({ range, name: `${field}.ipv4` });
  }
  return causes;
};
