import { createHash } from "node:crypto";
import type { MergePatch } from "@capstan/contract/wire";
import type { KubeObject } from "@capstan/schema";

/**
 * Annotation with the id of an object as an owner of cloud resources: its first uid. A moved or restored object has a new uid and the same
 * annotation.
 */
export const ownerIdAnnotation = "capstan.dev/owner-id";

/** Key of the tag, or prefix of the text, by which a cloud resource names its owner. */
export const ownerKey = "capstan-owner";

const markLength = 20;

/** An object that owns cloud resources. It stays the same owner when it is moved to another cluster or restored from a backup. */
export interface Owner {
  readonly namespace: string;
  readonly name: string;
  readonly id: string;
  /** 20 characters that stand for all three, for clouds with short tags. A copy of the object in another namespace has another mark. */
  readonly mark: string;
}

/** The mark of an owner. */
export const markOf = ({ id, name, namespace }: Omit<Owner, "mark">): string =>
  createHash("sha256").update(`${namespace}/${name}/${id}`).digest("hex").slice(0, markLength);

/** Who an object is as an owner. Before the annotation is written the answer is the one that it is going to give. */
export const ownerOf = ({ metadata }: KubeObject): Owner => {
  const { annotations = {}, name = "", namespace = "", uid = "" } = metadata;
  const id = annotations[ownerIdAnnotation] ?? uid;
  return { namespace, name, id, mark: markOf({ namespace, name, id }) };
};

/** The patch that keeps the id of an object for good; empty once it has one. */
export const mintedOwner = ({ metadata }: KubeObject): MergePatch => {
  const { annotations = {}, uid } = metadata;
  if (annotations[ownerIdAnnotation] !== undefined || uid === undefined) return {};
  return { metadata: { annotations: { [ownerIdAnnotation]: uid } } };
};

/** The mark of an owner as one tag: at most 35 characters of `[a-z0-9=-]`. */
export const ownerTag = ({ mark }: Pick<Owner, "mark">): string => `${ownerKey}=${mark}`;

/** The marks among tags that are single texts. */
export const marksIn = (tags: readonly string[]): readonly string[] =>
  tags.flatMap((tag) => (tag.startsWith(`${ownerKey}=`) ? [tag.slice(ownerKey.length + 1)] : []));

/** An owner as a resource names it where there is room: `namespace/name/mark`. */
export const ownerText = ({ mark, name, namespace }: Omit<Owner, "id">): string => `${namespace}/${name}/${mark}`;

/** The owner that a text of `ownerText` names; `undefined` for any other text. */
export const ownerIn = (text: string | undefined): Omit<Owner, "id"> | undefined => {
  const [namespace, name, mark, ...more] = text?.split("/") ?? [];
  if (namespace === undefined || name === undefined || mark === undefined || more.length > 0) return undefined;
  return { namespace, name, mark };
};
