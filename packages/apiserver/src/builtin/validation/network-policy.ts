import type { KubeObject } from "@capstan/schema";
import { BlockList, isIPv4 } from "node:net";
import { isSet, listOf, type Part, partOf, specOf } from "../../values/object-parts.ts";
import { between, type Causes, forbidden, invalid, oneOf, required } from "./causes.ts";
import { labelSelectorCauses } from "./label-selector.ts";
import { network, portNumberOrName, prefixLength, protocol } from "./names.ts";

/** Returns whether a network lies inside another and is smaller. */
const isInside = (inner: unknown, outer: unknown): boolean => {
  const [innerBits = 0, outerBits = 0] = [prefixLength(inner), prefixLength(outer)];
  const [address = "", around = ""] = [inner, outer].map((cidr) => String(cidr).split("/")[0]);
  if (isIPv4(address) !== isIPv4(around) || innerBits <= outerBits) {
    return false;
  }
  const family = isIPv4(address) ? "ipv4" : "ipv6";
  const list = new BlockList();
  list.addSubnet(around, outerBits, family);
  return list.check(address, family);
};

const blockCauses = (value: unknown, field: string): Causes => {
  const { cidr, except } = partOf(value);
  const faults = network(`${field}.cidr`, cidr);
  return [
    ...faults,
    ...listOf(except).flatMap((part, index): Causes => {
      const at = `${field}.except[${index}]`;
      const wrong = network(at, part);
      return wrong.length > 0 || faults.length > 0 || isInside(part, cidr)
        ? wrong
        : [invalid(at, part, `must be a strict subset of \`${String(cidr)}\``)];
    }),
  ];
};

const peerCauses = (value: unknown, field: string): Causes => {
  const { podSelector, namespaceSelector, ipBlock } = partOf(value);
  const isSelected = isSet(podSelector) || isSet(namespaceSelector);
  return [
    ...(isSelected || isSet(ipBlock) ? [] : [required(field, "must specify a peer")]),
    ...(isSelected && isSet(ipBlock) ? [forbidden(field, "may not specify both ipBlock and another peer")] : []),
    ...labelSelectorCauses(`${field}.podSelector`, podSelector),
    ...labelSelectorCauses(`${field}.namespaceSelector`, namespaceSelector),
    ...(isSet(ipBlock) ? blockCauses(ipBlock, `${field}.ipBlock`) : []),
  ];
};

const endCauses = (port: unknown, end: unknown, field: string): Causes => {
  if (!isSet(end)) {
    return [];
  }
  if (typeof port !== "number") {
    return [invalid(field, end, "needs `port` as a number")];
  }
  return Number(end) < port
    ? [invalid(field, end, "must be greater than or equal to `port`")]
    : between(field, end, 1, 65_535);
};

const portCauses = (value: unknown, field: string): Causes => {
  const { port, endPort, protocol: given } = partOf(value);
  return [
    ...protocol(`${field}.protocol`, given),
    ...portNumberOrName(`${field}.port`, port),
    ...endCauses(port, endPort, `${field}.endPort`),
  ];
};

const rulesCauses = (spec: Part, direction: string, peers: string): Causes =>
  listOf(spec[direction]).flatMap((rule, index) => {
    const field = `spec.${direction}[${index}]`;
    return [
      ...listOf(partOf(rule)["ports"]).flatMap((port, at) => portCauses(port, `${field}.ports[${at}]`)),
      ...listOf(partOf(rule)[peers]).flatMap((peer, at) => peerCauses(peer, `${field}.${peers}[${at}]`)),
    ];
  });

export const networkPolicyCauses = (object: KubeObject): Causes => {
  const spec = specOf(object);
  const types = listOf(spec["policyTypes"]);
  return [
    ...labelSelectorCauses("spec.podSelector", spec["podSelector"]),
    ...rulesCauses(spec, "ingress", "from"),
    ...rulesCauses(spec, "egress", "to"),
    ...(types.length > 2
      ? [invalid("spec.policyTypes", types, "may not specify more than two policyTypes")]
      : types.flatMap((type, index) => oneOf(`spec.policyTypes[${index}]`, type, ["Egress", "Ingress"]))),
  ];
};
