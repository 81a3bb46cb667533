import { CapstanError } from "@capstan/contract";
import { type AuditLevel, auditLevels, type AuditStage, auditStages } from "./audit-event.ts";

interface GroupResources {
  readonly group?: string;
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
}

export interface AuditRule {
  readonly level: AuditLevel;
  readonly users?: readonly string[];
  readonly userGroups?: readonly string[];
  readonly verbs?: readonly string[];
  readonly resources?: readonly GroupResources[];
  readonly namespaces?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
  readonly omitStages?: readonly AuditStage[];
  readonly omitManagedFields?: boolean;
}

/** `Policy` of audit.k8s.io/v1: the first rule that matches a request decides; without one nothing is written. */
export interface AuditPolicy {
  readonly rules: readonly AuditRule[];
  readonly omitStages?: readonly AuditStage[];
  readonly omitManagedFields?: boolean;
}

/** Who did what, never with which content; nothing about health checks. */
export const defaultAuditPolicy: AuditPolicy = {
  omitStages: ["RequestReceived"],
  rules: [{ level: "None", nonResourceURLs: ["/healthz*", "/livez*", "/readyz*", "/version"] }, { level: "Metadata" }],
};

type Fields = Readonly<Record<string, unknown>>;

const refuse = (path: string, words: string): CapstanError =>
  new CapstanError({
    code: "apiserver.audit_policy_invalid",
    reason: "AuditPolicyInvalid",
    message: `the audit policy is wrong at ${path}: ${words}`,
    retry: { kind: "never" },
  });

const fields = (value: unknown, path: string, known: readonly string[]): Fields => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw refuse(path, "must be a mapping");
  const unknown = Object.keys(value).find((key) => !known.includes(key));
  if (unknown !== undefined) {
    throw refuse(`${path}.${unknown}`, `there is no such field; known are ${known.join(", ")}`);
  }
  return value as Fields;
};

const texts = (value: unknown, path: string, allowed?: readonly string[]): void => {
  if (value === undefined) return;
  if (!Array.isArray(value)) throw refuse(path, "must be a list of texts");
  for (const [index, entry] of value.entries()) {
    if (typeof entry !== "string") throw refuse(`${path}[${index}]`, "must be a text");
    if (allowed !== undefined && !allowed.includes(entry)) {
      throw refuse(`${path}[${index}]`, `must be one of ${allowed.join(", ")}`);
    }
  }
};

const flag = (value: unknown, path: string): void => {
  if (value !== undefined && typeof value !== "boolean") throw refuse(path, "must be true or false");
};

const lists = ["users", "userGroups", "verbs", "namespaces", "nonResourceURLs"] as const;

const checkRule = (value: unknown, path: string): void => {
  const rule = fields(value, path, ["level", "resources", "omitStages", "omitManagedFields", ...lists]);
  if (!auditLevels.includes(rule["level"] as AuditLevel)) {
    throw refuse(`${path}.level`, `must be one of ${auditLevels.join(", ")}`);
  }
  for (const list of lists) texts(rule[list], `${path}.${list}`);
  texts(rule["omitStages"], `${path}.omitStages`, auditStages);
  flag(rule["omitManagedFields"], `${path}.omitManagedFields`);
  const { resources = [], nonResourceURLs, namespaces } = rule;
  if (!Array.isArray(resources)) throw refuse(`${path}.resources`, "must be a list");
  for (const [index, entry] of (resources as unknown[]).entries()) {
    const at = `${path}.resources[${index}]`;
    const group = fields(entry, at, ["group", "resources", "resourceNames"]);
    if (group["group"] !== undefined && typeof group["group"] !== "string") {
      throw refuse(`${at}.group`, "must be a text");
    }
    texts(group["resources"], `${at}.resources`);
    texts(group["resourceNames"], `${at}.resourceNames`);
  }
  if (nonResourceURLs !== undefined && (resources.length > 0 || namespaces !== undefined)) {
    throw refuse(`${path}.nonResourceURLs`, "rules cannot be about resources and about other paths at once");
  }
};

/** Reads a parsed policy document. Throws `apiserver.audit_policy_invalid` naming the field. */
export const readAuditPolicy = (document: unknown): AuditPolicy => {
  const known = ["apiVersion", "kind", "metadata", "rules", "omitStages", "omitManagedFields"];
  const policy = fields(document, "the document", known);
  if (policy["apiVersion"] !== "audit.k8s.io/v1") throw refuse("apiVersion", "must be audit.k8s.io/v1");
  if (policy["kind"] !== "Policy") throw refuse("kind", "must be Policy");
  const { rules } = policy;
  if (!Array.isArray(rules) || rules.length === 0) throw refuse("rules", "must be a list of at least one rule");
  for (const [index, rule] of rules.entries()) checkRule(rule, `rules[${index}]`);
  texts(policy["omitStages"], "omitStages", auditStages);
  flag(policy["omitManagedFields"], "omitManagedFields");
  return policy as unknown as AuditPolicy;
};
