import type { RequestInfo } from "../model/types.ts";

/** A rule of a Role or ClusterRole; absent lists are empty. */
export interface PolicyRule {
  readonly verbs?: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

const has = (list: readonly string[] | undefined, value: string): boolean =>
  list !== undefined && (list.includes("*") || list.includes(value));

const matchesResource = (resources: readonly string[] = [], resource: string, subresource: string): boolean => {
  const full = subresource === "" ? resource : `${resource}/${subresource}`;
  return (
    resources.includes("*") ||
    resources.includes(full) ||
    (subresource !== "" && resources.includes(`*/${subresource}`))
  );
};

const matchesName = (names: readonly string[] | undefined, name: string): boolean =>
  names === undefined || names.length === 0 || names.includes(name);

const matchesPath = (patterns: readonly string[] = [], path: string): boolean =>
  patterns.some((pattern) => (pattern.endsWith("*") ? path.startsWith(pattern.slice(0, -1)) : pattern === path));

/** Returns whether a rule allows a request. */
export const ruleAllows = (rule: PolicyRule, info: RequestInfo): boolean =>
  has(rule.verbs, info.verb) &&
  (info.isResource
    ? has(rule.apiGroups, info.group) &&
      matchesResource(rule.resources, info.resource, info.subresource) &&
      matchesName(rule.resourceNames, info.name)
    : matchesPath(rule.nonResourceURLs, info.path));

/** A rule with one verb and one target. */
const single = (rule: PolicyRule): readonly PolicyRule[] => {
  const names = (rule.resourceNames ?? []).length === 0 ? [undefined] : (rule.resourceNames as readonly string[]);
  return (rule.verbs ?? []).flatMap((verb) => [
    ...(rule.apiGroups ?? []).flatMap((group) =>
      (rule.resources ?? []).flatMap((resource) =>
        names.map((name) => ({
          verbs: [verb],
          apiGroups: [group],
          resources: [resource],
          ...(name === undefined ? {} : { resourceNames: [name] }),
        })),
      ),
    ),
    ...(rule.nonResourceURLs ?? []).map((url) => ({ verbs: [verb], nonResourceURLs: [url] })),
  ]);
};

const coversSingle = (owned: PolicyRule, wanted: PolicyRule): boolean => {
  const [verb = ""] = wanted.verbs ?? [];
  const [url] = wanted.nonResourceURLs ?? [];
  if (!has(owned.verbs, verb)) {
    return false;
  }
  if (url !== undefined) {
    return matchesPath(owned.nonResourceURLs, url);
  }
  const [group = ""] = wanted.apiGroups ?? [];
  const [resource = "", subresource = ""] = (wanted.resources?.[0] ?? "").split("/");
  const ownedNames = owned.resourceNames ?? [];
  const [name] = wanted.resourceNames ?? [];
  return (
    has(owned.apiGroups, group) &&
    matchesResource(owned.resources, resource, subresource) &&
    (ownedNames.length === 0 || (name !== undefined && ownedNames.includes(name)))
  );
};

/** The parts of `wanted` that `owned` does not allow. */
export const missingRules = (owned: readonly PolicyRule[], wanted: readonly PolicyRule[]): readonly PolicyRule[] =>
  wanted.flatMap(single).filter((rule) => !owned.some((candidate) => coversSingle(candidate, rule)));
