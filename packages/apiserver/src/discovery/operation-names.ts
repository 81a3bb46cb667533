import type { ResourceDefinition, Verb } from "../model/types.ts";

const capitalized = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);

/** A group in the names of its operations: `RbacAuthorization` for `rbac.authorization.k8s.io`, every part of a custom one. */
const groupWord = (group: string): string =>
  group === ""
    ? "Core"
    : group
        .replace(/\.k8s\.io$/, "")
        .split(/[.-]/)
        .map(capitalized)
        .join("");

const words: Readonly<Record<Exclude<Verb, "watch">, string>> = {
  get: "read",
  list: "list",
  create: "create",
  update: "replace",
  patch: "patch",
  delete: "delete",
  deletecollection: "delete",
};

/** Where an operation is. */
export interface OperationPlace {
  /** Definition of the base resource, also for a subresource. */
  readonly definition: ResourceDefinition;
  readonly subresource?: string;
  /** The path leads through a namespace. */
  readonly inNamespace: boolean;
  /** The subresource connects to something, by this HTTP method. */
  readonly connects?: string;
}

/** The name and the tag of an operation, which clients are generated from, as kube-apiserver gives them. */
export const operationNames = (
  { connects, definition, inNamespace, subresource = "" }: OperationPlace,
  verb: keyof typeof words,
): { readonly operationId: string; readonly tags: readonly string[] } => {
  const { group, kind, namespaced, version } = definition;
  const owner = groupWord(group);
  const collection = verb === "deletecollection" ? "Collection" : "";
  const subject = `${inNamespace ? "Namespaced" : ""}${kind}${capitalized(subresource)}`;
  const everywhere = namespaced && !inNamespace && verb === "list" ? "ForAllNamespaces" : "";
  const verbWord = connects === undefined ? words[verb] : "connect";
  const way = connects === undefined ? collection : capitalized(connects);
  return {
    operationId: `${verbWord}${owner}${capitalized(version)}${way}${subject}${everywhere}`,
    tags: [`${owner.slice(0, 1).toLowerCase()}${owner.slice(1)}_${version}`],
  };
};
