import { isDnsSubdomain } from "@capstan/kube-values";
import type { KubeObject } from "@capstan/schema";
import { compileMatchConditions, type ExpressionScope, type MatchCondition } from "../../cel/admission-expressions.ts";
import { listOf, type Part, partOf, textOf } from "../../values/object-parts.ts";
import { between, type Causes, duplicate, invalid, oneOf, required } from "./causes.ts";

/** Hooks are named by a domain of three labels or more. */
const isHookName = (name: string): boolean => isDnsSubdomain(name) && name.split(".").length > 2;

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
export const conditionCauses = (scope: ExpressionScope, field: string, conditions: unknown): Causes =>
  compileMatchConditions(listOf(conditions).map(withExpression), { scope, field }).causes;

/** That a condition has no expression is said once, by the check for required fields. */
const withExpression = (condition: unknown): MatchCondition => {
  const { expression, name } = partOf(condition);
  return { name: textOf(name), expression: typeof expression === "string" ? expression : "true" };
};

const webhookCauses = (value: unknown, index: number): Causes => {
  const webhook = partOf(value);
  const field = `webhooks[${index}]`;
  const versions = listOf(webhook["admissionReviewVersions"]);
  const name = textOf(webhook["name"]);
  return [
    ...(isHookName(name)
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

export const configurationCauses = (object: KubeObject): Causes => {
  const webhooks = listOf(object["webhooks"]);
  return [...webhooks.flatMap(webhookCauses), ...nameCauses(webhooks)];
};
