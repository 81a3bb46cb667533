import { Label } from "@capstan/contract";
import { boolean, defaulted, immutable, integer, kind, list, object, optional, string } from "@capstan/schema";
import type { Node } from "@capstan/schema";
import { credentialsRef } from "./credentials-ref.ts";
import { linodeKind, nameLength, networkLabelRules } from "./names.ts";
import { credentialsReference } from "./references.ts";
import { thingStatus } from "./status-parts.ts";

const ranges = (description: string) =>
  optional(
    list(object({ range: string({ description: "The range, in CIDR notation." }) }, { description: "One range." }), {
      description,
      keys: ["range"],
    }),
  );

const wantedRange = () => optional(string({ description: "auto, a prefix length such as /52, or a range." }));

const wantedRanges = <T>(of: Node<T>) => optional(list(of, { description: "IPv6 ranges wanted.", type: "atomic" }));

const allocationClass = (description: string) => optional(string({ description }));

const subnet = () =>
  object(
    {
      label: optional(string({ description: "Label of the subnet.", minLength: 3, maxLength: 63 })),
      ipv4: optional(string({ description: "IPv4 range, in CIDR notation." })),
      ipv6: ranges("IPv6 ranges it has; set by the controller."),
      ipv6Range: wantedRanges(object({ range: wantedRange() }, { description: "One range." })),
      subnetID: optional(integer({ description: "Id of the subnet; set by the controller." })),
      retain: defaulted(boolean({ description: "Whether the subnet stays when the object is deleted." }), false),
    },
    { description: "One subnet." },
  );

export const LinodeVPC = kind({
  ...linodeKind,
  labels: { ...linodeKind.labels, [Label.moveHierarchy]: "true" },
  kind: "LinodeVPC",
  plural: "linodevpcs",
  references: [credentialsReference],
  shortNames: ["lvpc"],
  description: "A VPC at Linode with its subnets.",
  columns: [{ name: "Ready", path: ".status.ready" }],
  rules: [nameLength(1, 64), ...networkLabelRules],
  spec: object({
    vpcID: optional(integer({ description: "Id of the VPC; set by the controller, or by who brings one." })),
    description: optional(string({ description: "What the VPC is for." })),
    region: immutable(string({ description: "Region id, for example us-ord.", minLength: 1 })),
    ipv4Range: optional(
      list(string({ description: "One range, in CIDR notation." }), {
        description: "IPv4 ranges wanted; Linode's own when unset.",
        type: "atomic",
      }),
    ),
    ipv4: ranges("IPv4 ranges it has; set by the controller."),
    ipv6Range: wantedRanges(
      object(
        {
          range: wantedRange(),
          allocationClass: allocationClass("Class of addresses the range is taken from."),
          allocation_class: allocationClass("Other spelling of allocationClass, which wins."),
        },
        { description: "One range." },
      ),
    ),
    ipv6: ranges("IPv6 ranges it has; set by the controller."),
    subnets: optional(list(subnet(), { description: "Subnets of the VPC.", type: "atomic" })),
    retain: defaulted(
      boolean({ description: "Whether the VPC stays when the object is deleted; its subnets say it for themselves." }),
      false,
    ),
    credentialsRef: credentialsRef(),
  }),
  status: object(thingStatus("The VPC and its subnets exist.")),
});

/** One LinodeVPC. */
export type LinodeVPC = typeof LinodeVPC.Type;
