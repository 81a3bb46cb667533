import type { KubeObject } from "@capstan/schema";
import type { RequestInfo, ResourceStore, User } from "../model/types.ts";
import { isForOwnNode } from "./node-authorizer.ts";
import { type PolicyRule, ruleAllows } from "./rbac-rules.ts";

export const rbacGroup = "rbac.authorization.k8s.io";

interface Subject {
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
}

interface RoleRef {
  readonly kind: string;
  readonly name: string;
}

/** A binding, under each of its subjects. */
interface Grant {
  /** Empty: everywhere. */
  readonly namespace: string;
  readonly binding: string;
  readonly roleRef: RoleRef;
  readonly subject: string;
}

/** Rules that apply to a user in one place, with the words that say why. */
export interface GrantedRules {
  readonly reason: string;
  readonly rules: readonly PolicyRule[];
}

export interface Rbac {
  /** Why a request is allowed; `undefined` when it is not. */
  allows(user: User, info: RequestInfo): string | undefined;
  /** Everything granted to a user cluster-wide and in a namespace. */
  rulesFor(user: User, namespace: string): readonly GrantedRules[];
  /** The rules of a role; `undefined` when there is no such role. */
  rulesOf(roleRef: RoleRef, namespace: string): readonly PolicyRule[] | undefined;
}

const resources = {
  Role: { group: rbacGroup, plural: "roles" },
  ClusterRole: { group: rbacGroup, plural: "clusterroles" },
  RoleBinding: { group: rbacGroup, plural: "rolebindings" },
  ClusterRoleBinding: { group: rbacGroup, plural: "clusterrolebindings" },
} as const;

const subjectKey = ({ kind, name, namespace }: Subject): string =>
  kind === "ServiceAccount" ? `User/system:serviceaccount:${namespace ?? ""}:${name}` : `${kind}/${name}`;

const subjectText = ({ kind, name, namespace }: Subject): string =>
  `${kind} ${JSON.stringify(namespace === undefined || namespace === "" ? name : `${name}/${namespace}`)}`;

const grantsOf = (binding: KubeObject): readonly (readonly [string, Grant])[] => {
  const { name = "", namespace = "" } = binding.metadata;
  const roleRef = (binding["roleRef"] ?? {}) as RoleRef;
  const place = namespace === "" ? name : `${name}/${namespace}`;
  return ((binding["subjects"] ?? []) as readonly Subject[]).map((subject) => [
    subjectKey(subject),
    { namespace, roleRef, binding: `${binding.kind} ${JSON.stringify(place)}`, subject: subjectText(subject) },
  ]);
};

const isMaster = (user: User): boolean => user.groups.includes("system:masters");

const everything: readonly PolicyRule[] = [
  { verbs: ["*"], apiGroups: ["*"], resources: ["*"] },
  { verbs: ["*"], nonResourceURLs: ["*"] },
];

/** Indexes the grants of all bindings by subject, on first use after a change. `stop` ends the watches of bindings. */
const grantIndex = (store: ResourceStore) => {
  let index: ReadonlyMap<string, readonly Grant[]> | undefined;
  const forget = (): void => {
    index = undefined;
  };
  const stops = [resources.RoleBinding, resources.ClusterRoleBinding].map((ref) => store.watch(ref, forget));
  const gather = (): ReadonlyMap<string, readonly Grant[]> => {
    const bindings = [...store.peekAll(resources.ClusterRoleBinding), ...store.peekAll(resources.RoleBinding)];
    const bySubject = Map.groupBy(bindings.flatMap(grantsOf), ([key]) => key);
    return new Map([...bySubject].map(([key, entries]) => [key, entries.map(([, grant]) => grant)]));
  };
  return {
    grants: (): ReadonlyMap<string, readonly Grant[]> => {
      index ??= gather();
      return index;
    },
    stop: (): void => {
      for (const stop of stops) {
        stop();
      }
    },
  };
};

/** Role-based access control over the roles and bindings in a store, and what kubelets may do for their nodes. `stop` ends its watches. */
export const createRbac = (store: ResourceStore): Rbac & { stop(): void } => {
  const { grants, stop } = grantIndex(store);
  const grantsFor = (user: User, namespace: string): readonly Grant[] =>
    [`User/${user.name}`, ...user.groups.map((group) => `Group/${group}`)]
      .flatMap((key) => grants().get(key) ?? [])
      .filter((grant) => grant.namespace === "" || (namespace !== "" && grant.namespace === namespace));
  const rulesOf = ({ kind, name }: RoleRef, namespace: string): readonly PolicyRule[] | undefined => {
    const role =
      kind === "ClusterRole"
        ? store.peek(resources.ClusterRole, { name })
        : store.peek(resources.Role, { name, namespace });
    return role === undefined ? undefined : ((role["rules"] ?? []) as readonly PolicyRule[]);
  };
  const reasonOf = (grant: Grant): string =>
    `RBAC: allowed by ${grant.binding} of ${grant.roleRef.kind} ${JSON.stringify(grant.roleRef.name)} to ${grant.subject}`;
  return {
    rulesOf,
    allows: (user, info) => {
      if (isMaster(user) || isForOwnNode(user, info, store)) {
        return "";
      }
      const found = grantsFor(user, info.isResource ? info.namespace : "").find((grant) =>
        rulesOf(grant.roleRef, grant.namespace)?.some((rule) => ruleAllows(rule, info)),
      );
      return found === undefined ? undefined : reasonOf(found);
    },
    rulesFor: (user, namespace) => [
      ...(isMaster(user) ? [{ reason: "", rules: everything }] : []),
      ...grantsFor(user, namespace).map((grant) => ({
        reason: reasonOf(grant),
        rules: rulesOf(grant.roleRef, grant.namespace) ?? [],
      })),
    ],
    stop,
  };
};
