import { between, type Causes, dnsLabel, forbidden, invalid, required } from "./causes.ts";
import { labelKey, labelValue } from "./names.ts";
import { isSet, listOf, type Part, partOf, textOf } from "../../values/object-parts.ts";
import { labelSelectorCauses } from "./label-selector.ts";

const weightMost = 100;
const needed = "requiredDuringSchedulingIgnoredDuringExecution";
const liked = "preferredDuringSchedulingIgnoredDuringExecution";

const requirementCauses = (value: unknown, field: string): Causes => {
  const { key, operator, values } = partOf(value);
  const given = listOf(values);
  const keyCauses = labelKey(`${field}.key`, key);
  switch (operator) {
    case "In":
    case "NotIn":
      return [
        ...keyCauses,
        ...(given.length === 0 ? [required(`${field}.values`)] : []),
        ...given.flatMap((text, index) => labelValue(`${field}.values[${index}]`, text)),
      ];
    case "Gt":
    case "Lt":
      return [...keyCauses, ...(given.length === 1 ? [] : [required(`${field}.values`)])];
    case "Exists":
    case "DoesNotExist":
      return [
        ...keyCauses,
        ...(given.length === 0 ? [] : [forbidden(`${field}.values`, "may not be specified with this operator")]),
      ];
    default:
      return [invalid(`${field}.operator`, operator, "not a valid selector operator")];
  }
};

/** Nodes are picked by one field, their name, and one name at a time. */
const fieldCauses = (value: unknown, field: string): Causes => {
  const { key, operator, values } = partOf(value);
  return [
    ...(operator === "In" || operator === "NotIn"
      ? listOf(values).length === 1
        ? []
        : [required(`${field}.values`, "must be only one value")]
      : [invalid(`${field}.operator`, operator, "not a valid selector operator")]),
    ...(key === "metadata.name" ? [] : [invalid(`${field}.key`, key, "not a valid field selector key")]),
  ];
};

const termCauses = (term: unknown, field: string): Causes => {
  const { matchExpressions, matchFields } = partOf(term);
  return [
    ...listOf(matchExpressions).flatMap((one, index) => requirementCauses(one, `${field}.matchExpressions[${index}]`)),
    ...listOf(matchFields).flatMap((one, index) => fieldCauses(one, `${field}.matchFields[${index}]`)),
  ];
};

/** Causes of a selector of Nodes that is given. */
export const nodeSelectorCauses = (selector: unknown, field: string): Causes => {
  const terms = listOf(partOf(selector)["nodeSelectorTerms"]);
  return [
    ...(terms.length === 0 ? [required(`${field}.nodeSelectorTerms`)] : []),
    ...terms.flatMap((term, index) => termCauses(term, `${field}.nodeSelectorTerms[${index}]`)),
  ];
};

const weightCauses = (preferred: unknown, field: string): Causes =>
  between(`${field}.weight`, partOf(preferred)["weight"] ?? 0, 1, weightMost);

const nodeAffinityCauses = (affinity: Part, field: string): Causes => [
  ...(isSet(affinity[needed]) ? nodeSelectorCauses(affinity[needed], `${field}.${needed}`) : []),
  ...listOf(affinity[liked]).flatMap((preferred, index) => {
    const at = `${field}.${liked}[${index}]`;
    return [...weightCauses(preferred, at), ...termCauses(partOf(preferred)["preference"], `${at}.preference`)];
  }),
];

/** Causes of keys whose values, as the Pod has them, are added to a selector. */
export const matchKeysCauses = (value: Part, field: string, name: string): Causes => {
  const keys = listOf(value[name]);
  return [
    ...(keys.length > 0 && !isSet(value["labelSelector"])
      ? [forbidden(`${field}.${name}`, "must not be specified when labelSelector is not set")]
      : []),
    ...keys.flatMap((key, index) => labelKey(`${field}.${name}[${index}]`, key)),
  ];
};

const podTermCauses = (value: unknown, field: string): Causes => {
  const term = partOf(value);
  const { topologyKey, labelSelector, namespaces, namespaceSelector } = term;
  return [
    ...(textOf(topologyKey) === "" ? [required(`${field}.topologyKey`)] : []),
    ...labelKey(`${field}.topologyKey`, topologyKey),
    ...labelSelectorCauses(`${field}.labelSelector`, labelSelector),
    ...listOf(namespaces).flatMap((name) => dnsLabel(`${field}.namespace`, name)),
    ...labelSelectorCauses(`${field}.namespaceSelector`, namespaceSelector),
    ...matchKeysCauses(term, field, "matchLabelKeys"),
    ...matchKeysCauses(term, field, "mismatchLabelKeys"),
  ];
};

const podAffinityCauses = (affinity: Part, field: string): Causes => [
  ...listOf(affinity[needed]).flatMap((term, index) => podTermCauses(term, `${field}.${needed}[${index}]`)),
  ...listOf(affinity[liked]).flatMap((preferred, index) => {
    const at = `${field}.${liked}[${index}]`;
    return [
      ...weightCauses(preferred, at),
      ...podTermCauses(partOf(preferred)["podAffinityTerm"], `${at}.podAffinityTerm`),
    ];
  }),
];

/** Causes of what draws a Pod to Nodes and other Pods, and what keeps it away. */
export const affinityCauses = (value: unknown, field: string): Causes => {
  const affinity = partOf(value);
  return [
    ...nodeAffinityCauses(partOf(affinity["nodeAffinity"]), `${field}.nodeAffinity`),
    ...["podAffinity", "podAntiAffinity"].flatMap((name) =>
      podAffinityCauses(partOf(affinity[name]), `${field}.${name}`),
    ),
  ];
};
