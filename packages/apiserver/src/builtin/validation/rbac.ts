import type { KubeObject } from "@capstan/schema";
import { isSet, listOf, partOf, textOf } from "../../values/object-parts.ts";
import { type Causes, invalid, oneOf, required } from "./causes.ts";
import { labelSelectorCauses } from "./label-selector.ts";

export const rbacGroup = "rbac.authorization.k8s.io";

export const ruleCauses = (object: KubeObject, namespaced: boolean): Causes =>
  listOf(object["rules"]).flatMap((value, index) => {
    const rule = partOf(value);
    const field = `rules[${index}]`;
    const has = (name: string): boolean => listOf(rule[name]).length > 0;
    const verbs = has("verbs") ? [] : [required(`${field}.verbs`, "verbs must contain at least one value")];
    if (has("nonResourceURLs")) {
      const mixed = has("apiGroups") || has("resources") || has("resourceNames");
      const message = namespaced
        ? "namespaced rules cannot apply to non-resource URLs"
        : "rules cannot apply to both regular resources and non-resource URLs";
      return [
        ...verbs,
        ...(namespaced || mixed ? [invalid(`${field}.nonResourceURLs`, rule["nonResourceURLs"], message)] : []),
      ];
    }
    return [
      ...verbs,
      ...(has("apiGroups")
        ? []
        : [required(`${field}.apiGroups`, "resource rules must supply at least one api group")]),
      ...(has("resources") ? [] : [required(`${field}.resources`, "resource rules must supply at least one resource")]),
    ];
  });

/** A rule that gathers other roles has to say which. */
export const aggregationCauses = (object: KubeObject): Causes => {
  const rule = object["aggregationRule"];
  if (!isSet(rule)) return [];
  const field = "aggregationRule.clusterRoleSelectors";
  const selectors = listOf(partOf(rule)["clusterRoleSelectors"]);
  return selectors.length === 0
    ? [required(field, "at least one clusterRoleSelector required if aggregationRule is non-nil")]
    : selectors.flatMap((selector, index) => labelSelectorCauses(`${field}[${index}]`, selector));
};

/** A ServiceAccount has to have a namespace where the binding has none. */
const subjectCauses = (object: KubeObject, namespaced: boolean): Causes =>
  listOf(object["subjects"]).flatMap((value, index) => {
    const subject = partOf(value);
    const field = `subjects[${index}]`;
    const isAccount = subject["kind"] === "ServiceAccount";
    return [
      ...oneOf(`${field}.kind`, subject["kind"], ["ServiceAccount", "User", "Group"]),
      ...(isAccount && !namespaced && textOf(subject["namespace"]) === "" ? [required(`${field}.namespace`)] : []),
      ...oneOf(`${field}.apiGroup`, subject["apiGroup"], isAccount ? [""] : [rbacGroup]),
    ];
  });

export const bindingCauses = (object: KubeObject, namespaced: boolean): Causes => {
  const reference = partOf(object["roleRef"]);
  return [
    ...oneOf("roleRef.apiGroup", reference["apiGroup"], [rbacGroup]),
    ...oneOf("roleRef.kind", reference["kind"], namespaced ? ["Role", "ClusterRole"] : ["ClusterRole"]),
    ...subjectCauses(object, namespaced),
  ];
};
