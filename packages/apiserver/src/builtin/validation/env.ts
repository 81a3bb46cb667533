import { qualifiedNameFault } from "../../registry/metadata.ts";
import { type Causes, invalid, notSupported, oneOf, required } from "./causes.ts";
import { configKey, dnsSubdomain } from "./names.ts";
import { isSet, type Part, partOf, textOf } from "../../values/object-parts.ts";
import { canonicalQuantity } from "../../values/quantity.ts";

/** Fields of a Pod that references may name. */
const podFields = [
  "metadata.annotations",
  "metadata.labels",
  "metadata.name",
  "metadata.namespace",
  "metadata.uid",
  "spec.host",
  "spec.nodeName",
  "spec.restartPolicy",
  "spec.schedulerName",
  "spec.serviceAccountName",
  "status.hostIP",
  "status.hostIPs",
  "status.phase",
  "status.podIP",
  "status.podIPs",
];

/** Subset of these fields that an environment variable may refer to. */
const variableFields: readonly string[] = [
  "metadata.name",
  "metadata.namespace",
  "metadata.uid",
  "spec.host",
  "spec.nodeName",
  "spec.serviceAccountName",
  "status.hostIP",
  "status.hostIPs",
  "status.podIP",
  "status.podIPs",
];

/** Subset of these fields that a file may contain. */
export const fileFields: readonly string[] = [
  "metadata.annotations",
  "metadata.labels",
  "metadata.name",
  "metadata.namespace",
  "metadata.uid",
];

const keyed = /^(metadata\.(?:annotations|labels))\['(.*)'\]$/s;

/** Causes of a reference to a field of the Pod, or to one annotation or label, when it is not among those that `fields` names. */
export const fieldReferenceCauses = (reference: unknown, field: string, fields: readonly string[]): Causes => {
  const { apiVersion, fieldPath } = partOf(reference);
  const path = textOf(fieldPath);
  const at = `${field}.fieldPath`;
  if (path === "") {
    return [];
  }
  const [, map, key = ""] = keyed.exec(path) ?? [];
  if (isSet(apiVersion) && apiVersion !== "v1") {
    return [invalid(at, path, `is not known in version ${textOf(apiVersion)}`)];
  }
  if (map !== undefined) {
    const fault = qualifiedNameFault(map === "metadata.annotations" ? key.toLowerCase() : key);
    return fault === undefined ? [] : [invalid(field, key, fault)];
  }
  return podFields.includes(path)
    ? oneOf(at, path, fields)
    : [invalid(at, path, "is not a field that can be referred to")];
};

const hugePages = /^(limits|requests)\.hugepages-/;
const amounts = ["limits", "requests"].flatMap((kind) =>
  ["cpu", "memory", "ephemeral-storage"].map((resource) => `${kind}.${resource}`),
);
const prefixes = ["k", "M", "G", "T", "P", "E"];
const divisors = ["1", ...prefixes.map((prefix) => `1${prefix}`), "1Ki", ...prefixes.slice(1).map((p) => `1${p}i`)];

/** Causes of a reference to the amount of a resource that a container has. */
export const resourceReferenceCauses = (reference: unknown, field: string): Causes => {
  const { resource, divisor } = partOf(reference);
  const name = textOf(resource);
  if (name === "") {
    return [];
  }
  if (!amounts.includes(name) && !hugePages.test(name)) {
    return [notSupported(`${field}.resource`, name, amounts)];
  }
  const allowed = name.endsWith(".cpu") ? ["1m", "1"] : divisors;
  const given = canonicalQuantity(divisor);
  return !isSet(divisor) || given === "0" || allowed.includes(String(given))
    ? []
    : [invalid(`${field}.divisor`, divisor, `only divisor's values ${allowed.join(", ")} are supported`)];
};

const keyReferenceCauses = (reference: unknown, field: string): Causes => {
  const { name, key } = partOf(reference);
  return [
    ...(textOf(name) === ""
      ? [invalid(`${field}.name`, "", "must not be empty")]
      : dnsSubdomain(`${field}.name`, name)),
    ...configKey(`${field}.key`, key),
  ];
};

const sourceCauses: Readonly<Record<string, (reference: unknown, field: string) => Causes>> = {
  fieldRef: (reference, field) => fieldReferenceCauses(reference, field, variableFields),
  resourceFieldRef: resourceReferenceCauses,
  configMapKeyRef: keyReferenceCauses,
  secretKeyRef: keyReferenceCauses,
};

const isVariableName = (name: string): boolean => /^[\x20-\x3c\x3e-\x7e]+$/.test(name);
const nameRule = "must consist of printable ASCII characters other than '='";

/** Causes of one environment variable. */
export const variableCauses = (value: unknown, field: string): Causes => {
  const { name, value: text, valueFrom } = partOf(value);
  const source = partOf(valueFrom);
  const sources = Object.values(source).filter(isSet).length;
  const isAmbiguous = isSet(valueFrom) && (sources !== 1 || textOf(text) !== "");
  return [
    ...(textOf(name) === "" || isVariableName(textOf(name)) ? [] : [invalid(`${field}.name`, name, nameRule)]),
    ...(isAmbiguous ? [invalid(`${field}.valueFrom`, "", "must specify one source, and no `value` beside it")] : []),
    ...Object.entries(sourceCauses).flatMap(([kind, causes]) =>
      isSet(source[kind]) ? causes(source[kind], `${field}.valueFrom.${kind}`) : [],
    ),
  ];
};

const bulkReferenceCauses = (source: Part, kind: string, field: string): Causes => {
  if (!isSet(source[kind])) {
    return [];
  }
  const { name } = partOf(source[kind]);
  const at = `${field}.${kind}.name`;
  return textOf(name) === "" ? [required(at)] : dnsSubdomain(at, name);
};

/** Causes of element `index` of `envFrom`; `field` is that of the list. */
export const bulkSourceCauses = (value: unknown, index: number, field: string): Causes => {
  const source = partOf(value);
  const at = `${field}[${index}]`;
  const prefix = textOf(source["prefix"]);
  return [
    ...(prefix === "" || isVariableName(prefix) ? [] : [invalid(`${at}.prefix`, prefix, nameRule)]),
    ...(isSet(source["configMapRef"]) === isSet(source["secretRef"])
      ? [invalid(field, "", "must specify one of: `configMapRef` or `secretRef`")]
      : []),
    ...["configMapRef", "secretRef"].flatMap((kind) => bulkReferenceCauses(source, kind, at)),
  ];
};
