import { boolean, defaulted, int32, kind, object, optional, string } from "@capstan/schema";
import { elementalKind } from "./names.ts";
import { failureDomainMap, newerStatus, plainConditions, templateMetadata } from "./status-parts.ts";

const elementalClusterSpec = () =>
  object(
    {
      controlPlaneEndpoint: optional(
        object(
          {
            host: string({ description: "Host name or address." }),
            port: int32({ description: "Port." }),
          },
          { description: "Where the API server of the cluster is reached; the user sets it." },
        ),
      ),
    },
    { description: "The cluster wanted." },
  );

export const ElementalCluster = kind({
  ...elementalKind,
  kind: "ElementalCluster",
  plural: "elementalclusters",
  description: "The infrastructure of a Cluster on hosts of Elemental: the endpoint that its user has made.",
  spec: optional(elementalClusterSpec()),
  status: object({
    ready: defaulted(boolean({ description: "The endpoint is known." }), false),
    failureDomains: optional(failureDomainMap()),
    conditions: optional(plainConditions()),
    ...newerStatus(),
  }),
});

/** One ElementalCluster. */
export type ElementalCluster = typeof ElementalCluster.Type;

export const ElementalClusterTemplate = kind({
  ...elementalKind,
  kind: "ElementalClusterTemplate",
  plural: "elementalclustertemplates",
  description: "What the ElementalClusters of a ClusterClass are made from.",
  spec: optional(
    object({
      template: object(
        { metadata: optional(templateMetadata("ElementalCluster")), spec: elementalClusterSpec() },
        { description: "The template." },
      ),
    }),
  ),
});

/** One ElementalClusterTemplate. */
export type ElementalClusterTemplate = typeof ElementalClusterTemplate.Type;
