import type { KubeObject } from "@capstan/schema";
import { selectorMatches } from "../values/selector.ts";
import type { AdmissionRequest } from "../registry/extension.ts";
import type { RegistrySnapshot, ResourceDefinition, ResourceStore } from "../model/types.ts";

/** Which requests a hook or a policy is about; `*` stands for everything. */
export interface Rule {
  readonly operations?: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly apiVersions?: readonly string[];
  /** `pods`, `pods/status`, `pods/*`, `*` (no subresources), `*` + `/scale`, `*` + `/*`. */
  readonly resources?: readonly string[];
  readonly scope?: string;
  /** Policies only; empty means every name. */
  readonly resourceNames?: readonly string[];
}

/** What a webhook, a policy or a binding matches. */
export interface Matching {
  readonly rules: readonly Rule[];
  readonly excludeRules?: readonly Rule[];
  readonly matchPolicy?: string;
  readonly namespaceSelector?: unknown;
  readonly objectSelector?: unknown;
}

type Subject = Pick<AdmissionRequest, "operation" | "subresource" | "namespace" | "name">;
type Resource = Pick<ResourceDefinition, "group" | "version" | "plural" | "namespaced">;

const lists = (values: readonly string[] | undefined, value: string): boolean =>
  values !== undefined && (values.includes("*") || values.includes(value));

const listsResource = (resources: readonly string[] = [], plural: string, subresource: string): boolean =>
  resources.some((text) => {
    const [resource, part = ""] = text.split("/");
    return (resource === "*" || resource === plural) && (part === subresource || (part === "*" && text.includes("/")));
  });

/** Namespaces themselves count as cluster-scoped. */
const inScope = (scope: string, namespaced: boolean): boolean =>
  scope === "*" || (scope === "Namespaced") === namespaced;

/** Returns whether a rule is about a request for exactly this version of the resource. */
export const ruleMatches = (rule: Rule, subject: Subject, resource: Resource): boolean =>
  lists(rule.operations, subject.operation) &&
  lists(rule.apiGroups, resource.group) &&
  lists(rule.apiVersions, resource.version) &&
  listsResource(rule.resources, resource.plural, subject.subresource) &&
  inScope(rule.scope ?? "*", resource.namespaced) &&
  ((rule.resourceNames ?? []).length === 0 || rule.resourceNames?.includes(subject.name) === true);

/**
 * The definition as which a hook wants to see the request: the request's own, or with `Equivalent` another version of the same
 * objects. `undefined` when no rule is about it.
 */
export const matchedDefinition = (
  { rules, excludeRules = [], matchPolicy = "Equivalent" }: Matching,
  request: AdmissionRequest,
  snapshot: RegistrySnapshot,
): ResourceDefinition | undefined => {
  const { definition } = request;
  const others =
    matchPolicy === "Exact"
      ? []
      : snapshot.definitions.filter(
          (other) => other !== definition && other.storage.store === definition.storage.store,
        );
  const candidates = [definition, ...others];
  const excluded = excludeRules.some((rule) => candidates.some((candidate) => ruleMatches(rule, request, candidate)));
  if (excluded) return undefined;
  return candidates.find((candidate) => rules.some((rule) => ruleMatches(rule, request, candidate)));
};

const isEmpty = (selector: unknown): boolean => Object.keys(selector ?? {}).length === 0;

const isNamespace = ({ definition }: AdmissionRequest): boolean =>
  definition.group === "" && definition.plural === "namespaces";

/** The namespace an admission request belongs to; a Namespace belongs to itself. */
export const namespaceOf = (request: AdmissionRequest): string =>
  isNamespace(request) ? request.name : request.namespace;

/** The object of `namespaceOf`, as it will be when the request is about it. */
export const namespaceObject = (request: AdmissionRequest, store: ResourceStore): KubeObject | undefined => {
  if (isNamespace(request) && request.object !== undefined) return request.object;
  const name = namespaceOf(request);
  return name === "" ? undefined : store.peek({ group: "", plural: "namespaces" }, { name });
};

/** Returns whether the selectors choose the request: its namespace, and the new or the old object. */
export const selectorsMatch = (
  { namespaceSelector, objectSelector }: Matching,
  request: AdmissionRequest,
  store: ResourceStore,
): boolean => {
  if (!isEmpty(objectSelector)) {
    const states = [request.object, request.oldObject].filter((state) => state !== undefined);
    if (!states.some(({ metadata }) => selectorMatches(objectSelector, metadata.labels ?? {}))) return false;
  }
  if (isEmpty(namespaceSelector) || (!request.definition.namespaced && !isNamespace(request))) return true;
  const namespace = namespaceObject(request, store);
  return namespace !== undefined && selectorMatches(namespaceSelector, namespace.metadata.labels ?? {});
};
