import { Label } from "@capstan/contract";
import { defaulted, enumOf, immutable, integer, kind, object, optional, string } from "@capstan/schema";
import { credentialsRef } from "./credentials-ref.ts";
import { linodeKind, nameLength } from "./names.ts";
import { credentialsReference } from "./references.ts";
import { thingStatus } from "./status-parts.ts";

export const LinodePlacementGroup = kind({
  ...linodeKind,
  labels: { ...linodeKind.labels, [Label.moveHierarchy]: "true" },
  kind: "LinodePlacementGroup",
  plural: "linodeplacementgroups",
  references: [credentialsReference],
  shortNames: ["lpg"],
  description: "A placement group at Linode: instances in it run on different hosts.",
  columns: [{ name: "Ready", path: ".status.ready" }],
  rules: [nameLength(1, 64)],
  spec: object({
    pgID: optional(integer({ description: "Id of the group; set by the controller, or by who brings one." })),
    region: immutable(string({ description: "Region id, for example us-ord.", minLength: 1 })),
    placementGroupPolicy: defaulted(
      immutable(
        enumOf(["strict", "flexible"], { description: "Whether an instance that has no place of its own is refused." }),
      ),
      "strict",
    ),
    placementGroupType: defaulted(
      immutable(enumOf(["anti_affinity:local"], { description: "How instances are placed." })),
      "anti_affinity:local",
    ),
    credentialsRef: credentialsRef(),
  }),
  status: object(thingStatus("The group exists.")),
});

/** One LinodePlacementGroup. */
export type LinodePlacementGroup = typeof LinodePlacementGroup.Type;
