import { type KubeObject, sameJson } from "@capstan/schema";
import { changed, filledUnset, listOf, partOf } from "../../values/object-parts.ts";
import { invalid } from "../validation/causes.ts";
import { aggregationCauses, bindingCauses, rbacGroup, ruleCauses } from "../validation/rbac.ts";
import type { KindBehaviour } from "./kind-behaviour.ts";

const defaultSubject = (value: unknown): unknown => {
  const subject = partOf(value);
  return subject["kind"] === "User" || subject["kind"] === "Group"
    ? filledUnset(subject, { apiGroup: rbacGroup })
    : subject;
};

const withGroups = (object: KubeObject): KubeObject => {
  const referring = changed(object, "roleRef", (reference) => filledUnset(partOf(reference), { apiGroup: rbacGroup }));
  return changed(referring, "subjects", (subjects) => listOf(subjects).map(defaultSubject)) as KubeObject;
};

const strategy = { nameFormat: "path", generation: false, unconditionalUpdate: true, createOnUpdate: true } as const;

const rolesOf = (namespaced: boolean): KindBehaviour => ({
  strategy: {
    ...strategy,
    validate: (object) => [...ruleCauses(object, namespaced), ...(namespaced ? [] : aggregationCauses(object))],
  },
});

const bindingsOf = (namespaced: boolean): KindBehaviour => ({
  applyDefaults: withGroups,
  strategy: {
    ...strategy,
    validate: (object) => bindingCauses(object, namespaced),
    validateUpdate: (object, old) => [
      ...bindingCauses(object, namespaced),
      ...(sameJson(object["roleRef"], old["roleRef"])
        ? []
        : [invalid("roleRef", object["roleRef"], "cannot change roleRef")]),
    ],
  },
});

export const roles = rolesOf(true);

export const clusterRoles = rolesOf(false);

export const roleBindings = bindingsOf(true);

export const clusterRoleBindings = bindingsOf(false);
