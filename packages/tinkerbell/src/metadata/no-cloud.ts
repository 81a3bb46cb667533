import { presentFields } from "@capstan/kube-values";
import { yamlText } from "@capstan/kit/bootstrap";
import type { Hardware } from "../api/hardware.ts";
import { agentIdsOf } from "../hardware/hardware-index.ts";

const yaml = (value: object): string => yamlText(value, { sortKeys: false });

/** Renders `meta-data` of NoCloud. Without an instance id, the id of the agent or an address takes its place. */
export const noCloudMetadata = (hardware: Hardware): string => {
  const { id = "", hostname = "", ssh_keys: keys = [] } = hardware.spec?.metadata?.instance ?? {};
  return yaml(
    presentFields({
      "instance-id": id === "" ? (agentIdsOf(hardware)[0] ?? hardware.metadata.name) : id,
      "local-hostname": hostname === "" ? undefined : hostname,
      "public-keys": keys.length === 0 ? undefined : keys,
    }),
  );
};

type Dhcp = NonNullable<NonNullable<NonNullable<Hardware["spec"]>["interfaces"]>[number]["dhcp"]>;

const present = (text: string | undefined): string | undefined => (text === "" ? undefined : text);

/** The length of the prefix that a netmask of IPv4 says, or that is written as such. */
const prefixOf = (netmask: string): number => {
  if (/^\d+$/.test(netmask)) return Number(netmask);
  const bits = netmask.split(".").map((part) => Number(part).toString(2).replaceAll("0", ""));
  return bits.join("").length;
};

const routesOf = ({ classless_static_routes: routes = [], ip = {} }: Dhcp, isIPv6: boolean) => {
  const gateway = present(ip.gateway);
  const own = routes.flatMap(({ destination_descriptor: to, router: via }) => (to && via ? [{ to, via }] : []));
  return [...(gateway === undefined ? [] : [{ to: isIPv6 ? "::/0" : "0.0.0.0/0", via: gateway }]), ...own];
};

const ethernet = (dhcp: Dhcp, mac: string) => {
  const { ip = {}, name_servers: servers = [], domain_name: domain } = dhcp;
  const [address, netmask] = [present(ip.address), present(ip.netmask)];
  const isIPv6 = address?.includes(":") ?? false;
  const name = present(dhcp.iface_name);
  const settings =
    address === undefined || netmask === undefined
      ? { dhcp4: true }
      : presentFields({
          addresses: [`${address}/${prefixOf(netmask)}`],
          routes: routesOf(dhcp, isIPv6).length === 0 ? undefined : routesOf(dhcp, isIPv6),
          nameservers:
            servers.length === 0
              ? undefined
              : presentFields({ addresses: servers, search: present(domain) === undefined ? undefined : [domain] }),
        });
  return { match: { macaddress: mac.toLowerCase() }, ...(name !== undefined && { "set-name": name }), ...settings };
};

/** Renders `network-config` of NoCloud, version 2; `undefined` if no interface has a MAC address. */
export const noCloudNetwork = ({ spec }: Hardware): string | undefined => {
  const known = (spec?.interfaces ?? []).flatMap(({ dhcp }) =>
    dhcp?.mac === undefined || dhcp.mac === "" ? [] : [{ dhcp, mac: dhcp.mac }],
  );
  if (known.length === 0) return undefined;
  const ethernets = known.map(({ dhcp, mac }, index) => [`interface${index}`, ethernet(dhcp, mac)]);
  return yaml({ version: 2, ethernets: Object.fromEntries(ethernets) as object });
};
