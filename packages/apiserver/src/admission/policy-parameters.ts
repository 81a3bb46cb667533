import { type KubeObject, sameJson } from "@capstan/schema";
import type { Rbac } from "../auth/rbac.ts";
import { forbidden } from "../builtin/validation/causes.ts";
import { invalid } from "../model/status-error.ts";
import type { Registry, RequestInfo, ResourceStore } from "../model/types.ts";
import type { AdmissionPlugin, AdmissionRequest } from "../registry/extension.ts";
import { isSet, partOf, specOf, textOf } from "../values/object-parts.ts";

const group = "admissionregistration.k8s.io";
const policies = { group, plural: "validatingadmissionpolicies" } as const;

/** The resource of a `paramKind`; where it is not known, all that it may be. */
const resourceOf = (registry: Registry, paramKind: unknown): Pick<RequestInfo, "group" | "version" | "resource"> => {
  const { apiVersion, kind } = partOf(paramKind);
  if (!isSet(paramKind)) return { group: "*", version: "*", resource: "*" };
  const [version = "", name = ""] = textOf(apiVersion).split("/").toReversed();
  const plural = registry.snapshot.findKind(name, version, textOf(kind))?.plural;
  return { group: name, version, resource: plural ?? "*" };
};

interface Environment {
  readonly registry: Registry;
  readonly store: ResourceStore;
  readonly rbac: Rbac;
}

/** Refuses a field unless the user may read what it lets the policy read. */
const check = (
  { rbac }: Environment,
  request: AdmissionRequest,
  field: string,
  wanted: Pick<RequestInfo, "verb" | "group" | "version" | "resource" | "namespace" | "name">,
): void => {
  const info = { ...wanted, path: "", isResource: true, subresource: "" };
  if (rbac.allows(request.user, info) !== undefined) return;
  const { verb, resource, group: of, namespace, name } = wanted;
  const which = name === "" || name === "*" ? "all" : JSON.stringify(name);
  const where = namespace === "" || namespace === "*" ? "every namespace" : `namespace ${JSON.stringify(namespace)}`;
  const why = `user ${JSON.stringify(request.user.name)} must have "${verb}" permission on ${which} of resource "${resource}" in API group "${of}" in ${where}`;
  throw invalid(request.definition, request.name, [forbidden(field, why)]);
};

const checkPolicy = (environment: Environment, request: AdmissionRequest, policy: KubeObject): void => {
  const { paramKind } = specOf(policy);
  const before = request.oldObject && specOf(request.oldObject)["paramKind"];
  if (!isSet(paramKind) || sameJson(paramKind, before)) return;
  const resource = resourceOf(environment.registry, paramKind);
  check(environment, request, "spec.paramKind", { ...resource, verb: "get", namespace: "*", name: "*" });
};

const checkBinding = (environment: Environment, request: AdmissionRequest, binding: KubeObject): void => {
  const { paramRef, policyName } = specOf(binding);
  if (!isSet(paramRef)) return;
  const policy = environment.store.peek(policies, { name: textOf(policyName) });
  const resource = resourceOf(environment.registry, policy && specOf(policy)["paramKind"]);
  const [name, namespace] = [textOf(partOf(paramRef)["name"]), textOf(partOf(paramRef)["namespace"])];
  check(environment, request, "spec.paramRef", { ...resource, verb: name === "" ? "list" : "get", namespace, name });
};

/** No one lets a ValidatingAdmissionPolicy read for them, as its parameters, what they may not read themselves. */
export const policyParameters = (environment: Environment): AdmissionPlugin => ({
  name: "PolicyParameters",
  validate: async (request) => {
    const { definition, object } = request;
    if (definition.group !== group || object === undefined) return;
    if (definition.kind === "ValidatingAdmissionPolicy") checkPolicy(environment, request, object);
    if (definition.kind === "ValidatingAdmissionPolicyBinding") checkBinding(environment, request, object);
  },
});
