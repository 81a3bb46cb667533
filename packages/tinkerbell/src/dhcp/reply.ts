import type { Hardware } from "../api/hardware.ts";
import { bootClient, type BootClient } from "./boot-client.ts";
import {
  addressesValue,
  addressIn,
  broadcastOf,
  DhcpOption,
  routesValue,
  searchListValue,
  textValue,
  uint32Value,
} from "./option-values.ts";
import { type DhcpPacket, DhcpType } from "./packet.ts";

export type HardwareInterface = NonNullable<NonNullable<Hardware["spec"]>["interfaces"]>[number];

/** DHCP mode, and addresses of the services for replies. */
export interface DhcpSettings {
  /** `reservation`: addresses and what to boot; `proxy` and `auto-proxy`: only what to boot, beside another server. */
  readonly mode: "reservation" | "proxy" | "auto-proxy";
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
/** Asks a relay to broadcast a reply. */
const broadcastFlag = 0x80_00;
/** Suboption 6 with 8: boot what the packet names, without looking for other servers. */
const bootFromPacket = Uint8Array.from([6, 1, 8, 255]);

type Options = readonly (readonly [number, Uint8Array | undefined])[];

/** The port that a request came to: 67 for all clients, 4011 for those that ask a proxy what to boot. */
export type DhcpDoor = "server" | "boot";

/** Returns the reply to a client, as its interface in the Hardware says; `undefined` for silence. */
export const dhcpReply = (
  request: DhcpPacket,
  own: HardwareInterface | undefined,
  settings: DhcpSettings,
  door: DhcpDoor = "server",
): DhcpPacket | undefined => {
  if (own === undefined || own.disableDhcp) return undefined;
  const type =
    settings.mode !== "reservation" ? proxyReplyType(request, settings, door) : replyType(request, own, settings);
  if (type === undefined) return undefined;
  return type === DhcpType.nak ? refusal(request, settings) : answer(type, request, own, settings);
};

const replyHead = (request: DhcpPacket) => {
  const { ciaddr, flags, giaddr, mac, xid } = request;
  return { op: 2, xid, secs: 0, flags, ciaddr, giaddr, mac } as const;
};

const optionMap = (options: Options, request: DhcpPacket): DhcpPacket["options"] => {
  // A relay finds its client by what it has put into this option.
  const all: Options = [...options, [DhcpOption.relay, request.options.get(DhcpOption.relay)]];
  return new Map(all.filter((option): option is [number, Uint8Array] => option[1] !== undefined));
};

const answer = (
  type: number,
  request: DhcpPacket,
  own: HardwareInterface,
  settings: DhcpSettings,
): DhcpPacket | undefined => {
  const client = bootClient(request);
  const isProxy = settings.mode !== "reservation";
  if (isProxy && client === undefined) return undefined;
  const boot = bootPart(request.mac, { own, client, settings });
  const isInformed = typeOf(request) === DhcpType.inform;
  const lease = isProxy
    ? []
    : leaseOptions(own, settings).filter(([code]) => !isInformed || code !== DhcpOption.leaseTime);
  const options: Options = [
    [DhcpOption.messageType, Uint8Array.from([type])],
    [DhcpOption.server, addressesValue([settings.address])],
    ...lease,
    ...boot.options,
  ];
  const yiaddr = isProxy || isInformed ? any : (own.dhcp?.ip?.address ?? any);
  const { file, nextServer: siaddr } = boot;
  return { ...replyHead(request), yiaddr, siaddr, file, options: optionMap(options, request) };
};

/** A client that hears it asks for an address again, instead of waiting for its own to expire. */
const refusal = (request: DhcpPacket, { address }: DhcpSettings): DhcpPacket => {
  const options: Options = [
    [DhcpOption.messageType, Uint8Array.from([DhcpType.nak])],
    [DhcpOption.server, addressesValue([address])],
    [DhcpOption.message, textValue("this address is not reserved for this machine")],
  ];
  const head = { ...replyHead(request), ciaddr: any, yiaddr: any, siaddr: any, file: "" };
  // A relay has to broadcast it: the client may be unreachable at the address that it believes to have.
  const flags = request.giaddr === any ? request.flags : request.flags | broadcastFlag;
  return { ...head, flags, options: optionMap(options, request) };
};

const typeOf = ({ options }: DhcpPacket): number | undefined => options.get(DhcpOption.messageType)?.[0];

const isForOther = ({ options }: DhcpPacket, { address }: DhcpSettings): boolean => {
  const server = addressIn(options.get(DhcpOption.server));
  return server !== undefined && server !== address;
};

const replyType = (request: DhcpPacket, { dhcp }: HardwareInterface, settings: DhcpSettings): number | undefined => {
  if (request.op !== 1 || isForOther(request, settings)) return undefined;
  switch (typeOf(request)) {
    case DhcpType.discover:
      return DhcpType.offer;
    case DhcpType.inform:
      return DhcpType.ack;
    case DhcpType.request: {
      const asked = addressIn(request.options.get(DhcpOption.requestedAddress)) ?? request.ciaddr;
      return asked === any || asked === (dhcp?.ip?.address ?? any) ? DhcpType.ack : DhcpType.nak;
    }
    default:
      return undefined;
  }
};

/** At port 67 a proxy joins offers alone: the leases are those of another server. */
const proxyReplyType = (request: DhcpPacket, settings: DhcpSettings, door: DhcpDoor): number | undefined => {
  if (request.op !== 1 || isForOther(request, settings)) return undefined;
  const type = typeOf(request);
  if (type === DhcpType.discover) return DhcpType.offer;
  const isAsked = door === "boot" || request.options.has(DhcpOption.server);
  return isAsked && (type === DhcpType.request || type === DhcpType.inform) ? DhcpType.ack : undefined;
};

const text = (value: string | undefined): Uint8Array | undefined =>
  value === undefined || value === "" ? undefined : textValue(value);

const leaseOptions = ({ dhcp = {} }: HardwareInterface, { syslogHost }: DhcpSettings): Options => {
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
  readonly own: HardwareInterface;
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
    const refused = mode !== "reservation" ? `/${mac}/netboot-not-allowed` : "/netboot-not-allowed";
    return { file: refused, nextServer: any, options };
  }
  return { file: bootFile(mac, { own, client, settings }), nextServer: address, options };
};

/** Returns the boot file of a client: the script for iPXE of a script class, otherwise the iPXE binary, as a path or URL it can fetch. */
const bootFile = (mac: string, { own, client, settings }: BootInput & { readonly client: BootClient }): string => {
  const { address, httpUrl, scriptClasses } = settings;
  const { url = "", binary = "" } = own.netboot?.ipxe ?? {};
  const wanted = binary === "" ? client.binary : binary;
  if (scriptClasses.includes(client.userClass)) return url === "" ? `${httpUrl}/ipxe/script/${mac}/auto.ipxe` : url;
  if (client.vendor === "HTTPClient") return `${httpUrl}/ipxe/binary/${mac}/${wanted}`;
  return client.userClass === "iPXE" ? `tftp://${address}:69/${mac}/${wanted}` : wanted;
};
