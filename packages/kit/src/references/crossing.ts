import { byText } from "@capstan/kube-values";
import { canonicalJson } from "@capstan/schema/structural";
import {
  type DeclaredReference,
  isJsonObject,
  isKind,
  type JsonObject,
  type KubeObject,
  type Resource,
} from "@capstan/schema";

/** A field that references an object in another namespace, and the permission that its writer needs on that object. */
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
  /** The declared field, which is the same in a template and in what is made from it. */
  readonly place: string;
  /** The part of the object that the reference is bound to. */
  readonly bound?: string;
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

/** Returns the values that a reference is bound to, as a text; members in any order give the same one. */
const boundPart = (object: KubeObject, boundTo: string | readonly string[]): string => {
  const parts = [boundTo].flat().map((path) => placesAt(object, path).map(({ value }) => value));
  return canonicalJson(parts.length === 1 ? parts[0] : parts);
};

const crossingOf = (
  { boundTo, path, target, verbs }: DeclaredReference,
  { field, value: reference }: Place & { readonly value: JsonObject },
  object: KubeObject,
): Crossing | undefined => {
  const named = textOf(reference["namespace"]);
  if (named === "" || named === (object.metadata.namespace ?? "")) return undefined;
  const { group, plural: resource } = typeof target === "function" ? target(reference) : target;
  const place = path.replace(/^spec\.template\.spec\./, "spec.");
  const bound = boundTo === undefined ? {} : { bound: boundPart(object, boundTo) };
  return { field, place, verbs, group, resource, namespace: named, name: textOf(reference["name"]), ...bound };
};

/** References of a kind that may name objects in other namespaces. */
export const declaredReferences = (kind: Pick<Resource, "kind">): readonly DeclaredReference[] =>
  isKind(kind) ? (kind.references ?? []) : [];

/** The references of an object into other namespaces, by the declarations of its kind; the object is of the version that `kind` is. */
export const crossingReferences = (kind: Pick<Resource, "kind">, object: KubeObject): readonly Crossing[] =>
  declaredReferences(kind).flatMap((declared) =>
    placesAt(object, declared.path).flatMap(({ field, value }) =>
      isJsonObject(value) ? (crossingOf(declared, { field, value }, object) ?? []) : [],
    ),
  );

/** Returns the permission that a crossing asks for, with the values that it is bound to. */
const rightOf = ({ bound, verbs, group, resource, namespace, name }: Crossing): string =>
  JSON.stringify([verbs, group, resource, namespace, name, ...(bound === undefined ? [] : [bound])]);

/** The same for the field in which it stands: a right to have something done with a Secret is none to have it done otherwise. */
export const useOf = (crossing: Crossing): string => `${crossing.place} ${rightOf(crossing)}`;

/** The rights of some crossings, each once, in order. */
export const rightsOf = (crossings: readonly Crossing[]): readonly string[] =>
  [...new Set(crossings.map(rightOf))].toSorted(byText);

/** In a message: `get secrets`. */
export const deedOf = ({ verbs, group, resource }: Crossing): string =>
  `${verbs.join(" or ")} ${group === "" ? resource : `${resource}.${group}`}`;
