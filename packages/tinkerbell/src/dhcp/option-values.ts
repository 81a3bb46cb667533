/** Codes of options, by what they hold. */
export const DhcpOption = {
  netmask: 1,
  routers: 3,
  nameServers: 6,
  logServers: 7,
  hostname: 12,
  domainName: 15,
  broadcast: 28,
  timeServers: 42,
  vendor: 43,
  requestedAddress: 50,
  leaseTime: 51,
  messageType: 53,
  server: 54,
  message: 56,
  vendorClass: 60,
  tftpServer: 66,
  bootFile: 67,
  userClass: 77,
  relay: 82,
  clientArch: 93,
  networkInterface: 94,
  machineId: 97,
  searchList: 119,
  routes: 121,
} as const;

const isIpv4 = (text: string): boolean =>
  /^\d{1,3}(\.\d{1,3}){3}$/.test(text) && text.split(".").every((part) => Number(part) < 256);

/** Reads an option with one address; `undefined` if it is missing or has another length. */
export const addressIn = (value: Uint8Array | undefined): string | undefined =>
  value?.length === 4 ? value.join(".") : undefined;

export const textValue = (text: string): Uint8Array => Buffer.from(text, "utf8");

export const uint32Value = (number: number): Uint8Array => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(number);
  return bytes;
};

/** More than a packet holds. */
const mostEntries = 400;

/** Those that are IPv4; `undefined` if none is. */
export const addressesValue = (addresses: readonly (string | undefined)[]): Uint8Array | undefined => {
  const valid = addresses
    .slice(0, mostEntries)
    .filter((address) => address !== undefined && isIpv4(address)) as string[];
  return valid.length === 0 ? undefined : Uint8Array.from(valid.flatMap((address) => address.split(".").map(Number)));
};

/** The last address of the network of an address. */
export const broadcastOf = (address: string, netmask: string): string | undefined => {
  if (!isIpv4(address) || !isIpv4(netmask)) return undefined;
  const mask = netmask.split(".").map(Number);
  return address
    .split(".")
    .map((part, index) => Number(part) | (~mask[index]! & 255))
    .join(".");
};

/** Domains as RFC 1035 writes them, without references to one another. */
export const searchListValue = (domains: readonly string[]): Uint8Array =>
  Buffer.concat(
    domains.map((domain) =>
      Buffer.concat([
        ...domain.split(".").map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)])),
        Buffer.from([0]),
      ]),
    ),
  );

export interface Route {
  /** For example `10.1.0.0/16`. */
  readonly destination: string;
  readonly router: string;
}

/** RFC 3442: width, as many bytes of the network as matter, router. */
export const routesValue = (routes: readonly Route[]): Uint8Array =>
  Uint8Array.from(
    routes.slice(0, mostEntries).flatMap(({ destination, router }) => {
      const [network = "", width = "0"] = destination.split("/");
      const significant = network
        .split(".")
        .map(Number)
        .slice(0, Math.ceil(Number(width) / 8));
      return [Number(width), ...significant, ...router.split(".").map(Number)];
    }),
  );
