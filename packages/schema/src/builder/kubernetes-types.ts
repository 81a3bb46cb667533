import { list, map, object } from "./containers.ts";
import { optional } from "./node.ts";
import type { Node } from "./node.ts";
import { enumOf, int64, string, time } from "./scalars.ts";
import type { Described } from "./scalars.ts";

/** A condition as Kubernetes defines it (meta/v1). */
export interface Condition {
  readonly type: string;
  readonly status: "True" | "False" | "Unknown";
  /** PascalCase, never empty. */
  readonly reason: string;
  readonly message: string;
  /** RFC 3339; changes only with `status`. */
  readonly lastTransitionTime: string;
  readonly observedGeneration?: number;
}

const qualifiedName =
  "^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$";

/** Type of a condition: an optional DNS prefix and a name. */
export const conditionType = (options: Described & { readonly minLength?: number }): Node<string> =>
  string({ ...options, maxLength: 316, pattern: qualifiedName });

/** A list of conditions, one per type. */
export const conditions = (
  options: Partial<Described> & { readonly maxItems?: number } = {},
): Node<readonly Condition[]> =>
  list(
    object(
      {
        type: conditionType({ description: "What the condition is about." }),
        status: enumOf(["True", "False", "Unknown"], { description: "Whether it holds." }),
        reason: string({
          description: "Why it has this status, in one PascalCase word for programs.",
          minLength: 1,
          maxLength: 1024,
          pattern: "^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$",
        }),
        message: string({ description: "The same for people; may be empty.", maxLength: 32_768 }),
        lastTransitionTime: time({ description: "When the status last changed." }),
        observedGeneration: optional(
          int64({ description: "Generation of the object the condition was computed from.", minimum: 0 }),
        ),
      },
      { description: "One observation about the object." },
    ),
    { description: "Observations about the object, one per type.", ...options, keys: ["type"] },
  );

/** A condition of the first Cluster API generation. */
export interface LegacyCondition {
  readonly type: string;
  readonly status: string;
  /** `Error`, `Warning` or `Info`; only when the status is False. */
  readonly severity?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime: string;
}

/** Conditions of the first Cluster API generation, still read by older providers. */
export const legacyConditions = (options: Partial<Described> = {}): Node<readonly LegacyCondition[]> =>
  list(
    object(
      {
        type: string({ description: "What the condition is about.", minLength: 1, maxLength: 256 }),
        status: string({ description: "True, False or Unknown." }),
        severity: optional(
          string({ description: "Error, Warning or Info; set only when the status is False.", maxLength: 32 }),
        ),
        reason: optional(string({ description: "Why it has this status, in one word.", minLength: 1, maxLength: 256 })),
        message: optional(string({ description: "The same for people.", minLength: 1, maxLength: 10_240 })),
        lastTransitionTime: time({ description: "When the status last changed." }),
      },
      { description: "One observation about the object." },
    ),
    { description: "Conditions of the first API generation.", ...options },
  );

/** A reference with every field Kubernetes allows (core/v1). */
export interface ObjectReference {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly fieldPath?: string;
}

export const objectReference = (options: Described): Node<ObjectReference> =>
  object(
    {
      apiVersion: optional(string({ description: "Group and version of the referent." })),
      kind: optional(string({ description: "Kind of the referent." })),
      namespace: optional(string({ description: "Namespace of the referent." })),
      name: optional(string({ description: "Name of the referent." })),
      uid: optional(string({ description: "UID of the referent." })),
      resourceVersion: optional(string({ description: "Version of the referent the reference was made for." })),
      fieldPath: optional(string({ description: "Part of the referent that is meant." })),
    },
    { ...options, atomic: true },
  );

/** Names a Secret; the namespace defaults to the referrer's. */
export interface SecretReference {
  readonly name?: string;
  readonly namespace?: string;
}

export const secretReference = (options: Described): Node<SecretReference> =>
  object(
    {
      name: optional(string({ description: "Name of the Secret." })),
      namespace: optional(string({ description: "Namespace of the Secret; the referrer's own by default." })),
    },
    { ...options, atomic: true },
  );

/** Selects objects by label; empty selects all, both parts must match. */
export interface LabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly {
    readonly key: string;
    /** In, NotIn, Exists or DoesNotExist. */
    readonly operator: string;
    readonly values?: readonly string[];
  }[];
}

export const labelSelector = (options: Described): Node<LabelSelector> =>
  object(
    {
      matchLabels: optional(
        map(string({ description: "Value the label must have." }), { description: "Labels that must be equal." }),
      ),
      matchExpressions: optional(
        list(
          object(
            {
              key: string({ description: "Label the requirement is about." }),
              operator: string({ description: "In, NotIn, Exists or DoesNotExist." }),
              values: optional(
                list(string({ description: "One value." }), {
                  description: "Values for In and NotIn.",
                  type: "atomic",
                }),
              ),
            },
            { description: "One requirement." },
          ),
          { description: "Requirements that must all hold.", type: "atomic" },
        ),
      ),
    },
    { ...options, atomic: true },
  );
