import { byText } from "@capstan/kube-values";
import {
  type DeclaredReference,
  isJsonObject,
  isKind,
  type JsonObject,
  type KubeObject,
  type Resource,
} from "@capstan/schema";

/** A field that names an object of another namespace, and what somebody must be allowed to do with that to name it there. */
export interface Crossing {
  /** The field, such as `spec.clientSecret`. */
  readonly field: string;
  /** One of them is enough. */
  readonly verbs: readonly string[];
  readonly group: string;
  /** Lower-case plural. */
  readonly resource: string;
  readonly namespace: string;
  /** Empty: the reference has no name, and may come to mean any. */
  readonly name: string;
}

interface Place {
  readonly field: string;
  readonly value: unknown;
}

const itemsOf = ({ field, value }: Place): readonly Place[] => {
  if (Array.isArray(value)) return value.map((item, index) => ({ field: `${field}[${index}]`, value: item }));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).map(([key, item]) => ({ field: `${field}[${key}]`, value: item }));
};

const memberOf = ({ field, value }: Place, name: string): readonly Place[] =>
  isJsonObject(value) && Object.hasOwn(value, name)
    ? [{ field: field === "" ? name : `${field}.${name}`, value: value[name] }]
    : [];

const placesAt = (object: KubeObject, path: string): readonly Place[] => {
  const start: readonly Place[] = [{ field: "", value: object }];
  return path
    .replaceAll("[*]", ".*")
    .split(".")
    .reduce((places, step) => {
      return places.flatMap((place) => (step === "*" ? itemsOf(place) : memberOf(place, step)));
    }, start);
};

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

const crossingOf = (
  { target, verbs }: DeclaredReference,
  field: string,
  reference: JsonObject,
  namespace: string,
): Crossing | undefined => {
  const named = textOf(reference["namespace"]);
  if (named === "" || named === namespace) return undefined;
  const { group, plural: resource } = typeof target === "function" ? target(reference) : target;
  return { field, verbs, group, resource, namespace: named, name: textOf(reference["name"]) };
};

/** References of a kind that may name objects in other namespaces. */
export const declaredReferences = (kind: Pick<Resource, "kind">): readonly DeclaredReference[] =>
  isKind(kind) ? (kind.references ?? []) : [];

/** The references of an object into other namespaces, by the declarations of its kind; the object is of the version that `kind` is. */
export const crossingReferences = (kind: Pick<Resource, "kind">, object: KubeObject): readonly Crossing[] =>
  declaredReferences(kind).flatMap((declared) =>
    placesAt(object, declared.path).flatMap(({ field, value }) =>
      isJsonObject(value) ? (crossingOf(declared, field, value, object.metadata.namespace ?? "") ?? []) : [],
    ),
  );

/** What a crossing asks for, wherever in the object it stands. */
export const rightOf = ({ verbs, group, resource, namespace, name }: Crossing): string =>
  JSON.stringify([verbs, group, resource, namespace, name]);

/** The rights of some crossings, each once, in order. */
export const rightsOf = (crossings: readonly Crossing[]): readonly string[] =>
  [...new Set(crossings.map(rightOf))].toSorted(byText);

/** In a message: `get secrets`. */
export const deedOf = ({ verbs, group, resource }: Crossing): string =>
  `${verbs.join(" or ")} ${group === "" ? resource : `${resource}.${group}`}`;
