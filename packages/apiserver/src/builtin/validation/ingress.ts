import type { KubeObject } from "@capstan/schema";
import { isIP } from "node:net";
import { subdomainFault } from "../../registry/metadata.ts";
import { isSet, listOf, type Part, partOf, specOf, textOf } from "../../values/object-parts.ts";
import { between, type Causes, invalid, oneOf, required } from "./causes.ts";
import { dnsSubdomain, portName, serviceName } from "./names.ts";

const hostCauses = (host: unknown, field: string): Causes => {
  const name = textOf(host);
  if (name === "") {
    return [];
  }
  const fault = subdomainFault(name.replace(/^\*\./, ""));
  return fault === undefined ? [] : [invalid(field, name, fault)];
};

/** A backend that is neither a Service nor known here; its kind and name become parts of a path. */
const resourceCauses = ({ apiGroup, kind, name }: Part, field: string): Causes => [
  ...dnsSubdomain(`${field}.apiGroup`, apiGroup),
  ...Object.entries({ kind, name })
    .filter(([, value]) => /[/%]|^\.\.?$/.test(textOf(value)))
    .map(([part, value]) => invalid(`${field}.${part}`, value, "may not be '.' or '..' or contain '/' or '%'")),
];

const backendCauses = (value: unknown, field: string): Causes => {
  const { service, resource } = partOf(value);
  if (isSet(service) === isSet(resource)) {
    const rule = isSet(service)
      ? "cannot set both resource and service backends"
      : "resource or service backend is required";
    return [invalid(field, "", rule)];
  }
  if (!isSet(service)) {
    return resourceCauses(partOf(resource), `${field}.resource`);
  }
  const { name, port } = partOf(service);
  const { number = 0, name: portText } = partOf(port);
  const [isNumbered, isNamed] = [number !== 0, textOf(portText) !== ""];
  return [
    ...serviceName(`${field}.service.name`, name),
    ...(isNumbered && isNamed ? [invalid(field, "", "cannot set both port name & port number")] : []),
    ...(isNumbered || isNamed ? [] : [required(field, "port name or number is required")]),
    ...(isNumbered ? between(`${field}.service.port.number`, number, 1, 65_535) : []),
    ...portName(`${field}.service.port.name`, portText),
  ];
};

const ambiguous = ["//", "/./", "/../", "%2f", "%2F"];

const ambiguousEnds = ["/..", "/."];

const pathCauses = (value: Part, field: string): Causes => {
  const { path: given, pathType } = value;
  const path = textOf(given);
  const isLiteral = pathType === "Exact" || pathType === "Prefix";
  const isAmbiguous = ambiguous.some((part) => path.includes(part)) || ambiguousEnds.some((end) => path.endsWith(end));
  return [
    ...oneOf(`${field}.pathType`, pathType, ["Exact", "Prefix", "ImplementationSpecific"]),
    ...((isLiteral || path !== "") && !path.startsWith("/")
      ? [invalid(`${field}.path`, path, "must be an absolute path")]
      : []),
    ...(isLiteral && isAmbiguous ? [invalid(`${field}.path`, path, "must not contain '//', '.', '..' or '%2f'")] : []),
    ...backendCauses(value["backend"], `${field}.backend`),
  ];
};

const ruleCauses = (value: unknown, field: string): Causes => {
  const { host, http } = partOf(value);
  const paths = listOf(partOf(http)["paths"]);
  return [
    ...(isIP(textOf(host)) === 0
      ? hostCauses(host, `${field}.host`)
      : [invalid(`${field}.host`, host, "must be a DNS name, not an IP address")]),
    ...(isSet(http) && paths.length === 0 ? [required(`${field}.http.paths`)] : []),
    ...paths.flatMap((path, index) => pathCauses(partOf(path), `${field}.http.paths[${index}]`)),
  ];
};

const tlsCauses = (value: unknown, field: string): Causes => {
  const { hosts, secretName } = partOf(value);
  return [
    ...listOf(hosts).flatMap((host, index) => hostCauses(host, `${field}.hosts[${index}]`)),
    ...dnsSubdomain(`${field}.secretName`, secretName),
  ];
};

export const ingressCauses = (object: KubeObject): Causes => {
  const { rules, defaultBackend, ingressClassName, tls } = specOf(object);
  return [
    ...(listOf(rules).length === 0 && !isSet(defaultBackend)
      ? [invalid("spec", {}, "either `defaultBackend` or `rules` must be specified")]
      : []),
    ...(isSet(defaultBackend) ? backendCauses(defaultBackend, "spec.defaultBackend") : []),
    ...listOf(rules).flatMap((rule, index) => ruleCauses(rule, `spec.rules[${index}]`)),
    ...listOf(tls).flatMap((entry, index) => tlsCauses(entry, `spec.tls[${index}]`)),
    ...dnsSubdomain("spec.ingressClassName", ingressClassName),
  ];
};
