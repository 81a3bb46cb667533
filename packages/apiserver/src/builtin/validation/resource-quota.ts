import { type KubeObject, sameJson } from "@capstan/schema";
import { qualifiedNameFault } from "../../registry/metadata.ts";
import { listOf, partOf, specOf, textOf } from "../../values/object-parts.ts";
import { millisOf } from "../../values/quantity.ts";
import { type Causes, immutable, invalid } from "./causes.ts";

/** Things that are counted. */
const counted = [
  "configmaps",
  "persistentvolumeclaims",
  "pods",
  "replicationcontrollers",
  "resourcequotas",
  "secrets",
  "services",
  "services.loadbalancers",
  "services.nodeports",
];

const computed = ["cpu", "memory", "limits.cpu", "limits.memory", "requests.cpu", "requests.memory"];

const measured = [
  ...computed,
  "ephemeral-storage",
  "limits.ephemeral-storage",
  "requests.ephemeral-storage",
  "requests.storage",
];

const isStandard = (name: string): boolean =>
  counted.includes(name) || measured.includes(name) || /^(requests\.)?hugepages-/.test(name);

const isKnown = (name: string): boolean =>
  isStandard(name) || (name.includes("/") && qualifiedNameFault(name) === undefined);

const hardCauses = (hard: unknown): Causes =>
  Object.entries(partOf(hard)).flatMap(([name, amount]) => {
    const at = `spec.hard[${name}]`;
    const millis = millisOf(amount) ?? 0n;
    return [
      ...(isKnown(name) ? [] : [invalid(at, name, "must be a standard resource for quota")]),
      ...(millis < 0n ? [invalid(at, amount, "must be greater than or equal to 0")] : []),
      ...(counted.includes(name) && millis % 1000n !== 0n ? [invalid(at, amount, "must be an integer")] : []),
    ];
  });

/** Standard resources that may be counted of what a scope picks; others always may. */
const scopes: ReadonlyMap<string, readonly string[]> = new Map([
  ["Terminating", ["pods", ...computed]],
  ["NotTerminating", ["pods", ...computed]],
  ["BestEffort", ["pods"]],
  ["NotBestEffort", ["pods", ...computed]],
  ["PriorityClass", ["pods", ...computed]],
  ["CrossNamespacePodAffinity", ["pods", ...computed]],
  ["VolumeAttributesClass", ["persistentvolumeclaims", "requests.storage"]],
]);

const opposites = [
  ["BestEffort", "NotBestEffort"],
  ["Terminating", "NotTerminating"],
];

/** `names` are all at one field. */
const scopesCauses = (names: readonly string[], field: string, resources: readonly string[]): Causes => [
  ...names.flatMap((name) => {
    const allowed = scopes.get(name);
    return allowed === undefined
      ? [invalid(field, name, "unsupported scope")]
      : resources.every((resource) => allowed.includes(resource))
        ? []
        : [invalid(field, name, "unsupported scope applied to resource")];
  }),
  ...(opposites.some((pair) => pair.every((scope) => names.includes(scope)))
    ? [invalid(field, names, "conflicting scopes")]
    : []),
];

export const quotaCauses = (object: KubeObject): Causes => {
  const spec = specOf(object);
  const resources = Object.keys(partOf(spec["hard"])).filter(isStandard);
  const selected = listOf(partOf(spec["scopeSelector"])["matchExpressions"]).map((expression) =>
    textOf(partOf(expression)["scopeName"]),
  );
  return [
    ...hardCauses(spec["hard"]),
    ...scopesCauses(listOf(spec["scopes"]).map(textOf), "spec.scopes", resources),
    ...scopesCauses(selected, "spec.scopeSelector.matchExpressions.scopeName", resources),
  ];
};

export const quotaUpdateCauses = (object: KubeObject, old: KubeObject): Causes => {
  const scopesOf = (quota: KubeObject): readonly string[] => listOf(specOf(quota)["scopes"]).map(textOf).toSorted();
  return sameJson(scopesOf(object), scopesOf(old)) ? [] : [immutable("spec.scopes", specOf(object)["scopes"])];
};
