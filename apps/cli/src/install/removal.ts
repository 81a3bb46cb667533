import { CapstanError, isCapstanError } from "@capstan/contract";
import { CustomResourceDefinitionResource } from "@capstan/contract/wire";
import type { Client } from "@capstan/kube";
import { countNoun } from "@capstan/kube-values";
import type { CustomResourceDefinition, KubeObject } from "@capstan/schema";
import { leasesOf, type Share } from "../cluster/installation.ts";
import { LeaseResource } from "./owned-kinds.ts";
import type { InstallationRecord } from "./record.ts";

/** Objects of a kind that no one handles any more. */
export interface LeftObjects {
  readonly definition: CustomResourceDefinition;
  readonly objects: readonly KubeObject[];
}

const storedVersion = ({ spec }: CustomResourceDefinition): string =>
  spec.versions.find(({ storage }) => storage)?.name ?? "";

/** Returns the remaining objects of the kinds that these definitions define, without kinds that have none. */
export const leftObjects = async (
  client: Client,
  definitions: readonly string[],
  signal: AbortSignal,
): Promise<readonly LeftObjects[]> => {
  const found = await Promise.all(
    definitions.map(async (name): Promise<readonly LeftObjects[]> => {
      const definition = (await client.find(CustomResourceDefinitionResource, { name }, { signal })) as
        | CustomResourceDefinition
        | undefined;
      if (definition === undefined) return [];
      const { group, names, scope } = definition.spec;
      const kind = {
        group,
        version: storedVersion(definition),
        kind: names.kind,
        plural: names.plural,
        namespaced: scope === "Namespaced",
      };
      try {
        const { items } = await client.list(kind, { signal });
        return items.length === 0 ? [] : [{ definition, objects: items }];
      } catch (error) {
        if (isCapstanError(error, "kube.not_found")) return [];
        throw error;
      }
    }),
  );
  return found.flat();
};

/** Such as `3 AzureMachine, 1 AzureCluster`. */
export const countedKinds = (left: readonly LeftObjects[]): string =>
  left.map(({ definition, objects }) => `${objects.length} ${definition.spec.names.kind}`).join(", ");

const holderOf = ({
  spec,
}: KubeObject & { readonly spec?: { readonly holderIdentity?: string } }): string | undefined => spec?.holderIdentity;

/** Who runs the providers that go in a process of its own: not together with those that stay. */
const separateManager = async (
  client: Client,
  place: { readonly installation: string; readonly systemNamespace: string },
  record: InstallationRecord,
  gone: readonly string[],
  { now, signal }: { readonly now: number; readonly signal: AbortSignal },
): Promise<string | undefined> => {
  const { items } = await client.list(LeaseResource, { namespace: place.systemNamespace, signal });
  const holders = (providers: readonly string[]): readonly string[] => {
    const names = new Set(leasesOf(place.installation, providers, record).map(({ name }) => name));
    return items.flatMap((lease) => {
      const holder = names.has(lease.metadata.name ?? "") && isFresh(lease, now) ? holderOf(lease) : undefined;
      return holder === undefined ? [] : [holder];
    });
  };
  const staying = holders(Object.keys(record.providers).filter((name) => !gone.includes(name)));
  return holders(gone).find((holder) => !staying.includes(holder));
};

const isFresh = (lease: KubeObject, now: number): boolean => {
  const { renewTime = "" } = (lease as KubeObject & { readonly spec?: { readonly renewTime?: string } }).spec ?? {};
  return now - Date.parse(renewTime) < 120_000;
};

/** Throws `installation.provider_in_use` when something still needs a provider that the installation had and is to lose. */
export const checkRemoval = async (
  client: Client,
  place: { readonly installation: string; readonly systemNamespace: string },
  record: InstallationRecord,
  gone: readonly string[],
  time: { readonly now: number; readonly signal: AbortSignal },
): Promise<void> => {
  const left = await leftObjects(
    client,
    gone.flatMap((name) => record.providers[name] ?? []),
    time.signal,
  );
  const manager = left.length > 0 ? undefined : await separateManager(client, place, record, gone, time);
  if (left.length === 0 && manager === undefined) return;
  const who = `the installation ${place.installation} also has ${gone.join(", ")}`;
  const why = manager === undefined ? `still needed by ${countedKinds(left)}` : `run by ${manager}`;
  throw new CapstanError({
    code: "installation.provider_in_use",
    reason: "ProviderInUse",
    message: `${who}, ${why}; name ${gone.length === 1 ? "it" : "them"} in --providers too, use another --installation for a second one, or run capstan install --remove to remove ${countNoun(gone.length, "provider")} anyway`,
    retry: { kind: "never" },
  });
};

const namespacesLost = (record: Share, { namespaces }: Share): readonly string[] =>
  namespaces.length === 0 ? [] : record.namespaces.filter((namespace) => !namespaces.includes(namespace));

/** Throws `installation.namespaces_lost` when the installation no longer watches namespaces that it watched. */
export const checkNamespaces = (installation: string, record: InstallationRecord, share: Share): void => {
  const lost = namespacesLost(record, share);
  if (lost.length === 0) return;
  throw new CapstanError({
    code: "installation.namespaces_lost",
    reason: "NamespacesLost",
    message: `the installation ${installation} also watches ${lost.join(", ")}; name ${lost.length === 1 ? "it" : "them"} with --namespace too, use another --installation for a second one, or run capstan install --remove to stop watching ${lost.length === 1 ? "it" : "them"}`,
    retry: { kind: "never" },
  });
};
