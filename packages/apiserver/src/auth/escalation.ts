import { isDeepStrictEqual } from "node:util";
import { forbidden } from "../model/status-error.ts";
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

const checkRole = (rbac: Rbac, request: AdmissionRequest): void => {
  const { definition, name, object, oldObject } = request;
  if (rbac.allows(request.user, attributes(request, "escalate", definition.plural, name)) === undefined) {
    const aggregates = object?.["aggregationRule"] !== undefined || oldObject?.["aggregationRule"] !== undefined;
    const rules = (object?.["rules"] ?? []) as readonly PolicyRule[];
    refuseMissing(rbac, request, rules);
    if (aggregates && missingFor(rbac, request, everything).length > 0) {
      throw forbidden(definition, name, "must have cluster-admin privileges to use the aggregationRule");
    }
  }
};

const checkBinding = (rbac: Rbac, request: AdmissionRequest): void => {
  const roleRef = (request.object?.["roleRef"] ?? {}) as { readonly kind: string; readonly name: string };
  const resource = roleRef.kind === "ClusterRole" ? "clusterroles" : "roles";
  if (rbac.allows(request.user, attributes(request, "bind", resource, roleRef.name)) === undefined) {
    refuseMissing(rbac, request, rbac.rulesOf(roleRef, request.namespace));
  }
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

/** Nobody hands out rights that they do not have themselves, unless they hold the verb `escalate` or `bind`. */
export const escalationCheck = (rbac: Rbac): AdmissionPlugin => ({
  name: "RoleEscalation",
  validate: async (request) => {
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
