import { deepEqual } from "@capstan/schema/structural";
import type { KubeObject } from "@capstan/schema";
import type { KindBehaviour } from "./kind-behaviour.ts";
import { invalid, oneOf, required } from "../validation/causes.ts";
import type { Causes } from "../validation/causes.ts";
import { changed, filledUnset, listOf, partOf, textOf } from "../../values/object-parts.ts";

const group = "rbac.authorization.k8s.io";

const ruleCauses = (object: KubeObject, namespaced: boolean): Causes =>
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

const defaultSubject = (value: unknown): unknown => {
  const subject = partOf(value);
  return subject["kind"] === "User" || subject["kind"] === "Group"
    ? filledUnset(subject, { apiGroup: group })
    : subject;
};

const withGroups = (object: KubeObject): KubeObject => {
  const referring = changed(object, "roleRef", (reference) => filledUnset(partOf(reference), { apiGroup: group }));
  return changed(referring, "subjects", (subjects) => listOf(subjects).map(defaultSubject)) as KubeObject;
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
      ...oneOf(`${field}.apiGroup`, subject["apiGroup"], isAccount ? [""] : [group]),
    ];
  });

const bindingCauses = (object: KubeObject, namespaced: boolean): Causes => {
  const reference = partOf(object["roleRef"]);
  return [
    ...oneOf("roleRef.apiGroup", reference["apiGroup"], [group]),
    ...oneOf("roleRef.kind", reference["kind"], namespaced ? ["Role", "ClusterRole"] : ["ClusterRole"]),
    ...subjectCauses(object, namespaced),
  ];
};

const strategy = { nameFormat: "path", generation: false, unconditionalUpdate: true, createOnUpdate: true } as const;

const rolesOf = (namespaced: boolean): KindBehaviour => ({
  strategy: { ...strategy, validate: (object) => ruleCauses(object, namespaced) },
});

const bindingsOf = (namespaced: boolean): KindBehaviour => ({
  applyDefaults: withGroups,
  strategy: {
    ...strategy,
    validate: (object) => bindingCauses(object, namespaced),
    validateUpdate: (object, old) => [
      ...bindingCauses(object, namespaced),
      ...(deepEqual(object["roleRef"], old["roleRef"])
        ? []
        : [invalid("roleRef", object["roleRef"], "cannot change roleRef")]),
    ],
  },
});

export const roles = rolesOf(true);
export const clusterRoles = rolesOf(false);
export const roleBindings = bindingsOf(true);
export const clusterRoleBindings = bindingsOf(false);
