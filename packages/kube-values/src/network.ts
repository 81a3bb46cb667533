import { isIP, isIPv4 } from "node:net";

/** The address and prefix length of a network such as `10.0.0.0/8`; of an address alone all its bits. `undefined` for what is neither. */
export const networkOf = (text: string): { readonly address: string; readonly prefix: number } | undefined => {
  const [address = "", length, ...more] = text.split("/");
  const longest = isIPv4(address) ? 32 : 128;
  if (isIP(address) === 0 || more.length > 0) return undefined;
  if (length === undefined) return { address, prefix: longest };
  return /^\d{1,3}$/.test(length) && Number(length) <= longest ? { address, prefix: Number(length) } : undefined;
};
