import { inTemplate, kind, object, optional } from "@capstan/schema";
import { linodeClusterSpec } from "./linode-cluster-spec.ts";
import { linodeKind, nameLength } from "./names.ts";
import { clusterReferences } from "./references.ts";

export const LinodeClusterTemplate = kind({
  ...linodeKind,
  kind: "LinodeClusterTemplate",
  plural: "linodeclustertemplates",
  references: inTemplate(clusterReferences),
  shortNames: ["lct"],
  description: "What the LinodeClusters of a ClusterClass are made from.",
  rules: [nameLength(3, 26)],
  spec: optional(
    object({
      template: object({ spec: linodeClusterSpec() }, { description: "The template." }),
    }),
  ),
});

/** One LinodeClusterTemplate. */
export type LinodeClusterTemplate = typeof LinodeClusterTemplate.Type;
