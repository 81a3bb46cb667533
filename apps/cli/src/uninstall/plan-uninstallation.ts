import { Label } from "@capstan/contract";
import {
  ClusterResource,
  CustomResourceDefinitionResource,
  SecretResource,
  NamespaceResource,
} from "@capstan/contract/wire";
import { listMetadata, type Client } from "@capstan/kube";
import { byText } from "@capstan/kube-values";
import type { KubeObject } from "@capstan/schema";
import { backedUpKinds } from "../backup/api-kinds.ts";
import { installationLabel } from "../cluster/installation.ts";
import { soleDefinitions } from "../install/abandon.ts";
import { installationOf, nameOfObject, ownedObjects, type FoundObject } from "../install/owned-kinds.ts";
import { allRecords } from "../install/record.ts";
import { leftObjects, type LeftObjects } from "../install/removal.ts";
import { handledAlone } from "./handled-alone.ts";

/** Effect of uninstalling. */
export interface Uninstallation {
  /** In the order in which it is deleted. */
  readonly owned: readonly FoundObject[];
  /** Names of definitions of whose kinds there is nothing. */
  readonly unused: readonly string[];
  /** Remaining objects of the other kinds. */
  readonly left: readonly LeftObjects[];
  /** `namespace/name` of Clusters that no one would manage. */
  readonly orphans: readonly string[];
  /** Numbers and kinds of objects that only managers can delete. */
  readonly held: readonly string[];
  /** Secrets that managers hold by a finalizer, with it. */
  readonly heldSecrets: readonly string[];
  /** The namespace, and if it is not deleted, what else is in it. */
  readonly namespace: { readonly name: string; readonly goes: boolean; readonly others: readonly string[] } | undefined;
}

/** Finalizers of managers of Cluster API and Tinkerbell. */
const ofManagers = /(?:^|\.)(?:cluster\.x-k8s\.io|capstan\.dev|tinkerbell\.org)(?:\/|$)/;

const finalizersOf = ({ metadata }: KubeObject): readonly string[] =>
  (metadata.finalizers ?? []).filter((finalizer) => ofManagers.test(finalizer));

/** Returns whether no one but a manager can delete the object. */
const needsManager = (object: KubeObject): boolean => finalizersOf(object).length > 0;

/** Those that objects belong to, and Clusters themselves. */
const clustersOf = (left: readonly LeftObjects[]): readonly string[] => {
  const names = left.flatMap(({ definition, objects }) => {
    const { group, names: kind } = definition.spec;
    const isCluster = group === ClusterResource.group && kind.kind === ClusterResource.kind;
    return objects.flatMap((object) => {
      const { namespace = "", name = "", labels = {} } = object.metadata;
      const cluster = isCluster ? name : needsManager(object) ? labels[Label.clusterName] : undefined;
      return cluster === undefined ? [] : [`${namespace}/${cluster}`];
    });
  });
  return [...new Set(names)].toSorted(byText);
};

const heldSecrets = async (client: Client, signal: AbortSignal): Promise<readonly string[]> =>
  (await listMetadata(client, SecretResource, { signal })).items.filter(needsManager).map((object) => {
    const name = nameOfObject({ kind: SecretResource, object });
    return `${name} (${finalizersOf(object).join(", ")})`;
  });

/** Objects that every namespace has. */
const ofEveryNamespace = new Set(["ServiceAccount default", "ConfigMap kube-root-ca.crt"]);

/** Returns the objects in the namespace that the installation does not own. */
const othersIn = async (
  client: Client,
  namespace: string,
  owned: readonly FoundObject[],
  signal: AbortSignal,
): Promise<readonly string[]> => {
  const own = new Set(owned.map(({ object }) => object.metadata.uid));
  const kinds = (await backedUpKinds(client, signal)).filter(({ namespaced }) => namespaced);
  const lists = await Promise.all(
    kinds.map(async (kind) => {
      const { items } = await listMetadata(client, kind, { namespace, signal });
      return items
        .filter(({ metadata }) => !own.has(metadata.uid) && (metadata.ownerReferences ?? []).length === 0)
        .map(({ metadata }) => `${kind.kind} ${metadata.name ?? ""}`);
    }),
  );
  return lists.flat().filter((name) => !ofEveryNamespace.has(name));
};

/** Looks what there is; changes nothing. */
export const planUninstallation = async (
  client: Client,
  { installation, systemNamespace }: { readonly installation: string; readonly systemNamespace: string },
  signal: AbortSignal,
): Promise<Uninstallation> => {
  const records = await allRecords(client, signal);
  const record = records.find((each) => each.installation === installation)?.record;
  const rivals = records.filter((each) => each.installation !== installation);
  const owned = (await ownedObjects(client, signal)).filter(({ object }) => installationOf(object) === installation);
  const labelled = await listMetadata(client, CustomResourceDefinitionResource, {
    labelSelector: `${installationLabel}=${installation}`,
    signal,
  });
  const named = [
    ...labelled.items.map(({ metadata }) => metadata.name ?? ""),
    ...Object.values(record?.providers ?? {}).flat(),
  ];
  const definitions = await soleDefinitions(client, [...new Set(named)].toSorted(byText), { installation, signal });
  // Entries of the inventory are the installation's own.
  const own = new Set(owned.map(({ object }) => object.metadata.uid));
  const left = (await leftObjects(client, definitions, signal)).flatMap(({ definition, objects }) => {
    const others = objects.filter(({ metadata }) => !own.has(metadata.uid));
    return others.length === 0 ? [] : [{ definition, objects: others }];
  });
  const alone = await handledAlone(
    client,
    record,
    rivals.map((each) => each.record),
    signal,
  );
  const unmanaged = [...left, ...alone];
  const used = new Set(left.map(({ definition }) => definition.metadata.name));
  const namespace = await client.find(NamespaceResource, { name: systemNamespace }, { signal });
  const others = namespace === undefined ? [] : await othersIn(client, systemNamespace, owned, signal);
  const goes = namespace !== undefined && installationOf(namespace) === installation && others.length === 0;
  return {
    owned,
    unused: definitions.filter((name) => !used.has(name)),
    left,
    orphans: clustersOf(unmanaged),
    held: unmanaged.flatMap(({ definition, objects }) => {
      const count = objects.filter(needsManager).length;
      return count === 0 ? [] : [`${count} ${definition.spec.names.kind}`];
    }),
    // Those of another installation take their own off.
    heldSecrets: rivals.length === 0 ? await heldSecrets(client, signal) : [],
    namespace: namespace === undefined ? undefined : { name: systemNamespace, goes, others },
  };
};
