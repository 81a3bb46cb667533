import type { KubeObject } from "@capstan/schema";
import { createRbac, type Rbac } from "../auth/rbac.ts";
import { selectorText } from "../builtin/kinds/selector.ts";
import type { AdmissionVariables } from "../cel/admission-expressions.ts";
import type { AdmissionRequest, ExtensionEnvironment, ExtensionFactory } from "../registry/extension.ts";
import { forbidden, StatusError } from "../registry/status-error.ts";
import type { ResourceDefinition } from "../registry/types.ts";
import { admissionVariables } from "./admission-variables.ts";
import { admissionView } from "./admission-view.ts";
import { admissionGroup, isExempt } from "./admission-webhooks.ts";
import { matchedDefinition, namespaceObject, selectorsMatch } from "./match-rules.ts";
import { type BindingSpec, compilePolicy, matchingOf, type Policy, type Violation } from "./policy.ts";

const codes: Readonly<Record<string, number>> = {
  Unauthorized: 401,
  Forbidden: 403,
  Invalid: 422,
  RequestEntityTooLarge: 413,
};

interface Binding {
  readonly name: string;
  readonly spec: BindingSpec;
}

const failure = (type: Violation["type"], message: string): Violation => ({ type, message, reason: "Invalid" });

const refusal = (request: AdmissionRequest, text: string, { message, reason }: Violation): StatusError => {
  const { status } = forbidden(request.definition, request.name, text);
  const details = { ...status.details, causes: [{ message }] };
  return new StatusError(codes[reason] ?? 422, reason, status.message ?? text, { details });
};

/** Carries out the validation actions of a binding. Throws for `Deny`. */
const act = (request: AdmissionRequest, policy: Policy, { name, spec }: Binding, violation: Violation): void => {
  const { validationActions } = spec;
  const named = `ValidatingAdmissionPolicy '${policy.name}' with binding '${name}'`;
  // A binding that does not work refuses whatever its actions are.
  if (violation.type === "configuration" || validationActions.includes("Deny")) {
    throw refusal(request, `${named} denied request: ${violation.message}`, violation);
  }
  if (validationActions.includes("Warn")) request.warn(`Validation failed for ${named}: ${violation.message}`);
};

/** The objects a binding gives as `params`; null when the policy takes none. An error text when they cannot be had. */
const paramsOf = async (
  { registry, store }: ExtensionEnvironment,
  { paramKind }: Policy,
  { paramRef }: BindingSpec,
  request: AdmissionRequest,
): Promise<readonly (KubeObject | null)[] | string> => {
  if (paramKind === undefined || paramRef === undefined) return [null];
  const [version = "", group = ""] = (paramKind.apiVersion ?? "").split("/").toReversed();
  const definition = registry.snapshot.findKind(group, version, paramKind.kind ?? "");
  if (definition === undefined) return `failed to find resource referenced by paramKind: '${paramKind.kind}'`;
  const namespace = definition.namespaced ? (paramRef.namespace ?? request.namespace) : "";
  if (definition.namespaced && namespace === "") return "cannot use namespaced paramRef without a namespace";
  const found =
    paramRef.name === undefined
      ? (await store.list(definition, { namespace, labelSelector: selectorText(paramRef.selector) })).items
      : [await store.find(definition, { namespace, name: paramRef.name })].filter((object) => object !== undefined);
  if (found.length > 0) return found;
  return paramRef.parameterNotFoundAction === "Allow"
    ? []
    : "no params found for policy binding with `Deny` parameterNotFoundAction";
};

/** What a policy finds through one binding. */
const violationsOf = async (
  environment: ExtensionEnvironment,
  policy: Policy,
  binding: BindingSpec,
  request: AdmissionRequest,
  given: AdmissionVariables,
): Promise<readonly Violation[]> => {
  const objects = await paramsOf(environment, policy, binding, request);
  if (typeof objects === "string") return [failure("configuration", `failed to configure binding: ${objects}`)];
  return objects.flatMap((params) => {
    const variables = { ...given, params };
    const outcome = policy.conditions.evaluate(variables);
    if ("error" in outcome) return [failure("error", outcome.error)];
    return outcome.matches ? policy.violations(variables) : [];
  });
};

const check = async (
  environment: ExtensionEnvironment,
  rbac: Rbac,
  policy: Policy,
  bindings: readonly Binding[],
  request: AdmissionRequest,
): Promise<void> => {
  const { registry, store } = environment;
  const target: ResourceDefinition | undefined = matchedDefinition(policy.matching, request, registry.snapshot);
  if (target === undefined || !selectorsMatch(policy.matching, request, store)) return;
  const view = await admissionView(request, target);
  const variables = {
    ...admissionVariables(request, view, rbac),
    namespaceObject: namespaceObject(request, store) ?? null,
  };
  for (const binding of bindings.filter(({ spec }) => spec.policyName === policy.name)) {
    const matching = matchingOf(binding.spec.matchResources);
    if (matchedDefinition(matching, request, registry.snapshot) === undefined) continue;
    if (!selectorsMatch(matching, request, store)) continue;
    for (const violation of await violationsOf(environment, policy, binding.spec, request, variables)) {
      if (violation.type === "false" || policy.failurePolicy !== "Ignore") act(request, policy, binding, violation);
    }
  }
};

/** ValidatingAdmissionPolicies, where a binding puts them to use. They count from the moment their request is answered. */
export const admissionPolicies = (): ExtensionFactory => (environment) => {
  const { store } = environment;
  const rbac = createRbac(store);
  const policies = new Map<string, Policy>();
  const bindings = new Map<string, Binding>();
  const stops: (() => void)[] = [() => rbac.stop()];
  const follow = <T>(plural: string, into: Map<string, T>, read: (object: KubeObject) => T): void => {
    const stop = store.watch({ group: admissionGroup, plural }, ({ type, object }) => {
      const name = object.metadata.name ?? "";
      if (type === "DELETED") into.delete(name);
      else into.set(name, read(object));
    });
    stops.push(stop);
  };
  return {
    name: "admission-policies",
    admission: [
      {
        name: "ValidatingAdmissionPolicy",
        validate: async (request) => {
          if (policies.size === 0 || bindings.size === 0 || isExempt(request)) return;
          for (const policy of policies.values()) {
            await check(environment, rbac, policy, [...bindings.values()], request);
          }
        },
      },
    ],
    start: () => {
      follow("validatingadmissionpolicies", policies, compilePolicy);
      follow("validatingadmissionpolicybindings", bindings, (object) => ({
        name: object.metadata.name ?? "",
        spec: object["spec"] as BindingSpec,
      }));
    },
    stop: () => {
      for (const stop of stops) stop();
    },
  };
};
