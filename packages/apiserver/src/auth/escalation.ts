import { isDeepStrictEqual } from "node:util";
import { forbidden, notFound } from "../model/status-error.ts";
import { listOf, partOf, textOf } from "../values/object-parts.ts";
import type { AdmissionPlugin, AdmissionRequest } from "../registry/extension.ts";
import type { RequestInfo } from "../model/types.ts";
import { missingRules, type PolicyRule } from "./rbac-rules.ts";
import { type Rbac, rbacGroup } from "./rbac.ts";

const attributes = (request: AdmissionRequest, verb: string, resource: string, name: string): RequestInfo => ({
  verb,
  path: "",
  isResource: true,
  group: rbacGroup,
  version: "v1",
  resource,
  subresource: "",
  namespace: request.namespace,
  name,
});

const missingFor = (rbac: Rbac, request: AdmissionRequest, wanted: readonly PolicyRule[]): readonly PolicyRule[] =>
  missingRules(
    rbac.rulesFor(request.user, request.namespace).flatMap(({ rules }) => rules),
    wanted,
  );

const refuseMissing = (rbac: Rbac, request: AdmissionRequest, wanted: readonly PolicyRule[]): void => {
  const missing = missingFor(rbac, request, wanted);
  if (missing.length > 0) {
    throw forbidden(
      request.definition,
      request.name,
      `user ${JSON.stringify(request.user.name)} is attempting to grant RBAC permissions not currently held: ${missing.map((rule) => JSON.stringify(rule)).join(", ")}`,
    );
  }
};

/** Aggregation may bring any rule into a role, so it takes every right. */
const everything: readonly PolicyRule[] = [
  { verbs: ["*"], apiGroups: ["*"], resources: ["*"] },
  { verbs: ["*"], nonResourceURLs: ["*"] },
];

const aggregates = (role: AdmissionRequest["object"]): boolean =>
  listOf(partOf(role?.["aggregationRule"])["clusterRoleSelectors"]).length > 0;

/** The name in the URL: who may escalate one name does not create it by a POST, which names nothing. */
const namedInUrl = ({ options, name }: AdmissionRequest): string => (options["kind"] === "CreateOptions" ? "" : name);

const checkRole = (rbac: Rbac, request: AdmissionRequest): void => {
  const { definition, name, object, oldObject } = request;
  if (
    rbac.allows(request.user, attributes(request, "escalate", definition.plural, namedInUrl(request))) === undefined
  ) {
    refuseMissing(rbac, request, listOf(object?.["rules"]) as readonly PolicyRule[]);
    const gathers = aggregates(object) || aggregates(oldObject);
    if (gathers && missingFor(rbac, request, everything).length > 0) {
      throw forbidden(definition, name, "must have cluster-admin privileges to use the aggregationRule");
    }
  }
};

/** Validation says what is wrong with a reference that can name no role. */
const canName = (definition: AdmissionRequest["definition"], kind: string, name: string): boolean =>
  name !== "" && (kind === "ClusterRole" || (kind === "Role" && definition.namespaced));

const checkBinding = (rbac: Rbac, request: AdmissionRequest): void => {
  const { definition } = request;
  const roleRef = partOf(request.object?.["roleRef"]);
  const [kind, name] = [textOf(roleRef["kind"]), textOf(roleRef["name"])];
  if (!canName(definition, kind, name)) {
    return;
  }
  const resource = kind === "ClusterRole" ? "clusterroles" : "roles";
  const bind = { ...attributes(request, "bind", resource, name), group: textOf(roleRef["apiGroup"]) };
  if (rbac.allows(request.user, bind) !== undefined) {
    return;
  }
  const rules = rbac.rulesOf({ kind, name }, request.namespace);
  if (rules === undefined) {
    // Whoever makes the role later would not know to whom it gives its rights.
    throw notFound(definition, name);
  }
  refuseMissing(rbac, request, rules);
};

/** True when an update changes nothing but what the garbage collector changes. */
const isCollection = ({ object, oldObject }: AdmissionRequest): boolean => {
  const kept = (from: AdmissionRequest["object"]) => {
    const {
      ownerReferences: _owners,
      finalizers: _finalizers,
      managedFields: _managers,
      ...metadata
    } = from?.metadata ?? {};
    return { ...from, metadata };
  };
  return oldObject !== undefined && isDeepStrictEqual(kept(object), kept(oldObject));
};

/** No one hands out rights that they do not have themselves, unless they hold the verb `escalate` or `bind`. */
export const escalationCheck = (rbac: Rbac): AdmissionPlugin => ({
  name: "RoleEscalation",
  guard: async (request) => {
    const isWrite = request.operation === "CREATE" || request.operation === "UPDATE";
    if (!isWrite || request.definition.group !== rbacGroup || isCollection(request)) {
      return;
    }
    if (request.definition.kind.endsWith("Role")) {
      checkRole(rbac, request);
    } else {
      checkBinding(rbac, request);
    }
  },
});
