import { affinityCauses, matchKeysCauses } from "./affinity.ts";
import { between, type Causes, duplicate, forbidden, invalid, oneOf, unique } from "./causes.ts";
import { dnsSubdomain, ipAddress, labelKey, labels, labelValue } from "./names.ts";
import { isSet, listOf, type Part, partOf, textOf } from "../../values/object-parts.ts";
import { labelSelectorCauses } from "./label-selector.ts";

const tolerationCauses = (value: unknown, field: string): Causes => {
  const { key, operator, value: text, effect, tolerationSeconds } = partOf(value);
  return [
    ...(textOf(key) === "" ? [] : labelKey(`${field}.key`, key)),
    ...(textOf(key) === "" && operator !== "Exists"
      ? [invalid(`${field}.operator`, operator, "operator must be Exists when `key` is empty")]
      : []),
    ...(isSet(tolerationSeconds) && effect !== "NoExecute"
      ? [invalid(`${field}.effect`, effect, "effect must be 'NoExecute' when `tolerationSeconds` is set")]
      : []),
    ...oneOf(`${field}.operator`, operator, ["", "Equal", "Exists"]),
    ...(operator === "Exists"
      ? textOf(text) === ""
        ? []
        : [invalid(`${field}.operator`, text, "value must be empty when `operator` is 'Exists'")]
      : labelValue(`${field}.operator`, text)),
    ...oneOf(`${field}.effect`, effect, ["", "NoSchedule", "PreferNoSchedule", "NoExecute"]),
  ];
};

const spreadCauses = (value: unknown, field: string): Causes => {
  const constraint = partOf(value);
  const { maxSkew, minDomains, whenUnsatisfiable, labelSelector } = constraint;
  return [
    ...between(`${field}.minDomains`, minDomains, 1),
    ...(isSet(minDomains) && whenUnsatisfiable !== "DoNotSchedule"
      ? [invalid(`${field}.minDomains`, minDomains, "can only use minDomains if whenUnsatisfiable=DoNotSchedule")]
      : []),
    ...["nodeAffinityPolicy", "nodeTaintsPolicy"].flatMap((name) =>
      oneOf(`${field}.${name}`, constraint[name], ["Honor", "Ignore"]),
    ),
    ...matchKeysCauses(constraint, field, "matchLabelKeys"),
    ...between(`${field}.maxSkew`, maxSkew ?? 0, 1),
    ...oneOf(`${field}.whenUnsatisfiable`, whenUnsatisfiable, ["DoNotSchedule", "ScheduleAnyway"]),
    ...labelSelectorCauses(`${field}.labelSelector`, labelSelector),
  ];
};

const each = (spec: Part, field: string, list: string, check: (value: unknown, field: string) => Causes): Causes =>
  listOf(spec[list]).flatMap((value, index) => check(value, `${field}.${list}[${index}]`));

/** A topology is spread over once for each way; Kubernetes names the constraint that comes first. */
const repeatedSpreads = (constraints: readonly unknown[], field: string): Causes => {
  const first = new Map<string, number>();
  return constraints.flatMap((constraint, index) => {
    const { topologyKey, whenUnsatisfiable } = partOf(constraint);
    const key = JSON.stringify([topologyKey, whenUnsatisfiable]);
    const before = first.get(key);
    first.set(key, before ?? index);
    return before === undefined ? [] : [duplicate(`${field}[${before}].{topologyKey, whenUnsatisfiable}`, key)];
  });
};

const gatesCauses = (spec: Part, field: string): Causes => {
  const gates = listOf(spec["schedulingGates"]).map((gate) => textOf(partOf(gate)["name"]));
  return [
    ...(gates.length > 0 && textOf(spec["nodeName"]) !== ""
      ? [forbidden(`${field}.nodeName`, "cannot be set until all schedulingGates have been cleared")]
      : []),
    ...gates.flatMap((name, index) => labelKey(`${field}.schedulingGates[${index}]`, name)),
    ...unique(
      gates,
      (name) => name,
      (index) => `${field}.schedulingGates[${index}]`,
    ),
  ];
};

const hostCauses = (alias: unknown, field: string): Causes => {
  const { ip, hostnames } = partOf(alias);
  return [
    ...ipAddress(`${field}.ip`, ip),
    ...listOf(hostnames).flatMap((name, index) => dnsSubdomain(`${field}.hostnames[${index}]`, name)),
  ];
};

/** Causes of what a PodSpec says about where the Pod runs. */
export const schedulingCauses = (spec: Part, field: string): Causes => [
  ...labels(`${field}.nodeSelector`, spec["nodeSelector"]),
  ...dnsSubdomain(`${field}.nodeName`, spec["nodeName"]),
  ...each(spec, field, "tolerations", tolerationCauses),
  ...each(spec, field, "topologySpreadConstraints", spreadCauses),
  ...repeatedSpreads(listOf(spec["topologySpreadConstraints"]), `${field}.topologySpreadConstraints`),
  ...gatesCauses(spec, field),
  ...each(spec, field, "hostAliases", hostCauses),
  ...each(spec, field, "readinessGates", (gate, at) => labelKey(`${at}.conditionType`, partOf(gate)["conditionType"])),
  ...affinityCauses(spec["affinity"], `${field}.affinity`),
];
