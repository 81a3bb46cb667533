import { isJsonObject } from "@capstan/schema";
import type { KubeObject } from "@capstan/schema";
import type { Tags } from "./resource-tags.ts";

/** On an AzureCluster: the tags of `spec.additionalTags` as they were applied last, as JSON. */
const tagsAnnotation = "sigs.k8s.io/cluster-api-provider-azure-last-applied-tags-rg";
/** On an AzureCluster: the rules of its security groups as they were applied last, as JSON: group, rule, description. */
const rulesAnnotation = "sigs.k8s.io/cluster-api-provider-azure-last-applied-security-rules";

/** Annotations of this file. */
export const lastAppliedAnnotations = [tagsAnnotation, rulesAnnotation] as const;

/** Entries that were applied last. One that is no longer in the spec was ours, and is removed. All other entries are another user's. */
export interface LastApplied {
  readonly tags: Tags;
  /** Descriptions by security group and rule. */
  readonly rules: Readonly<Record<string, Tags>>;
}

const parsed = (text: string | undefined): Readonly<Record<string, unknown>> => {
  if (text === undefined) return {};
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : {};
  } catch (error) {
    // Another user wrote there: then nothing is known.
    if (error instanceof SyntaxError) return {};
    throw error;
  }
};

const textsIn = (value: unknown): Tags =>
  Object.fromEntries(
    Object.entries(isJsonObject(value) ? value : {}).flatMap(([key, text]) =>
      typeof text === "string" ? [[key, text]] : [],
    ),
  );

/** Parses the annotations of an object. */
export const readLastApplied = ({ metadata: { annotations = {} } }: KubeObject): LastApplied => ({
  tags: textsIn(parsed(annotations[tagsAnnotation])),
  rules: Object.fromEntries(
    Object.entries(parsed(annotations[rulesAnnotation])).map(([group, rules]) => [group, textsIn(rules)]),
  ),
});

const isEmpty = (value: object): boolean => Object.keys(value).length === 0;

/** Facts that say what is applied. Until it is, what was applied before stays known beside it. */
export const lastAppliedFacts = (
  before: LastApplied,
  now: LastApplied,
  { isDone }: { readonly isDone: boolean },
): Readonly<Record<string, string>> => {
  const groups = [...new Set([...Object.keys(before.rules), ...Object.keys(now.rules)])];
  const tags = isDone ? now.tags : { ...before.tags, ...now.tags };
  const rules = isDone
    ? now.rules
    : Object.fromEntries(groups.map((group) => [group, { ...before.rules[group], ...now.rules[group] }]));
  return {
    ...(isEmpty(before.tags) && isEmpty(tags) ? {} : { [tagsAnnotation]: JSON.stringify(tags) }),
    ...(isEmpty(before.rules) && isEmpty(rules) ? {} : { [rulesAnnotation]: JSON.stringify(rules) }),
  };
};
