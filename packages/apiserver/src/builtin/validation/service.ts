import { isIP, isIPv6 } from "node:net";
import type { KubeObject } from "@capstan/schema";
import { qualifiedNameFault } from "../../registry/metadata.ts";
import { between, type Causes, dnsLabel, forbidden, invalid, oneOf, required, unique } from "./causes.ts";
import { dnsSubdomain, ipAddress, labels, network, portNumberOrName, protocol } from "./names.ts";
import { isSet, listOf, type Part, partOf, specOf, textOf } from "../../values/object-parts.ts";
import type { AddressRange } from "../../values/address-range.ts";
import { familyCauses } from "./address-families.ts";

type AddressFamily = AddressRange["family"];

const types = ["ClusterIP", "NodePort", "LoadBalancer", "ExternalName"];
const portMost = 65_535;
/** A client is kept on one Pod for at most a day. */
const longestSession = 86_400;

/** Returns whether a Service has ports on Nodes. */
export const isExternal = (spec: Part): boolean => spec["type"] === "NodePort" || spec["type"] === "LoadBalancer";

/** Returns whether traffic from outside of the cluster comes to a Service. */
export const isReachable = (spec: Part): boolean =>
  isExternal(spec) || (spec["type"] === "ClusterIP" && listOf(spec["externalIPs"]).length > 0);

const portCauses = (ports: readonly Part[], spec: Part): Causes =>
  ports.flatMap((port, index) => {
    const field = `spec.ports[${index}]`;
    const { appProtocol } = port;
    const fault = isSet(appProtocol) ? qualifiedNameFault(textOf(appProtocol)) : undefined;
    return [
      ...(ports.length > 1 && textOf(port["name"]) === "" ? [required(`${field}.name`)] : []),
      ...dnsLabel(`${field}.name`, port["name"]),
      ...between(`${field}.port`, port["port"], 1, portMost),
      ...portNumberOrName(`${field}.targetPort`, port["targetPort"]),
      ...protocol(`${field}.protocol`, port["protocol"]),
      ...(fault === undefined ? [] : [invalid(`${field}.appProtocol`, appProtocol, fault)]),
      ...(spec["type"] === "ClusterIP" && isSet(port["nodePort"]) && port["nodePort"] !== 0
        ? [forbidden(`${field}.nodePort`, "may not be used when `type` is 'ClusterIP'")]
        : []),
    ];
  });

/** An address outside that traffic can come to: none that every host has, nor one of a link or a group. */
const externalCauses = (field: string, value: unknown): Causes => {
  const address = textOf(value);
  const isSpecial = isIPv6(address)
    ? /^(::1?|fe[89ab].:.*|ff.*)$/i.test(address)
    : isIP(address) !== 0 && /^(127\.|0\.0\.0\.0$|169\.254\.|224\.0\.0\.)/.test(address);
  return [
    ...ipAddress(field, value),
    ...(isSpecial ? [invalid(field, address, "may not be unspecified, loopback or link-local")] : []),
  ];
};

const addressesCauses = (spec: Part, family: AddressFamily): Causes => {
  const { clusterIP, clusterIPs } = spec;
  const [first] = listOf(clusterIPs);
  return [
    ...(isExternal(spec) && clusterIP === "None"
      ? [invalid("spec.clusterIPs[0]", "None", "may not be set to 'None' for LoadBalancer services")]
      : []),
    ...(isSet(clusterIP) && isSet(first) && clusterIP !== first
      ? [invalid("spec.clusterIPs", clusterIPs, "first value must match `clusterIP`")]
      : []),
    ...listOf(spec["externalIPs"]).flatMap((address, index) => externalCauses(`spec.externalIPs[${index}]`, address)),
    ...familyCauses(spec, family),
  ];
};

const sessionCauses = ({ sessionAffinity, sessionAffinityConfig }: Part): Causes => {
  const { timeoutSeconds } = partOf(partOf(sessionAffinityConfig)["clientIP"]);
  return [
    ...oneOf("spec.sessionAffinity", sessionAffinity, ["None", "ClientIP"]),
    ...(sessionAffinity === "ClientIP"
      ? between("spec.sessionAffinityConfig.clientIP.timeoutSeconds", timeoutSeconds, 1, longestSession)
      : []),
  ];
};

/** Returns whether balancers ask Nodes, at a port that is for that, if they have Pods of the Service. */
export const isChecked = ({ type, externalTrafficPolicy }: Part): boolean =>
  type === "LoadBalancer" && externalTrafficPolicy === "Local";

const trafficCauses = (spec: Part): Causes => {
  const { externalTrafficPolicy, healthCheckNodePort } = spec;
  return [
    ...(isReachable(spec) || textOf(externalTrafficPolicy) === ""
      ? oneOf("spec.externalTrafficPolicy", externalTrafficPolicy, ["Cluster", "Local"])
      : [
          invalid(
            "spec.externalTrafficPolicy",
            externalTrafficPolicy,
            "may only be set for externally-accessible services",
          ),
        ]),
    ...oneOf("spec.internalTrafficPolicy", spec["internalTrafficPolicy"], ["Cluster", "Local"]),
    ...oneOf("spec.trafficDistribution", spec["trafficDistribution"], [
      "PreferClose",
      "PreferSameNode",
      "PreferSameZone",
    ]),
    ...(isChecked(spec) || !isSet(healthCheckNodePort) || healthCheckNodePort === 0
      ? []
      : [
          invalid(
            "spec.healthCheckNodePort",
            healthCheckNodePort,
            "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'",
          ),
        ]),
  ];
};

const balancerCauses = (spec: Part): Causes => {
  const isBalanced = spec["type"] === "LoadBalancer";
  const ranges = listOf(spec["loadBalancerSourceRanges"]);
  return [
    ...["allocateLoadBalancerNodePorts", "loadBalancerClass"]
      .filter((name) => !isBalanced && isSet(spec[name]))
      .map((name) => forbidden(`spec.${name}`, "may only be used when `type` is 'LoadBalancer'")),
    ...(ranges.length > 0 && !isBalanced
      ? [forbidden("spec.LoadBalancerSourceRanges", "may only be used when `type` is 'LoadBalancer'")]
      : ranges.flatMap((range, index) => network(`spec.LoadBalancerSourceRanges[${index}]`, textOf(range).trim()))),
  ];
};

/** Causes of a Service. `family`: that of the addresses which are given out here. */
export const serviceCauses = (object: KubeObject, family: AddressFamily = "IPv4"): Causes => {
  const spec = specOf(object);
  const ports = listOf(spec["ports"]).map(partOf);
  const isNamed = spec["type"] === "ExternalName";
  const name = textOf(spec["externalName"]);
  return [
    ...(ports.length === 0 && !isNamed && spec["clusterIP"] !== "None" ? [required("spec.ports")] : []),
    ...(isNamed && name === "" ? [required("spec.externalName")] : []),
    ...(isNamed ? dnsSubdomain("spec.externalName", name.replace(/\.$/, "")) : []),
    ...oneOf("spec.type", spec["type"], types),
    ...portCauses(ports, spec),
    ...labels("spec.selector", spec["selector"]),
    ...addressesCauses(spec, family),
    ...sessionCauses(spec),
    ...trafficCauses(spec),
    ...balancerCauses(spec),
    ...unique(
      ports,
      (port) => partOf(port)["name"],
      (index) => `spec.ports[${index}].name`,
    ),
    ...unique(
      ports,
      (port) => [partOf(port)["protocol"], partOf(port)["port"]],
      (index) => `spec.ports[${index}]`,
    ),
    ...unique(
      ports,
      (port) => {
        const { protocol: by, nodePort } = partOf(port);
        return isSet(nodePort) && nodePort !== 0 ? [by, nodePort] : undefined;
      },
      (index) => `spec.ports[${index}].nodePort`,
    ),
  ];
};
