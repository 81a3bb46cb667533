import { between, type Causes, invalid, oneOf, required } from "./causes.ts";
import { ipAddress, labelKey, labels, labelValue, dnsSubdomain } from "./names.ts";
import { listOf, type Part, partOf, textOf } from "./object-parts.ts";
import { labelSelectorCauses } from "./selector-validation.ts";

const weightMost = 100;

const tolerationCauses = (value: unknown, field: string): Causes => {
  const { key, operator, value: text, effect, tolerationSeconds } = partOf(value);
  const isSeconds = tolerationSeconds !== undefined && tolerationSeconds !== null;
  return [
    ...(textOf(key) === "" ? [] : labelKey(`${field}.key`, key)),
    ...(textOf(key) === "" && operator !== "Exists"
      ? [invalid(`${field}.operator`, operator, "operator must be Exists when `key` is empty")]
      : []),
    ...(isSeconds && effect !== "NoExecute"
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

const requirementCauses = (value: unknown, field: string): Causes => {
  const { key, operator, values } = partOf(value);
  const count = listOf(values).length;
  switch (operator) {
    case "In":
    case "NotIn":
      return [...labelKey(`${field}.key`, key), ...(count === 0 ? [required(`${field}.values`)] : [])];
    case "Gt":
    case "Lt":
      return [...labelKey(`${field}.key`, key), ...(count === 1 ? [] : [required(`${field}.values`)])];
    case "Exists":
    case "DoesNotExist":
      return labelKey(`${field}.key`, key);
    default:
      return [invalid(`${field}.operator`, operator, "not a valid selector operator")];
  }
};

const termCauses = (term: unknown, field: string): Causes =>
  listOf(partOf(term)["matchExpressions"]).flatMap((requirement, index) =>
    requirementCauses(requirement, `${field}.matchExpressions[${index}]`),
  );

const nodeAffinityCauses = (affinity: Part, field: string): Causes => {
  const name = "requiredDuringSchedulingIgnoredDuringExecution";
  const needed = affinity[name];
  const terms = listOf(partOf(needed)["nodeSelectorTerms"]);
  return [
    ...(needed !== undefined && needed !== null && terms.length === 0
      ? [required(`${field}.${name}.nodeSelectorTerms`)]
      : []),
    ...terms.flatMap((term, index) => termCauses(term, `${field}.${name}.nodeSelectorTerms[${index}]`)),
    ...listOf(affinity["preferredDuringSchedulingIgnoredDuringExecution"]).flatMap((preferred, index) => {
      const at = `${field}.preferredDuringSchedulingIgnoredDuringExecution[${index}]`;
      const { weight, preference } = partOf(preferred);
      return [...between(`${at}.weight`, weight ?? 0, 1, weightMost), ...termCauses(preference, `${at}.preference`)];
    }),
  ];
};

const podTermCauses = (term: unknown, field: string): Causes => {
  const { topologyKey, labelSelector } = partOf(term);
  return [
    ...(textOf(topologyKey) === "" ? [required(`${field}.topologyKey`)] : []),
    ...labelKey(`${field}.topologyKey`, topologyKey),
    ...labelSelectorCauses(`${field}.labelSelector`, labelSelector),
  ];
};

const podAffinityCauses = (affinity: Part, field: string): Causes => [
  ...listOf(affinity["requiredDuringSchedulingIgnoredDuringExecution"]).flatMap((term, index) =>
    podTermCauses(term, `${field}.requiredDuringSchedulingIgnoredDuringExecution[${index}]`),
  ),
  ...listOf(affinity["preferredDuringSchedulingIgnoredDuringExecution"]).flatMap((preferred, index) => {
    const at = `${field}.preferredDuringSchedulingIgnoredDuringExecution[${index}]`;
    const { weight, podAffinityTerm } = partOf(preferred);
    return [
      ...between(`${at}.weight`, weight ?? 0, 1, weightMost),
      ...podTermCauses(podAffinityTerm, `${at}.podAffinityTerm`),
    ];
  }),
];

const spreadCauses = (value: unknown, field: string): Causes => {
  const { maxSkew, whenUnsatisfiable, labelSelector } = partOf(value);
  return [
    ...between(`${field}.maxSkew`, maxSkew ?? 0, 1),
    ...oneOf(`${field}.whenUnsatisfiable`, whenUnsatisfiable, ["DoNotSchedule", "ScheduleAnyway"]),
    ...labelSelectorCauses(`${field}.labelSelector`, labelSelector),
  ];
};

const each = (spec: Part, field: string, list: string, check: (value: unknown, field: string) => Causes): Causes =>
  listOf(spec[list]).flatMap((value, index) => check(value, `${field}.${list}[${index}]`));

/** Causes of what a PodSpec says about where the Pod runs. */
export const schedulingCauses = (spec: Part, field: string): Causes => {
  const affinity = partOf(spec["affinity"]);
  return [
    ...labels(`${field}.nodeSelector`, spec["nodeSelector"]),
    ...dnsSubdomain(`${field}.nodeName`, spec["nodeName"]),
    ...each(spec, field, "tolerations", tolerationCauses),
    ...each(spec, field, "topologySpreadConstraints", spreadCauses),
    ...each(spec, field, "schedulingGates", (gate, at) => labelKey(at, partOf(gate)["name"])),
    ...each(spec, field, "hostAliases", (alias, at) => ipAddress(`${at}.ip`, partOf(alias)["ip"])),
    ...nodeAffinityCauses(partOf(affinity["nodeAffinity"]), `${field}.affinity.nodeAffinity`),
    ...["podAffinity", "podAntiAffinity"].flatMap((name) =>
      podAffinityCauses(partOf(affinity[name]), `${field}.affinity.${name}`),
    ),
  ];
};
