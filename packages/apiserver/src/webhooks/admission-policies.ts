import { flowOf } from "@capstan/evaluation";
import type { KubeObject } from "@capstan/schema";
import { createRbac, type Rbac } from "../auth/rbac.ts";
import { selectorText } from "../values/selector.ts";
import type { AdmissionVariables } from "../cel/admission-expressions.ts";
import type { AdmissionRequest, ExtensionEnvironment, ExtensionFactory } from "../registry/extension.ts";
import { forbidden, StatusError } from "../model/status-error.ts";
import type { ResourceDefinition } from "../model/types.ts";
import { admissionVariables } from "./admission-variables.ts";
import { admissionView } from "./admission-view.ts";
import { admissionGroup, isExempt } from "./admission-webhooks.ts";
import { matchedDefinition, namespaceObject, selectorsMatch } from "./match-rules.ts";
import { policyFindings } from "./long-expressions.ts";
import {
  type BindingSpec,
  compilePolicy,
  type Findings,
  matchingOf,
  type Policy,
  type Violation,
  wholeViolation,
} from "./policy.ts";

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

/** What is told to the audit event; several values of one key are joined. */
class AuditNotes {
  readonly #values = new Map<string, Set<string>>();
  readonly #failures: unknown[] = [];

  add(policy: Policy, annotations: Findings["annotations"]): void {
    for (const [key, value] of annotations) {
      const name = `${policy.name}/${key}`;
      this.#values.set(name, (this.#values.get(name) ?? new Set<string>()).add(value));
    }
  }

  fail(policy: Policy, { name, spec }: Binding, { message, index }: Violation): void {
    const { validationActions } = spec;
    this.#failures.push({ message, policy: policy.name, binding: name, expressionIndex: index, validationActions });
  }

  report(request: AdmissionRequest): void {
    for (const [key, values] of this.#values) request.annotate?.(key, [...values].join(", "));
    const failed = "validation.policy.admission.k8s.io/validation_failure";
    if (this.#failures.length > 0) request.annotate?.(failed, JSON.stringify(this.#failures));
  }
}

const refusal = (request: AdmissionRequest, text: string, { message, reason }: Violation): StatusError => {
  const { status } = forbidden(request.definition, request.name, text);
  const details = { ...status.details, causes: [{ message }] };
  return new StatusError(codes[reason] ?? 422, reason, status.message ?? text, { details });
};

/** Carries out the validation actions of a binding. Throws for `Deny`. */
const act = (
  request: AdmissionRequest,
  policy: Policy,
  binding: Binding,
  violation: Violation,
  notes: AuditNotes,
): void => {
  const { name, spec } = binding;
  const { validationActions } = spec;
  const named = `ValidatingAdmissionPolicy '${policy.name}' with binding '${name}'`;
  // A binding that does not work refuses whatever its actions are.
  if (violation.type === "configuration" || validationActions.includes("Deny")) {
    throw refusal(request, `${named} denied request: ${violation.message}`, violation);
  }
  if (validationActions.includes("Audit")) notes.fail(policy, binding, violation);
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

const findingsOf = async (
  environment: ExtensionEnvironment,
  policy: Policy,
  binding: BindingSpec,
  request: AdmissionRequest,
  given: AdmissionVariables,
): Promise<Findings> => {
  const objects = await paramsOf(environment, policy, binding, request);
  if (typeof objects === "string") {
    return {
      violations: [wholeViolation("configuration", `failed to configure binding: ${objects}`)],
      annotations: [],
    };
  }
  const findings: Findings[] = [];
  const flow = flowOf(request.namespace, request.user.name);
  for (const params of objects) findings.push(await policyFindings(policy, { ...given, params }, flow));
  return {
    violations: findings.flatMap(({ violations }) => violations),
    annotations: findings.flatMap(({ annotations }) => annotations),
  };
};

const check = async (
  environment: ExtensionEnvironment,
  rbac: Rbac,
  policy: Policy,
  bindings: readonly Binding[],
  request: AdmissionRequest,
  notes: AuditNotes,
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
    const { violations, annotations } = await findingsOf(environment, policy, binding.spec, request, variables);
    notes.add(policy, annotations);
    for (const violation of violations) {
      if (violation.type === "false" || policy.failurePolicy !== "Ignore") {
        act(request, policy, binding, violation, notes);
      }
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
          const notes = new AuditNotes();
          try {
            for (const policy of policies.values()) {
              await check(environment, rbac, policy, [...bindings.values()], request, notes);
            }
          } finally {
            notes.report(request);
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
