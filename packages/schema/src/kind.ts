import { isOptional, node, nodeOf } from "./builder/node.ts";
import type { Field, OptionalField, TypeOf } from "./builder/node.ts";
import type { ObjectMeta, Resource } from "./resource.ts";
import { own } from "./structural/json.ts";
import type { StructuralSchema, ValidationRule } from "./structural/structural-schema.ts";

/** A column of `kubectl get`. */
export interface PrinterColumn {
  readonly name: string;
  /** JSON path that starts with a dot. */
  readonly path: string;
  /** Default `string`. */
  readonly type?: "boolean" | "date" | "integer" | "number" | "string";
  readonly format?: string;
  readonly description?: string;
  /** Above 0: shown with `-o wide` only. */
  readonly priority?: number;
}

/** Paths of the scale subresource. */
export interface ScalePaths {
  readonly specReplicas: string;
  readonly statusReplicas: string;
  readonly labelSelector?: string;
}

/** Target of a reference: a kind by its group and plural. */
export type ReferenceTarget = Pick<Resource, "group" | "plural">;

/** A field that names an object, perhaps in another namespace: `name` and `namespace` are members of it. */
export interface DeclaredReference {
  /** Dotted path from the root of the object; `[*]` stands for every item of a list or map: `spec.rules[*].sourceRef`. */
  readonly path: string;
  /** The kind that is named; a function where the reference says it itself. */
  readonly target: ReferenceTarget | ((reference: Readonly<Record<string, unknown>>) => ReferenceTarget);
  /** Verbs of which whoever writes the reference must have one on an object in another namespace. */
  readonly verbs: readonly string[];
  /**
   * Dotted path of the part of the object that says what is done with what is named, such as where a password is sent, or several of them:
   * whoever changes it needs the right as well. Default: none.
   */
  readonly boundTo?: string | readonly string[];
}

/** A reference to a Secret that is read. */
export const readsSecret = (path: string): DeclaredReference => ({
  path,
  target: { group: "", plural: "secrets" },
  verbs: ["get"],
});

/** A reference to a ConfigMap that is read. */
export const readsConfigMap = (path: string): DeclaredReference => ({
  path,
  target: { group: "", plural: "configmaps" },
  verbs: ["get"],
});

/** The references of a kind as they stand in its template. */
export const inTemplate = (references: readonly DeclaredReference[]): readonly DeclaredReference[] =>
  references.map(({ boundTo, path, ...reference }) => ({
    ...reference,
    path: templatePath(path),
    ...(boundTo !== undefined && { boundTo: [boundTo].flat().map(templatePath) }),
  }));

const templatePath = (path: string): string => path.replace(/^spec\./, "spec.template.spec.");

/** Everything about one version of a kind except the types of `spec` and `status`. */
export interface KindFacts {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** Lower-case plural, as in URLs. */
  readonly plural: string;
  /** Default: the kind in lower case. */
  readonly singular?: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  /** Default `Namespaced`. */
  readonly scope?: "Namespaced" | "Cluster";
  readonly description: string;
  readonly columns?: readonly PrinterColumn[];
  /** Serve `/status`. Default: when the kind has a status. */
  readonly statusSubresource?: boolean;
  readonly scale?: ScalePaths;
  /** Fields that may name objects in other namespaces. */
  readonly references?: readonly DeclaredReference[];
  /** JSON paths that field selectors may use. */
  readonly selectableFields?: readonly string[];
  /** True if the schema names `metadata` as required, which the API server demands anyway. Default false. */
  readonly metadataRequired?: boolean;
  /** CEL rules over the whole object; of `metadata` they see name and generateName only. */
  readonly rules?: readonly ValidationRule[];
  /** Labels of the CustomResourceDefinition, for example the contract versions. */
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  /** Default true. */
  readonly served?: boolean;
  /** Default true; exactly one version of a kind is stored. */
  readonly storage?: boolean;
  /** True, or the warning clients are shown. */
  readonly deprecated?: boolean | string;
  /** Other versions of the same kind, oldest first; they are made with `kind()` too and `storage: false`. */
  readonly versions?: readonly Kind[];
  /** Conversion between versions. Default `none`: only apiVersion changes. */
  readonly conversion?: "none" | "webhook";
}

/** The type of a whole object of a kind. */
export type KindObject<S extends Field, T extends Field | undefined> = {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
} & (S extends OptionalField ? { readonly spec?: TypeOf<S> } : { readonly spec: TypeOf<S> }) &
  (T extends Field ? { readonly status?: TypeOf<T> } : unknown) extends infer O
  ? { readonly [K in keyof O]: O[K] }
  : never;

/**
 * One version of a kind: a `Resource` for every client call, and all that is needed to yield its definition.
 * `type Machine = typeof Machine.Type` (or `KindType<typeof Machine>`) is the static type of one object.
 */
export interface Kind<T = unknown> extends Omit<Resource, "Type">, KindFacts {
  readonly singular: string;
  /** The schema of the whole object. */
  readonly schema: StructuralSchema;
  readonly storage: boolean;
  readonly served: boolean;
  readonly statusSubresource: boolean;
  /** Phantom: never present at run time. */
  readonly Type: T;
}

/** The type of one object of a kind. */
export type KindType<K extends { readonly Type?: unknown }> = Exclude<K["Type"], undefined>;

const described = (field: Field, description: string): StructuralSchema => ({ description, ...nodeOf(field) });

/**
 * Declares one version of a kind. Spec is required in every object unless it is `optional()`; status never is.
 * Nothing is checked here: `checkKind` names what the API server or a reader would not accept.
 */
export const kind = <const S extends Field, const T extends Field | undefined = undefined>(
  options: KindFacts & { readonly spec: S; readonly status?: T },
): Kind<KindObject<S, T>> => {
  const { spec, status, ...facts } = options;
  const required = [...(facts.metadataRequired === true ? ["metadata"] : []), ...(isOptional(spec) ? [] : ["spec"])];
  const schema = node({
    description: facts.description,
    type: "object",
    ...(required.length > 0 && { required }),
    properties: {
      apiVersion: { type: "string", description: "Group and version of this representation of the object." },
      kind: { type: "string", description: "Kind of the object." },
      // The API server refuses anything more here, even a description.
      metadata: { type: "object" },
      spec: described(spec, "Desired state; written by users."),
      ...(status !== undefined && { status: described(status, "Observed state; written by controllers.") }),
    },
    ...(facts.rules !== undefined && { "x-kubernetes-validations": facts.rules }),
  });
  return Object.freeze({
    ...facts,
    singular: facts.singular ?? facts.kind.toLowerCase(),
    namespaced: (facts.scope ?? "Namespaced") === "Namespaced",
    served: facts.served ?? true,
    storage: facts.storage ?? true,
    statusSubresource: facts.statusSubresource ?? status !== undefined,
    schema,
  }) as Kind<KindObject<S, T>>;
};

/** Tells a kind, of which a definition can be made, from a resource known by name only. */
export const isKind = (resource: Pick<Resource, "kind">): resource is Kind => "schema" in resource;

const anything: StructuralSchema = { "x-kubernetes-preserve-unknown-fields": true };

/** The schema of a part of objects; `undefined` for one that is cut off. */
const partOf = (of: StructuralSchema | undefined, name: string): StructuralSchema | undefined => {
  const more = of?.additionalProperties;
  const keepsUnknown = of?.["x-kubernetes-preserve-unknown-fields"] === true || more === true;
  return own(of?.properties, name) ?? (typeof more === "object" ? more : keepsUnknown ? anything : undefined);
};

/** Returns whether objects of a kind have a field, by its dotted path (`status.ready`). A resource that is known by name only may have any. */
export const mayHaveField = (resource: Pick<Resource, "kind">, path: string): boolean =>
  !isKind(resource) || path.split(".").reduce<StructuralSchema | undefined>(partOf, resource.schema) !== undefined;
