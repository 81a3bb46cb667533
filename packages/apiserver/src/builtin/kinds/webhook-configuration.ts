import type { KubeObject } from "@capstan/schema";
import { compileAdmissionExpression, compileMatchConditions } from "../../cel/admission-expressions.ts";
import type { ExpressionScope, MatchCondition } from "../../cel/admission-expressions.ts";
import type { KindBehaviour } from "./kind-behaviour.ts";
import { between, duplicate, invalid, oneOf, required } from "../validation/causes.ts";
import type { Causes } from "../validation/causes.ts";
import { changed, filled, listOf, partOf, specOf, textOf, withSpec } from "../../values/object-parts.ts";
import type { Part } from "../../values/object-parts.ts";

const matchDefaults = { matchPolicy: "Equivalent", namespaceSelector: {}, objectSelector: {} };
const withScope = (rules: unknown): readonly unknown[] =>
  listOf(rules).map((rule) => filled(partOf(rule), { scope: "*" }));

const webhookDefaults = (value: unknown, extra: Part): unknown => {
  const webhook = filled(partOf(value), { failurePolicy: "Fail", timeoutSeconds: 10, ...matchDefaults, ...extra });
  const reached = changed(webhook, "clientConfig", (config) =>
    changed(partOf(config), "service", (service) => filled(partOf(service), { port: 443 })),
  );
  return changed(reached, "rules", withScope);
};

const hookName = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?){2,}$/;

const clientCauses = (field: string, config: Part): Causes => {
  const url = textOf(config["url"]);
  const hasService = config["service"] !== undefined;
  if ((url !== "") === hasService) {
    return [required(field, "exactly one of url or service is required")];
  }
  return url !== "" && !/^https:\/\/[^/?#@]+(\/[^?#]*)?$/.test(url)
    ? [invalid(`${field}.url`, url, "must be an https URL without user, query and fragment")]
    : [];
};

const ruleCauses = (field: string, rule: Part): Causes => {
  const operations = listOf(rule["operations"]);
  return [
    ...["operations", "apiGroups", "apiVersions", "resources"]
      .filter((name) => listOf(rule[name]).length === 0)
      .map((name) => required(`${field}.${name}`)),
    ...operations.flatMap((operation, index) =>
      oneOf(`${field}.operations[${index}]`, operation, ["*", "CREATE", "UPDATE", "DELETE", "CONNECT"]),
    ),
    ...oneOf(`${field}.scope`, rule["scope"], ["*", "Cluster", "Namespaced"]),
  ];
};

/** Mistakes in the expressions of match conditions. */
const conditionCauses = (scope: ExpressionScope, field: string, conditions: unknown): Causes =>
  compileMatchConditions(listOf(conditions) as readonly MatchCondition[], { scope, field }).causes;

const webhookCauses = (value: unknown, index: number): Causes => {
  const webhook = partOf(value);
  const field = `webhooks[${index}]`;
  const versions = listOf(webhook["admissionReviewVersions"]);
  const name = textOf(webhook["name"]);
  return [
    ...(hookName.test(name)
      ? []
      : [invalid(`${field}.name`, name, "should be a domain with at least three segments separated by dots")]),
    ...(webhook["sideEffects"] === undefined
      ? [required(`${field}.sideEffects`, "must specify one of None, NoneOnDryRun")]
      : oneOf(`${field}.sideEffects`, webhook["sideEffects"], ["None", "NoneOnDryRun"])),
    ...clientCauses(`${field}.clientConfig`, partOf(webhook["clientConfig"])),
    ...(versions.length === 0
      ? [required(`${field}.admissionReviewVersions`, "must specify one of v1, v1beta1")]
      : versions.includes("v1") || versions.includes("v1beta1")
        ? []
        : [invalid(`${field}.admissionReviewVersions`, versions, "must include at least one of v1, v1beta1")]),
    ...oneOf(`${field}.failurePolicy`, webhook["failurePolicy"], ["Fail", "Ignore"]),
    ...oneOf(`${field}.matchPolicy`, webhook["matchPolicy"], ["Exact", "Equivalent"]),
    ...oneOf(`${field}.reinvocationPolicy`, webhook["reinvocationPolicy"], ["Never", "IfNeeded"]),
    ...between(`${field}.timeoutSeconds`, webhook["timeoutSeconds"], 1, 30),
    ...listOf(webhook["rules"]).flatMap((rule, position) => ruleCauses(`${field}.rules[${position}]`, partOf(rule))),
    ...conditionCauses("webhook", `${field}.matchConditions`, webhook["matchConditions"]),
  ];
};

/** Names that an earlier entry has. */
const nameCauses = (webhooks: readonly unknown[]): Causes => {
  const names = webhooks.map((webhook) => partOf(webhook)["name"]);
  return names.flatMap((name, index) =>
    names.indexOf(name) < index ? [duplicate(`webhooks[${index}].name`, name)] : [],
  );
};

const configurations = (extra: Part): KindBehaviour => ({
  applyDefaults: (object) =>
    changed(object, "webhooks", (webhooks) =>
      listOf(webhooks).map((webhook) => webhookDefaults(webhook, extra)),
    ) as KubeObject,
  strategy: {
    validate: (object) => {
      const webhooks = listOf(object["webhooks"]);
      return [...webhooks.flatMap(webhookCauses), ...nameCauses(webhooks)];
    },
  },
});

export const validatingWebhooks = configurations({});
export const mutatingWebhooks = configurations({ reinvocationPolicy: "Never" });

const withMatchDefaults = (value: unknown): unknown => {
  const match = filled(partOf(value), matchDefaults);
  return changed(changed(match, "resourceRules", withScope), "excludeResourceRules", withScope);
};

const expressionCauses = (field: string, expression: unknown, result?: "bool" | "string"): Causes => {
  if (typeof expression !== "string") return [];
  const compiled = compileAdmissionExpression(expression, { scope: "policy", field, ...(result && { result }) });
  return "cause" in compiled ? [compiled.cause] : [];
};

/** Mistakes in the expressions of a policy. */
const policyExpressionCauses = (spec: Part): Causes => [
  ...conditionCauses("policy", "spec.matchConditions", spec["matchConditions"]),
  ...listOf(spec["variables"]).flatMap((variable, index) =>
    expressionCauses(`spec.variables[${index}].expression`, partOf(variable)["expression"]),
  ),
  ...listOf(spec["validations"]).flatMap((validation, index) => {
    const { expression, messageExpression } = partOf(validation);
    return [
      ...expressionCauses(`spec.validations[${index}].expression`, expression, "bool"),
      ...expressionCauses(`spec.validations[${index}].messageExpression`, messageExpression, "string"),
    ];
  }),
];

export const admissionPolicies: KindBehaviour = {
  applyDefaults: (object) =>
    withSpec(object, changed(filled(specOf(object), { failurePolicy: "Fail" }), "matchConstraints", withMatchDefaults)),
  strategy: {
    prepareForCreate: (object) => ({ ...object, status: {} }),
    validate: (object) => {
      const spec = specOf(object);
      const decides = listOf(spec["validations"]).length + listOf(spec["auditAnnotations"]).length > 0;
      return [
        ...(decides
          ? []
          : [required("spec.validations", "validations or auditAnnotations must contain at least one item")]),
        ...(spec["matchConstraints"] === undefined ? [required("spec.matchConstraints")] : []),
        ...(listOf(partOf(spec["matchConstraints"])["resourceRules"]).length === 0
          ? [required("spec.matchConstraints.resourceRules")]
          : []),
        ...oneOf("spec.failurePolicy", spec["failurePolicy"], ["Fail", "Ignore"]),
        ...policyExpressionCauses(spec),
      ];
    },
  },
  subresources: [{ name: "status", verbs: ["get", "patch", "update"], behaviour: { type: "status" } }],
};

export const admissionPolicyBindings: KindBehaviour = {
  applyDefaults: (object) => withSpec(object, changed(specOf(object), "matchResources", withMatchDefaults)),
  strategy: {
    validate: (object) => {
      const actions = listOf(specOf(object)["validationActions"]);
      return [
        ...(actions.length === 0 ? [required("spec.validationActions")] : []),
        ...actions.flatMap((action, index) =>
          oneOf(`spec.validationActions[${index}]`, action, ["Audit", "Deny", "Warn"]),
        ),
      ];
    },
  },
};
