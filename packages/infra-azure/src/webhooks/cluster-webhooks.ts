import { Annotation } from "@capstan/contract";
import type { KindWebhooksV1 } from "@capstan/contract/v1";
import { clusterNameOf } from "@capstan/contract/wire";
import { invalid } from "@capstan/kit/admission";
import type { Cause } from "@capstan/schema";
import { sameJson } from "@capstan/schema";
import type { AzureClusterTemplate as Template } from "../api/azure-cluster-template.v1beta1.ts";
import { AzureClusterTemplate } from "../api/azure-cluster-template.v1beta1.ts";
import { AzureCluster } from "../api/azure-cluster.v1beta1.ts";
import type { DefaultedCluster } from "../cluster/cluster-defaults.ts";
import { defaultedCluster } from "../cluster/cluster-defaults.ts";
import type { Gates } from "../gates.ts";
import { clusterCauses, identityRefCauses, nameCauses } from "./cluster-causes.ts";
import { clusterChanges } from "./cluster-changes.ts";

const cluster = (gates: Gates): KindWebhooksV1<AzureCluster> => ({
  kind: AzureCluster,
  default: (object) => {
    if (object.spec === undefined) return { object };
    const spec = defaultedCluster(object.metadata.name ?? "", object.spec, gates);
    return { object: sameJson(spec, object.spec) ? object : { ...object, spec } };
  },
  validate: (object, { old }) => {
    const { metadata, spec } = object;
    if (spec === undefined) return [];
    const name = metadata.name ?? "";
    const after = defaultedCluster(name, spec, gates);
    const changes =
      old?.spec === undefined
        ? []
        : clusterChanges(defaultedCluster(name, old.spec, gates), after, clusterNameOf(object) ?? name);
    return [...nameCauses(name), ...identityRefCauses(after), ...clusterCauses(after, gates), ...changes];
  },
});

/** The field in which templates do not change: what is made from them would not tell which it was made from. */
export const templateField = "spec.template.spec";

/** Returns whether an object is tried out by a Cluster's topology, which may change templates. */
export const isDryRun = (annotations: Readonly<Record<string, string>> | undefined): boolean =>
  annotations?.[Annotation.topologyDryRun] !== undefined;

/** That a template was changed. */
export const templateChanged = (before: unknown, after: unknown): readonly Cause[] =>
  sameJson(before, after) ? [] : [invalid(templateField, "(changed)", "field is immutable; create another template")];

type TemplateSpec = NonNullable<Template["spec"]>["template"]["spec"];

/** The spec of a cluster that is made from a template: names are worked out of its own. */
const asCluster = (template: TemplateSpec, gates: Gates): DefaultedCluster => {
  const { bastionSpec, networkSpec, ...spec } = template;
  const named = <S extends { readonly securityGroup?: object }>({ securityGroup, ...subnet }: S) => ({
    ...subnet,
    ...(securityGroup !== undefined && { securityGroup: { name: "", ...securityGroup } }),
  });
  const { subnets, vnet, ...network } = networkSpec ?? {};
  const bastion = bastionSpec?.azureBastion;
  const whole = {
    ...spec,
    controlPlaneEnabled: true,
    networkSpec: {
      ...network,
      ...(vnet !== undefined && { vnet: { name: "", ...vnet } }),
      ...(subnets !== undefined && { subnets: subnets.map(named) }),
    },
    ...(bastion !== undefined && {
      bastionSpec: {
        azureBastion: {
          sku: "Basic" as const,
          enableTunneling: false,
          ...(bastion.subnet !== undefined && { subnet: named(bastion.subnet) }),
        },
      },
    }),
  };
  return defaultedCluster("template", whole, gates);
};

const template = (gates: Gates): KindWebhooksV1<AzureClusterTemplate> => ({
  kind: AzureClusterTemplate,
  validate: ({ metadata, spec }, { old }) => {
    const after = spec?.template.spec;
    const before = old?.spec?.template.spec;
    if (after === undefined) return [];
    const causes = clusterCauses(asCluster(after, gates), gates).map((cause) => ({
      ...cause,
      ...(cause.field !== undefined && { field: cause.field.replace(/^spec\b/, templateField) }),
    }));
    return [
      ...causes,
      ...(before === undefined || isDryRun(metadata.annotations) ? [] : templateChanged(before, after)),
    ];
  },
});

/** Returns the webhooks for AzureClusters and their templates. */
export const clusterWebhooks = (gates: Gates) => [cluster(gates), template(gates)] as const;
