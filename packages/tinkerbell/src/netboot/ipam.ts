import type { Hardware } from "../api/hardware.ts";

type Dhcp = NonNullable<NonNullable<NonNullable<Hardware["spec"]>["interfaces"]>[number]["dhcp"]>;

/**
 * The kernel argument by which an installation system without DHCP gets its address:
 * `ipam=<mac>:<vlan>:<address>:<netmask>:<gateway>:<host>:<name servers>:<search domains>:<time servers>`.
 */
export const ipamArgument = ({ domain_name, hostname, ip = {}, mac = "", ...dhcp }: Dhcp): string => {
  const { name_servers: names = [], time_servers: times = [], vlan_id: vlan = "" } = dhcp;
  const fields = [
    mac.replaceAll(":", "-"),
    vlan,
    ip.address ?? "",
    ip.netmask ?? "",
    ip.gateway ?? "",
    hostname ?? "",
    names.join(","),
    domain_name ?? "",
    times.join(","),
  ];
  return `ipam=${fields.join(":")}`;
};
