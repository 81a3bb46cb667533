import type { Rbac } from "../auth/rbac.ts";
import type { AdmissionVariables } from "../cel/admission-expressions.ts";
import type { AdmissionRequest } from "../registry/extension.ts";
import type { AdmissionView } from "./admission-view.ts";
import { namespaceOf } from "./match-rules.ts";

const accountUser = ({ namespace, name }: { readonly namespace: string; readonly name: string }) => ({
  name: `system:serviceaccount:${namespace}:${name}`,
  groups: ["system:serviceaccounts", `system:serviceaccounts:${namespace}`, "system:authenticated"],
});

/** What the expressions of webhooks and policies see of a request; `rbac` answers their `authorizer`. */
export const admissionVariables = (
  request: AdmissionRequest,
  { object, oldObject, attributes }: AdmissionView,
  rbac: Rbac,
): AdmissionVariables => ({
  object,
  oldObject,
  request: attributes,
  authorize: ({ serviceAccount, path, verb, ...query }) => {
    const reason = rbac.allows(serviceAccount === undefined ? request.user : accountUser(serviceAccount), {
      verb,
      path: path ?? "",
      isResource: path === undefined,
      group: query.group ?? "",
      version: "",
      resource: query.resource ?? "",
      subresource: query.subresource ?? "",
      namespace: query.namespace ?? "",
      name: query.name ?? "",
    });
    return { allowed: reason !== undefined, ...(reason === undefined ? {} : { reason }) };
  },
  requestResource: {
    group: request.definition.group,
    resource: request.definition.plural,
    subresource: request.subresource,
    namespace: namespaceOf(request),
    name: request.name,
  },
});
