import type { KubeObject } from "@capstan/schema";
import { badRequest, invalid, type StatusError } from "../model/status-error.ts";
import type { ActionCall, RequestInfo, User, VirtualResource } from "../model/types.ts";
import type { Rbac } from "./rbac.ts";

type Fields = Readonly<Record<string, unknown>>;

const fields = (value: unknown): Fields | undefined =>
  typeof value === "object" && value !== null ? (value as Fields) : undefined;

const text = (value: unknown): string => (typeof value === "string" ? value : "");

/** The request that a review asks about. Throws a 422 unless exactly one kind of attributes is given. */
const askedRequest = (call: ActionCall, spec: Fields): RequestInfo => {
  const resource = fields(spec["resourceAttributes"]);
  const path = fields(spec["nonResourceAttributes"]);
  if ((resource === undefined) === (path === undefined)) {
    throw invalid(call.definition, "", [
      {
        reason: "FieldValueInvalid",
        field: "spec.resourceAttributes",
        message: "Invalid value: exactly one of nonResourceAttributes or resourceAttributes must be specified",
      },
    ]);
  }
  const attributes = (resource ?? path) as Fields;
  return {
    verb: text(attributes["verb"]),
    path: text(attributes["path"]),
    isResource: resource !== undefined,
    group: text(attributes["group"]),
    version: text(attributes["version"]),
    resource: text(attributes["resource"]),
    subresource: text(attributes["subresource"]),
    namespace: text(attributes["namespace"]),
    name: text(attributes["name"]),
  };
};

/** The 422 for a review in a namespace that is about something outside of it. */
const wrongPlace = (call: ActionCall, { isResource, namespace }: RequestInfo): StatusError =>
  invalid(call.definition, "", [
    isResource
      ? {
          reason: "FieldValueInvalid",
          field: "spec.resourceAttributes.namespace",
          message: `Invalid value: ${JSON.stringify(namespace)}: must match metadata.namespace`,
        }
      : {
          reason: "FieldValueInvalid",
          field: "spec.nonResourceAttributes",
          message: "Invalid value: disallowed on this kind of request",
        },
  ]);

const bodyOf = (call: ActionCall): { readonly body: KubeObject; readonly spec: Fields } => {
  const body = call.body as KubeObject;
  return { body, spec: fields(body["spec"]) ?? {} };
};

const subjectOf = (call: ActionCall, spec: Fields): User => {
  const name = text(spec["user"]);
  const groups = (spec["groups"] ?? []) as readonly string[];
  if (name === "" && groups.length === 0) {
    throw invalid(call.definition, "", [
      {
        reason: "FieldValueInvalid",
        field: "spec.user",
        message: 'Invalid value: "": at least one of user or group must be specified',
      },
    ]);
  }
  return { name, groups };
};

const verdict = (rbac: Rbac, user: User, info: RequestInfo): Fields => {
  const reason = rbac.allows(user, info);
  return reason === undefined ? { allowed: false } : { allowed: true, ...(reason === "" ? {} : { reason }) };
};

/** SelfSubject-, Subject- and LocalSubjectAccessReview, SelfSubjectRulesReview; by `group/plural`. */
export const accessReviews = (rbac: Rbac): Readonly<Record<string, VirtualResource>> => ({
  "authorization.k8s.io/selfsubjectaccessreviews": {
    create: async (call) => {
      const { body, spec } = bodyOf(call);
      return { ...body, status: verdict(rbac, call.user, askedRequest(call, spec)) };
    },
  },
  "authorization.k8s.io/subjectaccessreviews": {
    create: async (call) => {
      const { body, spec } = bodyOf(call);
      const info = askedRequest(call, spec);
      return { ...body, status: verdict(rbac, subjectOf(call, spec), info) };
    },
  },
  "authorization.k8s.io/localsubjectaccessreviews": {
    create: async (call) => {
      const { body, spec } = bodyOf(call);
      const info = askedRequest(call, spec);
      if (!info.isResource || info.namespace !== call.namespace) {
        throw wrongPlace(call, info);
      }
      return { ...body, status: verdict(rbac, subjectOf(call, spec), info) };
    },
  },
  "authorization.k8s.io/selfsubjectrulesreviews": {
    create: async (call) => {
      const { body, spec } = bodyOf(call);
      const namespace = text(spec["namespace"]);
      if (namespace === "") throw badRequest("no namespace on request: set spec.namespace");
      const rules = rbac.rulesFor(call.user, namespace).flatMap((granted) => granted.rules);
      return {
        ...body,
        status: {
          resourceRules: rules.filter((rule) => rule.resources !== undefined),
          nonResourceRules: rules.filter((rule) => rule.nonResourceURLs !== undefined),
          incomplete: false,
        },
      };
    },
  },
});
