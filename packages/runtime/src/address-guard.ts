import { lookup } from "node:dns";
import { BlockList, isIP, isIPv4 } from "node:net";
import { type AddressGuard, CapstanError } from "@capstan/contract";
import { networkOf } from "@capstan/kube-values";

export interface AddressGuardOptions {
  /** Addresses and networks that are allowed although they would be refused, for example `127.0.0.0/8`. Default: none. */
  readonly allowed?: readonly string[];
}

/** This computer, its link, everybody at once, and where clouds tell a machine its secrets. */
const refused = [
  "0.0.0.0/8",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "224.0.0.0/4",
  "255.255.255.255",
  "100.100.100.200",
  "168.63.129.16",
  "192.0.0.192",
  "::",
  "::1",
  "fe80::/10",
  "ff00::/8",
  "fd00:ec2::254",
  "fd20:ce::254",
];

const familyOf = (address: string): "ipv4" | "ipv6" => (isIPv4(address) ? "ipv4" : "ipv6");

const listOf = (networks: readonly string[]): BlockList => {
  const list = new BlockList();
  for (const text of networks) {
    const network = networkOf(text);
    if (network === undefined) throw invalidNetwork(text);
    list.addSubnet(network.address, network.prefix, familyOf(network.address));
  }
  return list;
};

/** The eight groups of an IPv6 address. */
const groupsOf = (address: string): readonly number[] => {
  const [head = "", tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split("::");
  const parts = (text: string): readonly number[] =>
    text === "" ? [] : text.split(":").map((group) => Number.parseInt(group, 16));
  const [before, after] = [parts(head), parts(tail ?? "")];
  return [...before, ...Array.from({ length: 8 - before.length - after.length }, () => 0), ...after];
};

/** The IPv4 address that connections to an IPv6 address end up at: mapped, compatible, translated (64:ff9b::) and 6to4. */
const embedded = (address: string): string | undefined => {
  const groups = groupsOf(address);
  const at = (index: number): string => {
    const [high = 0, low = 0] = groups.slice(index, index + 2);
    return [high >> 8, high & 255, low >> 8, low & 255].join(".");
  };
  const isZero = (from: number, to: number): boolean => groups.slice(from, to).every((group) => group === 0);
  const isMapped = isZero(0, 5) && (groups[5] === 0xffff || (groups[5] === 0 && groups[6] !== 0));
  const isTranslated = groups[0] === 0x64 && groups[1] === 0xff9b && isZero(2, 6);
  if (isMapped || isTranslated) return at(6);
  return groups[0] === 0x2002 ? at(1) : undefined;
};

/**
 * Refuses this computer's own addresses, those of its link, among them the metadata services of clouds, and those of several receivers;
 * an IPv6 address that stands for an IPv4 address is judged as that. Private networks are not refused. Throws `runtime.network_invalid`.
 */
export const addressGuard = ({ allowed = [] }: AddressGuardOptions = {}): AddressGuard => {
  const [refusedList, allowedList] = [listOf(refused), listOf(allowed)];
  const isPermitted = (address: string): boolean => {
    const bare = address.replace(/%.*$/, "");
    const really = isIPv4(bare) ? bare : (embedded(bare) ?? bare);
    const isIn = (list: BlockList): boolean => list.check(really, familyOf(really)) || list.check(bare, familyOf(bare));
    return isIn(allowedList) || !isIn(refusedList);
  };
  return {
    check: (url) => {
      const host = URL.canParse(url) ? new URL(url).hostname.replace(/^\[(.*)\]$/, "$1") : "";
      if (isIP(host) !== 0 && !isPermitted(host)) throw addressRefused(host, host);
    },
    lookup: (name, options, callback) => {
      lookup(name, { ...options, all: true }, (error, found) => {
        const bad = error === null ? found.find(({ address }) => !isPermitted(address)) : undefined;
        const failure = error ?? (bad === undefined ? null : addressRefused(name, bad.address));
        const [first] = found ?? [];
        if (failure !== null || first === undefined) callback(failure, "", 0);
        else if (options.all === true) callback(null, found);
        else callback(null, first.address, first.family);
      });
    },
  };
};

const addressRefused = (host: string, address: string): CapstanError =>
  new CapstanError({
    code: "runtime.address_refused",
    reason: "AddressRefused",
    message: `${host === address ? host : `${host} (${address})`} is an address of this computer or its link, or a metadata service, to which nothing is sent for objects of users; name another one, or have the administrator allow it with --allow-address ${address}`,
  });

const invalidNetwork = (text: string): CapstanError =>
  new CapstanError({
    code: "runtime.network_invalid",
    reason: "NetworkInvalid",
    message: `"${text}" is no address and no network; write for example 127.0.0.1 or 10.0.0.0/8`,
    retry: { kind: "never" },
  });
