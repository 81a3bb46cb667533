import { Annotation } from "@capstan/contract";
import type { KubeObject, Resource } from "@capstan/schema";
import { type Crossing, crossingReferences, declaredReferences, deedOf, useOf } from "./crossing.ts";
import { admittedReferencesAnnotation, hasReferenceMark, referenceMark, withMark } from "./mark.ts";

/** Who sent a request, as the API server says. */
export interface RequestUser {
  readonly username: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** Dependencies of the admission of references. */
export interface ReferenceAdmission {
  /** The key of the installation's marks. Throws where there is none. */
  readonly key: () => Promise<Uint8Array>;
  /** Returns whether a user may do what a reference needs. */
  readonly may: (user: RequestUser, verb: string, target: Crossing) => Promise<boolean>;
  /** A template, in the version of the kind that comes with it; `undefined` when there is none, or the kind is not known. */
  readonly template: (
    kind: { readonly group: string; readonly kind: string },
    key: { readonly namespace: string; readonly name: string },
  ) => Promise<{ readonly kind: Resource; readonly object: KubeObject } | undefined>;
}

/** A write, with the object as it is to be stored but for its mark. */
export interface ReferenceWrite<T extends KubeObject = KubeObject> {
  readonly object: T;
  /** Before an update. */
  readonly old?: KubeObject | undefined;
  readonly user: RequestUser;
}

/** The object with its mark; or why its references may not be written. */
export type AdmittedReferences<T extends KubeObject = KubeObject> =
  | { readonly object: T; readonly warnings: readonly string[] }
  | { readonly denied: string };

const accountPrefix = "system:serviceaccount:";
const everything = "system:masters";

/** Controllers make objects from templates that others wrote: what such an account may do itself says nothing of those. */
const mayBeController = ({ username, groups }: RequestUser): boolean =>
  username.startsWith(accountPrefix) || groups.includes(everything);

const templateOf = ({ metadata }: KubeObject): { kind: { group: string; kind: string }; name: string } | undefined => {
  const { [Annotation.clonedFromName]: name, [Annotation.clonedFromGroupKind]: groupKind = "" } =
    metadata.annotations ?? {};
  const dot = groupKind.indexOf(".");
  if (name === undefined || dot < 0) return undefined;
  return { name, kind: { kind: groupKind.slice(0, dot), group: groupKind.slice(dot + 1) } };
};

const usesOf = (kind: Resource, object: KubeObject): ReadonlySet<string> =>
  new Set(crossingReferences(kind, object).map(useOf));

/** Returns whether objects of a kind are made from templates of another, or templates from templates. */
const isTemplateOf = (
  template: { readonly group: string; readonly kind: string },
  { group, kind }: Resource,
): boolean => template.group === group && template.kind === (kind.endsWith("Template") ? kind : `${kind}Template`);

/** Returns the crossings that the template of a clone was admitted with. */
const templateUses = async (
  made: Resource,
  { object }: ReferenceWrite,
  { key, template }: ReferenceAdmission,
): Promise<ReadonlySet<string>> => {
  const { kind, name = "" } = templateOf(object) ?? {};
  const namespace = object.metadata.namespace ?? "";
  const isOne = kind !== undefined && isTemplateOf(kind, made);
  const found = isOne ? await template(kind, { namespace, name }) : undefined;
  if (found === undefined || !hasReferenceMark(await key(), found.kind, found.object)) return new Set();
  return usesOf(found.kind, found.object);
};

/** Returns the crossings that the object was admitted with before. */
const formerUses = async (
  kind: Resource,
  { old }: ReferenceWrite,
  { key }: ReferenceAdmission,
): Promise<ReadonlySet<string>> => {
  if (old === undefined || !hasReferenceMark(await key(), kind, old)) return new Set();
  return usesOf(kind, old);
};

/** The same for objects that are there and objects that are not. */
const denial = ({ username }: RequestUser, crossing: Crossing): string =>
  `${crossing.field} references namespace ${JSON.stringify(crossing.namespace)}, where User ${JSON.stringify(username)} may not ${deedOf(crossing)}; ask for that permission, or use the object's own namespace`;

/** Returns whether a user has one of the rights that are enough. */
const mayOne = async (user: RequestUser, crossing: Crossing, { may }: ReferenceAdmission): Promise<boolean> => {
  for (const verb of crossing.verbs) {
    if (await may(user, verb, crossing)) return true;
  }
  return false;
};

/** Tells how to have the references of a stored object admitted. */
export const askForReferences = (kind: Resource, { metadata: { name, namespace } }: KubeObject): string =>
  `a user with that permission must run: kubectl -n ${namespace ?? ""} annotate ${kind.plural}.${kind.group} ${name ?? ""} ${admittedReferencesAnnotation}=ask --overwrite`;

const isAskedFor = ({ object, old }: ReferenceWrite): boolean => {
  const [before, after] = [old, object].map((each) => each?.metadata.annotations?.[admittedReferencesAnnotation]);
  return after !== undefined && after !== before;
};

/** Left without a mark, so that nothing follows its references. */
const unmarked = <T extends KubeObject>(kind: Resource, object: T, why: string): AdmittedReferences<T> => ({
  object: withMark(object, undefined),
  warnings: [`references into other namespaces are not admitted: ${why}; ${askForReferences(kind, object)}`],
});

/**
 * Decides about the references of a write into other namespaces. Who writes one that is new must be allowed to do what is done with the
 * object that it names. A clone that a controller makes has those of its template. A stored reference that was not
 * admitted stays so, even if other fields change, until admission is requested. Objects without such references cause
 * no request.
 */
export const admitReferences = async <T extends KubeObject>(
  kind: Resource,
  write: ReferenceWrite<T>,
  admission: ReferenceAdmission,
): Promise<AdmittedReferences<T>> => {
  const { object, old, user } = write;
  const crossings = declaredReferences(kind).length === 0 ? [] : crossingReferences(kind, object);
  if (crossings.length === 0) return { object: withMark(object, undefined), warnings: [] };
  const former = await formerUses(kind, write, admission);
  const isNew = (crossing: Crossing): boolean => !former.has(useOf(crossing));
  let open = crossings.filter(isNew);
  if (open.length > 0 && templateOf(object) !== undefined) {
    const given = await templateUses(kind, write, admission);
    open = open.filter((crossing) => !given.has(useOf(crossing)));
    if (open.length > 0 && mayBeController(user)) {
      return unmarked(kind, object, "its template was not admitted with them");
    }
  }
  const before = old === undefined || isAskedFor(write) ? new Set() : usesOf(kind, old);
  const isKept = (crossing: Crossing): boolean => before.has(useOf(crossing));
  for (const crossing of open.filter((each) => !isKept(each))) {
    if (!(await mayOne(user, crossing, admission))) return { denied: denial(user, crossing) };
  }
  if (open.some(isKept)) return unmarked(kind, object, "no admission webhook has seen them");
  return { object: withMark(object, referenceMark(await admission.key(), kind, object)), warnings: [] };
};
