import { boolean, immutable, integer, list, object, optional, string } from "@capstan/schema";
import type { Node } from "@capstan/schema";

const present = (description: string): Node<string> => string({ description, minLength: 1 });

const ranges = (description: string) =>
  list(object({ range: present("Range of addresses, or /64 for any.") }, { description: "One range." }), {
    description,
    keys: ["range"],
  });

/** `interfaces`: the older generation, part of a configuration profile. */
export const legacyInterfaces = () =>
  list(
    object(
      {
        ipamAddress: optional(string({ description: "Address in a VLAN, with its prefix length." })),
        label: optional(string({ description: "Name of the VLAN.", minLength: 3, maxLength: 63 })),
        purpose: optional(string({ description: "public, vlan or vpc." })),
        primary: optional(boolean({ description: "Whether the default route goes through it." })),
        subnetId: optional(integer({ description: "Id of the VPC subnet." })),
        ipv4: optional(
          object(
            {
              vpc: optional(string({ description: "Address in the VPC; any when unset." })),
              nat1to1: optional(string({ description: "Public address mapped to the VPC address, or any." })),
            },
            { description: "IPv4 of a VPC interface." },
          ),
        ),
        ipRanges: optional(
          list(string({ description: "One range." }), {
            description: "Further ranges of the VPC routed to the interface.",
            type: "set",
          }),
        ),
      },
      { description: "One interface." },
    ),
    { description: "Network interfaces of the older generation, at most three.", type: "atomic" },
  );

const defaultRoute = () =>
  object(
    {
      ipv4: optional(boolean({ description: "For IPv4." })),
      ipv6: optional(boolean({ description: "For IPv6." })),
    },
    { description: "Whether default routes go through the interface." },
  );

const publicInterface = () =>
  object(
    {
      ipv4: optional(
        object(
          {
            addresses: optional(
              list(
                object(
                  {
                    address: present("The address, or auto."),
                    primary: optional(boolean({ description: "Whether it is the one used as source." })),
                  },
                  { description: "One address." },
                ),
                { description: "Addresses.", keys: ["address"] },
              ),
            ),
          },
          { description: "IPv4." },
        ),
      ),
      ipv6: optional(object({ ranges: optional(ranges("Ranges routed to it.")) }, { description: "IPv6." })),
    },
    { description: "Makes it a public interface." },
  );

const vpcAddress = () =>
  object(
    {
      address: present("The address, or auto."),
      primary: optional(boolean({ description: "Whether it is the one used as source." })),
      nat1to1Address: optional(string({ description: "Public address mapped to it, or auto." })),
      nat_1_1_address: optional(string({ description: "Other spelling of nat1to1Address, which wins." })),
    },
    { description: "One address." },
  );

const vpcInterface = () =>
  object(
    {
      subnetId: optional(integer({ description: "Id of the VPC subnet." })),
      subnet_id: optional(integer({ description: "Other spelling of subnetId, which wins." })),
      ipv4: optional(
        object(
          {
            addresses: optional(list(vpcAddress(), { description: "Addresses.", keys: ["address"] })),
            ranges: optional(ranges("Further ranges routed to it.")),
          },
          { description: "IPv4." },
        ),
      ),
      ipv6: optional(
        object(
          {
            slaac: optional(ranges("Ranges from which the machine makes its own address.")),
            ranges: optional(ranges("Further ranges routed to it.")),
            isPublic: optional(boolean({ description: "Whether the addresses are reached from outside." })),
            is_public: optional(boolean({ description: "Other spelling of isPublic, which wins." })),
          },
          { description: "IPv6." },
        ),
      ),
    },
    { description: "Makes it an interface in a VPC." },
  );

const vlanInterface = () =>
  object(
    {
      vlanLabel: optional(present("Name of the VLAN.")),
      vlan_label: optional(present("Other spelling of vlanLabel, which wins.")),
      ipamAddress: optional(string({ description: "Address in the VLAN, with its prefix length." })),
      ipam_address: optional(string({ description: "Other spelling of ipamAddress, which wins." })),
    },
    { description: "Makes it an interface in a VLAN." },
  );

/** `linodeInterfaces`: the newer generation. Both spellings of a field are accepted. */
export const linodeInterfaces = () =>
  list(
    object(
      {
        firewallID: optional(integer({ description: "Id of the firewall before it." })),
        firewall_id: optional(integer({ description: "Other spelling of firewallID, which wins." })),
        defaultRoute: optional(defaultRoute()),
        default_route: optional(defaultRoute()),
        public: optional(publicInterface()),
        vpc: optional(vpcInterface()),
        vlan: optional(vlanInterface()),
      },
      { description: "One interface: public, VPC or VLAN." },
    ),
    { description: "Network Linode interfaces, at most three.", type: "atomic" },
  );

/** IPv6 of the VPC interface that the controller adds. */
export const ipv6Options = () =>
  object(
    {
      enableSLAAC: optional(immutable(boolean({ description: "The machine makes an address of its own." }))),
      enableRanges: optional(immutable(boolean({ description: "A range is routed to the machine." }))),
      isPublicIPv6: optional(immutable(boolean({ description: "The addresses are reached from outside." }))),
    },
    { description: "IPv6 of the VPC interface." },
  );
