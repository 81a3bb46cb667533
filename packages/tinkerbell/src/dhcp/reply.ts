import type { Hardware } from "../api/hardware.ts";
import { bootClient, type BootClient } from "./boot-client.ts";
import {
  addressesValue,
  broadcastOf,
  DhcpOption,
  routesValue,
  searchListValue,
  textValue,
  uint32Value,
} from "./option-values.ts";
import { type DhcpPacket, DhcpType } from "./packet.ts";

type Interface = NonNullable<NonNullable<Hardware["spec"]>["interfaces"]>[number];

/** What replies say of the services. */
export interface DhcpSettings {
  /** `reservation`: addresses and what to boot; `proxy`: only what to boot, beside another server. */
  readonly mode: "reservation" | "proxy";
  /** The address of the services. */
  readonly address: string;
  readonly syslogHost: string;
  /** `http://host:port` of scripts and, for HTTP boot, binaries. */
  readonly httpUrl: string;
  /** User classes of iPXE that get the script; others get a binary first. */
  readonly scriptClasses: readonly string[];
}

/** A week, which an interface without a lease time gets. */
const standardLease = 604_800;
const any = "0.0.0.0";
/** Suboption 6 with 8: boot what the packet names, without looking for other servers. */
const bootFromPacket = Uint8Array.from([6, 1, 8, 255]);

type Options = readonly (readonly [number, Uint8Array | undefined])[];

/** The answer to a client, as its interface says; `undefined`: silence. */
export const dhcpReply = (
  request: DhcpPacket,
  own: Interface | undefined,
  settings: DhcpSettings,
): DhcpPacket | undefined => {
  const type = replyType(request);
  if (type === undefined || own === undefined || own.disableDhcp) return undefined;
  const client = bootClient(request);
  if (settings.mode === "proxy" && client === undefined) return undefined;
  const boot = bootPart(request.mac, { own, client, settings });
  const lease = settings.mode === "proxy" ? [] : leaseOptions(own, settings);
  const options: Options = [
    [DhcpOption.messageType, Uint8Array.from([type])],
    [DhcpOption.server, addressesValue([settings.address])],
    ...lease,
    ...boot.options,
  ];
  return {
    op: 2,
    xid: request.xid,
    secs: 0,
    flags: request.flags,
    ciaddr: request.ciaddr,
    yiaddr: settings.mode === "proxy" ? any : (own.dhcp?.ip?.address ?? any),
    siaddr: boot.nextServer,
    giaddr: request.giaddr,
    mac: request.mac,
    file: boot.file,
    options: new Map(options.filter((option): option is [number, Uint8Array] => option[1] !== undefined)),
  };
};

const replyType = ({ op, options }: DhcpPacket): number | undefined => {
  const [type] = options.get(DhcpOption.messageType) ?? [];
  if (op !== 1) return undefined;
  if (type === DhcpType.discover) return DhcpType.offer;
  return type === DhcpType.request ? DhcpType.ack : undefined;
};

const text = (value: string | undefined): Uint8Array | undefined =>
  value === undefined || value === "" ? undefined : textValue(value);

const leaseOptions = ({ dhcp = {} }: Interface, { syslogHost }: DhcpSettings): Options => {
  const { ip = {}, lease_time: lease = 0, classless_static_routes: routes = [], domain_name: domain = "" } = dhcp;
  const broadcast = broadcastOf(ip.address ?? "", ip.netmask ?? "");
  const known = routes.map(({ destination_descriptor: destination, router }) => ({ destination, router }));
  return [
    [DhcpOption.leaseTime, uint32Value(lease > 0 ? lease : standardLease)],
    [DhcpOption.netmask, addressesValue([ip.netmask])],
    [DhcpOption.routers, addressesValue([ip.gateway])],
    [DhcpOption.nameServers, addressesValue(dhcp.name_servers ?? [])],
    [DhcpOption.logServers, addressesValue([syslogHost])],
    [DhcpOption.hostname, text(dhcp.hostname)],
    [DhcpOption.domainName, text(domain)],
    [DhcpOption.searchList, domain === "" ? undefined : searchListValue([domain])],
    [DhcpOption.broadcast, addressesValue([broadcast])],
    [DhcpOption.timeServers, addressesValue(dhcp.time_servers ?? [])],
    [DhcpOption.routes, known.length === 0 ? undefined : routesValue(known)],
  ];
};

interface BootPart {
  readonly file: string;
  readonly nextServer: string;
  readonly options: Options;
}

interface BootInput {
  readonly own: Interface;
  readonly client: BootClient | undefined;
  readonly settings: DhcpSettings;
}

const bootPart = (mac: string, { own, client, settings }: BootInput): BootPart => {
  const { address, mode } = settings;
  const { tftp_server_name: server = "", boot_file_name: file = "" } = own.dhcp ?? {};
  if (server !== "" && file !== "") {
    const named: Options = [
      [DhcpOption.tftpServer, text(server)],
      [DhcpOption.bootFile, text(file)],
    ];
    return { file, nextServer: address, options: named };
  }
  if (client === undefined) return { file: "", nextServer: address, options: [] };
  const options: Options = [
    [DhcpOption.vendorClass, textValue(client.vendor)],
    [DhcpOption.vendor, bootFromPacket],
  ];
  if (own.netboot?.allowPXE !== true) {
    const refused = mode === "proxy" ? `/${mac}/netboot-not-allowed` : "/netboot-not-allowed";
    return { file: refused, nextServer: any, options };
  }
  return { file: bootFile(mac, { own, client, settings }), nextServer: address, options };
};

/** What a client boots next: the script once it is iPXE, before that the binary of iPXE, in the way that the client can fetch it. */
const bootFile = (mac: string, { own, client, settings }: BootInput & { readonly client: BootClient }): string => {
  const { address, httpUrl, scriptClasses } = settings;
  const { url = "", binary = "" } = own.netboot?.ipxe ?? {};
  const wanted = binary === "" ? client.binary : binary;
  if (scriptClasses.includes(client.userClass)) return url === "" ? `${httpUrl}/ipxe/script/${mac}/auto.ipxe` : url;
  if (client.vendor === "HTTPClient") return `${httpUrl}/ipxe/binary/${mac}/${wanted}`;
  return client.userClass === "iPXE" ? `tftp://${address}:69/${mac}/${wanted}` : wanted;
};
