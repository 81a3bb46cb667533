import { kind, object, optional } from "@capstan/schema";
import { linodeClusterSpec } from "./linode-cluster-spec.ts";
import { linodeKind, nameLength } from "./names.ts";

export const LinodeClusterTemplate = kind({
  ...linodeKind,
  kind: "LinodeClusterTemplate",
  plural: "linodeclustertemplates",
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
