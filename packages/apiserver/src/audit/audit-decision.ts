import type { RequestInfo, User } from "../model/types.ts";
import { type AuditLevel, auditLevels, type AuditStage } from "./audit-event.ts";
import type { AuditPolicy, AuditRule } from "./audit-policy.ts";

export interface AuditDecision {
  readonly level: AuditLevel;
  readonly omitStages: ReadonlySet<AuditStage>;
  readonly omitManagedFields: boolean;
  /** Messages may repeat parts of the body, so they are not written where that is secret. */
  readonly omitMessages: boolean;
}

/** Kinds whose contents are secrets by themselves: their bodies are never written, whatever the policy says. */
const secret = new Set(["/secrets", "/serviceaccounts/token", "authentication.k8s.io/tokenreviews"]);

const resourceMatches = (pattern: string, { resource, subresource }: RequestInfo): boolean => {
  const combined = subresource === "" ? resource : `${resource}/${subresource}`;
  return (
    pattern === "*" ||
    pattern === combined ||
    (subresource !== "" && pattern === `*/${subresource}`) ||
    pattern === `${resource}/*`
  );
};

const isAboutResource = ({ resources = [], namespaces = [] }: AuditRule, info: RequestInfo): boolean => {
  if (!info.isResource || (namespaces.length > 0 && !namespaces.includes(info.namespace))) return false;
  return (
    resources.length === 0 ||
    resources.some(
      ({ group = "", resources: patterns = [], resourceNames = [] }) =>
        group === info.group &&
        (patterns.length === 0 || patterns.some((pattern) => resourceMatches(pattern, info))) &&
        (resourceNames.length === 0 || resourceNames.includes(info.name)),
    )
  );
};

const isAboutPath = ({ nonResourceURLs = [] }: AuditRule, { isResource, path }: RequestInfo): boolean =>
  !isResource &&
  nonResourceURLs.some((pattern) => (pattern.endsWith("*") ? path.startsWith(pattern.slice(0, -1)) : path === pattern));

const matches = (rule: AuditRule, user: User, info: RequestInfo): boolean => {
  const { users = [], userGroups = [], verbs = [], resources = [], namespaces = [], nonResourceURLs = [] } = rule;
  if (users.length > 0 && !users.includes(user.name)) return false;
  if (userGroups.length > 0 && !userGroups.some((group) => user.groups.includes(group))) return false;
  if (verbs.length > 0 && !verbs.includes(info.verb)) return false;
  if (resources.length > 0 || namespaces.length > 0) return isAboutResource(rule, info);
  return nonResourceURLs.length === 0 || isAboutPath(rule, info);
};

/** Returns the decision of a policy about a request. */
export const auditDecision = (policy: AuditPolicy, user: User, info: RequestInfo): AuditDecision => {
  const rule = policy.rules.find((candidate) => matches(candidate, user, info));
  const level = rule?.level ?? "None";
  const name = `${info.group}/${info.resource}${info.subresource === "" ? "" : `/${info.subresource}`}`;
  const isSecret = secret.has(name);
  const isCapped = isSecret && auditLevels.indexOf(level) > auditLevels.indexOf("Metadata");
  return {
    level: isCapped ? "Metadata" : level,
    omitStages: new Set([...(policy.omitStages ?? []), ...(rule?.omitStages ?? [])]),
    omitMessages: isSecret,
    omitManagedFields: rule?.omitManagedFields ?? policy.omitManagedFields ?? false,
  };
};
