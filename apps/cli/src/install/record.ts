import type { ProviderV1 } from "@capstan/contract/v1";
import { ConfigMapResource } from "@capstan/contract/wire";
import type { Client } from "@capstan/kube";
import { isKind, type KubeObject } from "@capstan/schema";
import manifest from "../../package.json" with { type: "json" };
import { installationLabel, type Share } from "../cluster/installation.ts";

/** Content of an installation as last applied. */
export interface InstallationRecord extends Share {
  readonly version: string;
  /** Names of the definitions of each provider's kinds. */
  readonly providers: Readonly<Record<string, readonly string[]>>;
}

const field = "installation";

/** The ConfigMap that says what an installation consists of. */
export const recordName = (installation: string): string => `${installation}-installation`;

/** Names of the definitions of a provider's kinds. */
export const definitionNames = ({ kinds }: ProviderV1): readonly string[] =>
  kinds.flatMap((kind) => (isKind(kind) ? [`${kind.plural}.${kind.group}`] : []));

/** The ConfigMap that says what the installation consists of. */
export const recordOf = (
  providers: readonly ProviderV1[],
  {
    watchFilter,
    namespaces,
    systemNamespace,
    installation,
  }: Share & {
    readonly systemNamespace: string;
    readonly installation: string;
  },
): KubeObject => {
  const record: InstallationRecord = {
    version: manifest.version,
    ...(watchFilter !== undefined && { watchFilter }),
    namespaces,
    providers: Object.fromEntries(providers.map((provider) => [provider.name, definitionNames(provider)])),
  };
  return {
    apiVersion: "v1",
    kind: ConfigMapResource.kind,
    metadata: { namespace: systemNamespace, name: recordName(installation) },
    data: { [field]: JSON.stringify(record) },
  };
};

const readRecord = (object: KubeObject): InstallationRecord | undefined => {
  const text = (object as KubeObject & { readonly data?: Readonly<Record<string, string>> }).data?.[field];
  if (text === undefined) return undefined;
  try {
    const {
      version = "",
      watchFilter,
      namespaces = [],
      providers = {},
    } = JSON.parse(text) as Partial<InstallationRecord>;
    return { version, watchFilter, namespaces, providers };
  } catch {
    return undefined;
  }
};

/** Returns the record of an installation; `undefined` where there is none, or one of an older release. */
export const findRecord = async (
  client: Client,
  { systemNamespace, installation }: { readonly systemNamespace: string; readonly installation: string },
  signal: AbortSignal,
): Promise<InstallationRecord | undefined> => {
  const found = await client.find<KubeObject>(
    ConfigMapResource,
    { namespace: systemNamespace, name: recordName(installation) },
    { signal },
  );
  return found === undefined ? undefined : readRecord(found);
};

/** Returns the records of all installations in the cluster. */
export const allRecords = async (
  client: Client,
  signal: AbortSignal,
): Promise<
  readonly { readonly namespace: string; readonly installation: string; readonly record: InstallationRecord }[]
> => {
  const { items } = await client.list<KubeObject>(ConfigMapResource, {
    labelSelector: installationLabel,
    signal,
  });
  return items.flatMap((object) => {
    const record = readRecord(object);
    const { namespace = "", labels = {} } = object.metadata;
    return record === undefined ? [] : [{ namespace, installation: labels[installationLabel] ?? "", record }];
  });
};
