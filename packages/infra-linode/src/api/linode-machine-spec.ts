import {
  boolean,
  defaulted,
  enumOf,
  immutable,
  integer,
  list,
  object,
  objectReference,
  optional,
  secretReference,
  string,
} from "@capstan/schema";
import { dataDisks, osDisk } from "./instance-disks.ts";
import { ipv6Options, legacyInterfaces, linodeInterfaces } from "./network-interfaces.ts";

const names = (item: string, description: string) => list(string({ description: item }), { description, type: "set" });

/** The spec of a LinodeMachine, of its own or in a template. */
export const linodeMachineSpec = () =>
  object(
    {
      providerID: optional(string({ description: "linode://<id>; set by the controller." })),
      instanceID: optional(integer({ description: "Not used any more; see providerID." })),
      region: immutable(string({ description: "Region id, for example us-ord.", minLength: 1 })),
      type: immutable(string({ description: "Plan, for example g6-standard-2.", minLength: 1 })),
      group: optional(immutable(string({ description: "Group the instance is shown in." }))),
      rootPass: optional(immutable(string({ description: "Password of root; a random one when unset." }))),
      authorizedKeys: optional(immutable(names("One public key.", "SSH keys of root."))),
      authorizedUsers: optional(immutable(names("One user name.", "Linode users whose SSH keys root gets."))),
      backupID: optional(immutable(integer({ description: "Backup the instance is made from." }))),
      image: optional(
        immutable(string({ description: "Image of the operating system; linode/ubuntu22.04 when unset." })),
      ),
      interfaces: optional(immutable(legacyInterfaces())),
      linodeInterfaces: optional(immutable(linodeInterfaces())),
      backupsEnabled: optional(immutable(boolean({ description: "Whether Linode makes backups." }))),
      privateIP: optional(immutable(boolean({ description: "Whether it gets a private address; true when unset." }))),
      tags: optional(names("One tag.", "Tags of the instance, beside the Cluster's name.")),
      firewallID: optional(
        integer({ description: "Id of the firewall of the instance; wins over firewallRef. 0 takes it away." }),
      ),
      osDisk: optional(osDisk()),
      dataDisks: optional(dataDisks()),
      diskEncryption: optional(
        immutable(enumOf(["enabled", "disabled"], { description: "Whether the disks are encrypted." })),
      ),
      credentialsRef: optional(
        secretReference({ description: "Secret with the key apiToken; the LinodeCluster's when unset." }),
      ),
      configuration: optional(
        object(
          { kernel: optional(string({ description: "Kernel, for example linode/grub2." })) },
          { description: "Configuration profile of the instance." },
        ),
      ),
      placementGroupRef: optional(
        immutable(objectReference({ description: "LinodePlacementGroup the instance is placed in." })),
      ),
      firewallRef: optional(immutable(objectReference({ description: "LinodeFirewall before the instance." }))),
      vpcRef: optional(
        immutable(objectReference({ description: "LinodeVPC of the instance; the cluster's when unset." })),
      ),
      vpcID: optional(immutable(integer({ description: "Id of the VPC of the instance; wins over vpcRef." }))),
      ipv6Options: optional(immutable(ipv6Options())),
      networkHelper: optional(
        immutable(boolean({ description: "Whether Linode writes the network configuration; true when unset." })),
      ),
      interfaceGeneration: defaulted(
        enumOf(["legacy_config", "linode"], { description: "Generation of the network interfaces." }),
        "legacy_config",
      ),
    },
    { description: "The instance wanted." },
  );
