import type { KubeObject } from "@capstan/schema";
import { isDeepStrictEqual } from "node:util";
import { listOf, partOf } from "../values/object-parts.ts";
import { selectorMatches } from "../values/selector.ts";
import type { ExtensionFactory } from "../registry/extension.ts";
import { controller } from "./controller.ts";

const clusterRoles = { group: "rbac.authorization.k8s.io", plural: "clusterroles" } as const;

const selectorsOf = (role: KubeObject): readonly unknown[] | undefined => {
  const { aggregationRule } = role;
  return aggregationRule === undefined ? undefined : listOf(partOf(aggregationRule)["clusterRoleSelectors"]);
};

const isSelected = (role: KubeObject, selectors: readonly unknown[]): boolean =>
  selectors.some((selector) => selectorMatches(selector, role.metadata.labels ?? {}));

/** The rules of all selected roles, by name, each rule once. */
const rulesOf = (selectors: readonly unknown[], others: readonly KubeObject[]): readonly unknown[] => {
  const rules = new Map<string, unknown>();
  for (const role of others.filter((other) => isSelected(other, selectors))) {
    for (const rule of listOf(role["rules"])) rules.set(JSON.stringify(rule), rule);
  }
  return [...rules.values()];
};

/** Fills ClusterRoles that have an aggregationRule with the rules of the roles it selects. */
export const clusterRoleAggregation: ExtensionFactory = (environment) => {
  const { store } = environment;
  const reconcile = async (name: string): Promise<void> => {
    const role = store.peek(clusterRoles, { name });
    const selectors = role && selectorsOf(role);
    if (role === undefined || selectors === undefined) return;
    const others = store.peekAll(clusterRoles).filter((other) => other !== role);
    const rules = rulesOf(selectors, others);
    if (isDeepStrictEqual(rules, listOf(role["rules"]))) return;
    await store.update(clusterRoles, { ...role, rules });
  };
  return controller(environment, {
    name: "cluster-role-aggregation",
    watch: (add) => [
      store.watch(clusterRoles, ({ object, previous }) => {
        for (const role of store.peekAll(clusterRoles)) {
          const selectors = selectorsOf(role);
          if (selectors === undefined) continue;
          const concerns =
            role.metadata.uid === object.metadata.uid ||
            [object, previous].some((state) => state !== undefined && isSelected(state, selectors));
          if (concerns) add(role.metadata.name!);
        }
      }),
    ],
    reconcile,
  });
};
