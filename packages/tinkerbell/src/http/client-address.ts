import { BlockList, isIP } from "node:net";
import { CapstanError } from "@capstan/contract";

const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

const bracketed = /^\[([^\]]+)\](?::\d+)?$/;
const withPort = /^(\d+\.\d+\.\d+\.\d+):\d+$/;

/** An address alone: proxies may add a port, and brackets; sockets give IPv4 as IPv6. */
const plain = (text: string): string => {
  const trimmed = text.trim();
  const address = bracketed.exec(trimmed)?.[1] ?? withPort.exec(trimmed)?.[1] ?? trimmed;
  return mapped.exec(address)?.[1] ?? address;
};

const family = (address: string): "ipv4" | "ipv6" => (isIP(address) === 6 ? "ipv6" : "ipv4");

/** Ranges such as `10.0.0.0/8`. Throws `tink.range_invalid`. */
export const addressRanges = (ranges: readonly string[], option: string): BlockList => {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = "", bits = ""] = range.split("/");
    const most = isIP(address) === 6 ? 128 : 32;
    if (isIP(address) === 0 || !/^\d+$/.test(bits) || Number(bits) > most) {
      throw new CapstanError({
        code: "tink.range_invalid",
        reason: "RangeInvalid",
        message: `${option}: ${JSON.stringify(range)} is not a range of addresses; write for example 10.0.0.0/8`,
        retry: { kind: "never" },
      });
    }
    list.addSubnet(address, Number(bits), family(address));
  }
  return list;
};

/**
 * Who asks. What proxies say is believed only of those that are trusted, from the last back to the first that is not; with none trusted it
 * is the peer. `undefined` if the header names something that is no address.
 */
export const clientAddress = (
  { peer, forwardedFor }: { readonly peer: string; readonly forwardedFor: string | undefined },
  trusted: BlockList,
): string | undefined => {
  const chain = [...(forwardedFor ?? "").split(",").filter((part) => part.trim() !== ""), peer].map(plain);
  while (chain.length > 1) {
    const last = chain.at(-1)!;
    if (isIP(last) === 0 || !trusted.check(last, family(last))) break;
    chain.pop();
  }
  const address = chain.at(-1)!;
  return isIP(address) === 0 ? undefined : address;
};
