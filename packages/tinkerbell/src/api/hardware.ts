import {
  boolean,
  conditions,
  defaulted,
  int64,
  kind,
  list,
  map,
  object,
  optional,
  quantity,
  string,
  textField,
} from "@capstan/schema";
import { hardwareInterface } from "./hardware/interface.ts";
import { inventory } from "./hardware/inventory.ts";
import { hardwareMetadata } from "./hardware/metadata.ts";
import { movedLabels, tinkerbellKind } from "./names.ts";

const bmcRef = object(
  {
    apiGroup: textField("Group of the object, bmc.tinkerbell.org."),
    kind: string({ description: "Kind of the object, Machine." }),
    name: string({ description: "Name of the object, in the same namespace." }),
  },
  { description: "The Machine of its board management.", atomic: true },
);

const reference = object(
  {
    group: textField("Group of the object."),
    version: textField("API version of the object."),
    resource: textField("Plural of its kind."),
    namespace: textField("Namespace of the object."),
    name: textField("Name of the object."),
  },
  { description: "An object that templates may use." },
);

const spec = object({
  agentID: textField("By which its agent is known; metadata.instance.id, or the first MAC address, when unset."),
  auto: optional(
    object(
      {
        enrollmentEnabled: defaulted(boolean({ description: "Whether rule sets may make workflows for it." }), false),
      },
      { description: "What happens by itself." },
    ),
  ),
  bmcRef: optional(bmcRef),
  interfaces: optional(list(hardwareInterface(), { description: "Its network interfaces." })),
  references: optional(map(reference, { description: "Objects that templates may use, by the name they use." })),
  metadata: optional(hardwareMetadata()),
  tinkVersion: optional(int64({ description: "Not used." })),
  disks: optional(
    list(object({ device: textField("Its device, for example /dev/sda.") }, { description: "A disk." }), {
      description: "Its disks.",
    }),
  ),
  resources: optional(
    map(quantity({ description: "How much of it." }), { description: "What it has, for example cpu and memory." }),
  ),
  userData: textField("What the metadata service serves as user data."),
  vendorData: textField("What the metadata service serves as vendor data."),
});

export const Hardware = kind({
  ...tinkerbellKind,
  labels: movedLabels,
  kind: "Hardware",
  plural: "hardware",
  shortNames: ["hw"],
  description: "A machine: its interfaces, disks, metadata, and how it boots.",
  columns: [{ name: "State", path: ".status.state" }],
  spec: optional(spec),
  status: object({
    conditions: optional(conditions()),
    state: textField("Error or Ready."),
    machine: textField("Digest of what tells its machine from others, while this Hardware is the one that counts."),
    attributes: optional(
      object({ outOfBand: optional(inventory()) }, { description: "What was found in the machine." }),
    ),
  }),
});

/** One Hardware. */
export type Hardware = typeof Hardware.Type;
export type HardwareSpec = NonNullable<Hardware["spec"]>;
