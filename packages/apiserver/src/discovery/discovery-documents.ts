import { byText } from "@capstan/kube-values";
import type {
  GroupVersionKind,
  RegistrySnapshot,
  ResourceDefinition,
  SubresourceDefinition,
  Verb,
} from "../model/types.ts";
import { documentOf } from "./document.ts";
import type { Document } from "./document.ts";

/** The discovery documents of one snapshot. Each is made on first use. */
export interface DiscoveryDocuments {
  /**
   * The classic documents: APIVersions at `/api`, APIGroupList at `/apis`, APIGroup at `/apis/GROUP`, APIResourceList at `/api/v1` and
   * `/apis/GROUP/VERSION`. Undefined for anything else.
   */
  classic(path: string): Document | undefined;
  /** The APIGroupDiscoveryList (v2) of `/api` (core group) or `/apis` (all others). */
  aggregated(path: "/api" | "/apis"): Document;
}

export const aggregatedMediaType = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

/** Discovery for one state of the registry; the same documents for the same snapshot. */
export const discoveryDocuments = (snapshot: RegistrySnapshot): DiscoveryDocuments => {
  const known = made.get(snapshot);
  if (known !== undefined) {
    return known;
  }
  const documents = remembering(snapshot);
  made.set(snapshot, documents);
  return documents;
};

const made = new WeakMap<RegistrySnapshot, DiscoveryDocuments>();

const remembering = (snapshot: RegistrySnapshot): DiscoveryDocuments => {
  const cache = new Map<string, Document>();
  const remember = (key: string, value: () => unknown): Document => {
    const document = cache.get(key) ?? documentOf(value());
    cache.set(key, document);
    return document;
  };
  return {
    classic: (path) => {
      const value = classicDocument(snapshot, path);
      return value === undefined ? undefined : remember(path, value);
    },
    aggregated: (path) => remember(`aggregated ${path}`, () => aggregatedList(snapshot, path === "/api")),
  };
};

const classicDocument = (snapshot: RegistrySnapshot, path: string): (() => unknown) | undefined => {
  const [, root, ...rest] = path.split("/");
  if (root === "api") {
    const [version] = rest;
    return version === undefined
      ? () => coreVersions(snapshot)
      : resourceList(snapshot, "", version, rest.length === 1);
  }
  const [name, version] = rest;
  if (root !== "apis" || name === "" || rest.length > 2) {
    return undefined;
  }
  if (name === undefined) {
    return () => ({ kind: "APIGroupList", apiVersion: "v1", groups: namedGroups(snapshot).map(groupEntry) });
  }
  const group = namedGroups(snapshot).find((candidate) => candidate.group === name);
  if (group === undefined) {
    return undefined;
  }
  return version === undefined
    ? () => ({ kind: "APIGroup", apiVersion: "v1", ...groupEntry(group) })
    : resourceList(snapshot, name, version, true);
};

type Group = RegistrySnapshot["groups"][number];

const namedGroups = ({ groups }: RegistrySnapshot): readonly Group[] => groups.filter(({ group }) => group !== "");

const coreVersions = ({ groups }: RegistrySnapshot) => ({
  kind: "APIVersions",
  versions: groups.find(({ group }) => group === "")?.versions ?? [],
  serverAddressByClientCIDRs: [],
});

const groupEntry = ({ group, versions }: Group) => {
  const entries = versions.map((version) => ({ groupVersion: `${group}/${version}`, version }));
  return { name: group, versions: entries, preferredVersion: entries[0] };
};

const definitionsOf = (snapshot: RegistrySnapshot, group: string, version: string): readonly ResourceDefinition[] =>
  snapshot.definitions.filter((definition) => definition.group === group && definition.version === version);

const resourceList = (
  snapshot: RegistrySnapshot,
  group: string,
  version: string,
  wellFormed: boolean,
): (() => unknown) | undefined => {
  const definitions = definitionsOf(snapshot, group, version);
  if (!wellFormed || definitions.length === 0) {
    return undefined;
  }
  return () => ({
    kind: "APIResourceList",
    apiVersion: "v1",
    groupVersion: group === "" ? version : `${group}/${version}`,
    resources: definitions.flatMap(resourceEntries),
  });
};

const customOrder: readonly Verb[] = [
  "delete",
  "deletecollection",
  "get",
  "list",
  "patch",
  "create",
  "update",
  "watch",
];

/** The verbs as clients are shown them: built-in kinds by name, custom ones in an order of their own. */
const verbsOf = ({ origin, verbs }: ResourceDefinition): readonly Verb[] =>
  origin === "builtin" ? verbs.toSorted() : customOrder.filter((verb) => verbs.includes(verb));

const namesOf = ({ shortNames, categories }: ResourceDefinition) => ({
  ...(shortNames.length > 0 && { shortNames }),
  ...(categories.length > 0 && { categories }),
});

const subresourcesOf = ({ subresources }: ResourceDefinition): readonly SubresourceDefinition[] =>
  subresources.toSorted((left, right) => byText(left.name, right.name));

const resourceEntries = (definition: ResourceDefinition): readonly unknown[] => {
  const { plural, singular, namespaced, kind } = definition;
  const main = {
    name: plural,
    singularName: singular,
    namespaced,
    kind,
    verbs: verbsOf(definition),
    ...namesOf(definition),
  };
  const parts = subresourcesOf(definition).map((part) => ({
    name: `${plural}/${part.name}`,
    singularName: "",
    namespaced,
    ...(part.kind === undefined ? {} : { group: part.kind.group, version: part.kind.version }),
    kind: part.kind?.kind ?? kind,
    verbs: part.verbs,
  }));
  return [main, ...parts];
};

const aggregatedList = (snapshot: RegistrySnapshot, core: boolean) => ({
  kind: "APIGroupDiscoveryList",
  apiVersion: "apidiscovery.k8s.io/v2",
  metadata: {},
  items: snapshot.groups
    .filter(({ group }) => (group === "") === core)
    .map(({ group, versions }) => ({
      metadata: core ? {} : { name: group },
      versions: versions.map((version) => ({
        version,
        resources: definitionsOf(snapshot, group, version).map(aggregatedResource),
        freshness: "Current",
      })),
    })),
});

const aggregatedResource = (definition: ResourceDefinition) => {
  const own: GroupVersionKind = { group: definition.group, version: definition.version, kind: definition.kind };
  const parts = subresourcesOf(definition).map((part) => ({
    subresource: part.name,
    responseKind: part.kind ?? own,
    verbs: part.verbs,
  }));
  return {
    resource: definition.plural,
    responseKind: own,
    scope: definition.namespaced ? "Namespaced" : "Cluster",
    singularResource: definition.singular,
    verbs: verbsOf(definition),
    ...namesOf(definition),
    ...(parts.length > 0 && { subresources: parts }),
  };
};
