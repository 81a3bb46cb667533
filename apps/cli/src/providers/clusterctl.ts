import { Group, Label } from "@capstan/contract";
import type { ProviderV1 } from "@capstan/contract/v1";
import { type CustomResourceDefinition, type KubeObject, resource, type StructuralSchema } from "@capstan/schema";
import manifest from "../../package.json" with { type: "json" };

/** A provider as clusterctl's inventory has it. */
interface InventoryEntry {
  readonly type: string;
  /** Capstan's own, so that clusterctl never takes a release of another user for a newer one of it. */
  readonly providerName: string;
  /** Value of the label that tells whose a kind is. */
  readonly label: string;
}

const types = [
  { prefix: "bootstrap-", type: "BootstrapProvider", label: "bootstrap-" },
  { prefix: "controlplane-", type: "ControlPlaneProvider", label: "control-plane-" },
  { prefix: "infra-", type: "InfrastructureProvider", label: "infrastructure-" },
  { prefix: "ipam-", type: "IPAMProvider", label: "ipam-" },
] as const;

/** `undefined` for a provider of no role that clusterctl knows. */
const entryOf = ({ name }: Pick<ProviderV1, "name">): InventoryEntry | undefined => {
  if (name === "core") return { type: "CoreProvider", providerName: "capstan", label: "capstan" };
  const found = types.find(({ prefix }) => name.startsWith(prefix));
  if (found === undefined) return undefined;
  const providerName = `capstan-${name.slice(found.prefix.length)}`;
  return { type: found.type, providerName, label: `${found.label}${providerName}` };
};

/** The definition with the labels by which clusterctl finds kinds whose objects it moves, and whose they are. */
export const labelledForClusterctl = (
  definition: CustomResourceDefinition,
  provider: Pick<ProviderV1, "name">,
): CustomResourceDefinition => {
  const entry = entryOf(provider);
  if (entry === undefined) return definition;
  const { metadata } = definition;
  const labels = { ...metadata.labels, [Label.clusterctl]: "", [Label.provider]: entry.label };
  return { ...definition, metadata: { ...metadata, labels } };
};

/**
 * By which provider's label clusterctl finds what managers of these providers run by: that of core, or of the only one. Several others are
 * run together, and clusterctl deletes none of them for the sake of one.
 */
const managersLabel = (providers: readonly Pick<ProviderV1, "name">[]): string | undefined => {
  const core = providers.find(({ name }) => name === "core");
  const [first, ...others] = core === undefined ? providers : [core];
  return first === undefined || others.length > 0 ? undefined : entryOf(first)?.label;
};

/**
 * Returns the objects that managers run by, and webhooks that only they answer, with the label by which `clusterctl
 * delete` deletes them with the provider.
 */
export const managersForClusterctl = (
  objects: readonly KubeObject[],
  providers: readonly Pick<ProviderV1, "name">[],
): readonly KubeObject[] => {
  const label = managersLabel(providers);
  if (label === undefined) return objects;
  return objects.map((object) => {
    const labels = { ...object.metadata.labels, [Label.clusterctl]: "", [Label.provider]: label };
    return { ...object, metadata: { ...object.metadata, labels } };
  });
};

const inventoryVersion = "v1alpha3";
const text = (description: string): StructuralSchema => ({ type: "string", description });

/** An entry of clusterctl's inventory. */
export const InventoryResource = resource({
  group: Group.clusterctl,
  version: inventoryVersion,
  kind: "Provider",
  plural: "providers",
});

/** The kind of clusterctl's inventory. clusterctl takes one that is there as it is. */
export const inventoryDefinition: CustomResourceDefinition = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: `providers.${Group.clusterctl}`, labels: { [Label.clusterctlCore]: "inventory" } },
  spec: {
    group: Group.clusterctl,
    names: {
      kind: "Provider",
      listKind: "ProviderList",
      plural: "providers",
      singular: "provider",
      categories: ["cluster-api"],
    },
    scope: "Namespaced",
    versions: [
      {
        name: inventoryVersion,
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: "object",
            description: "An entry of the inventory of providers.",
            properties: {
              apiVersion: text("Version of the kind."),
              kind: text("Name of the kind."),
              metadata: { type: "object" },
              providerName: text("Name of the provider."),
              type: text("Role of the provider, such as InfrastructureProvider."),
              version: text("Version of what is installed."),
              watchedNamespace: text("Namespace that the provider watches; empty: all."),
            },
          },
        },
        additionalPrinterColumns: [
          { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
          { name: "Type", type: "string", jsonPath: ".type" },
          { name: "Provider", type: "string", jsonPath: ".providerName" },
          { name: "Version", type: "string", jsonPath: ".version" },
        ],
      },
    ],
  },
};

/**
 * Returns clusterctl's inventory of the installed providers: it moves clusters only to where the same providers are.
 */
export const inventoryOf = (providers: readonly ProviderV1[], namespace: string): readonly KubeObject[] =>
  providers.flatMap((provider): readonly KubeObject[] => {
    const entry = entryOf(provider);
    if (entry === undefined) return [];
    const { type, providerName, label } = entry;
    const { version = manifest.version } = provider;
    const labels = { [Label.clusterctl]: "", [Label.provider]: label, [Label.clusterctlCore]: "inventory" };
    return [
      {
        apiVersion: `${Group.clusterctl}/${inventoryVersion}`,
        kind: "Provider",
        metadata: { namespace, name: label, labels },
        type,
        providerName,
        version: `v${version}`,
      },
    ];
  });
