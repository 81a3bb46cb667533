import { DhcpOption } from "./option-values.ts";
import type { DhcpPacket } from "./packet.ts";

/** A client that wants to boot from the network. */
export interface BootClient {
  readonly vendor: "PXEClient" | "HTTPClient";
  /** User class that iPXE sends; empty for firmware. */
  readonly userClass: string;
  /** The iPXE binary for it, by its architecture. */
  readonly binary: string;
}

/** Architectures as RFC 4578 numbers them, and what came later. */
const bios = [0, 1, 2, 3, 4, 5, 20];
const arm = [10, 11, 18, 19, 41];
/** Raspberry Pis say something else. */
const raspberryPi = ["b8:27:eb", "dc:a6:32", "e4:5f:01", "28:cd:c1", "d8:3a:dd"];
/** Length of the option with the id of a machine: a type, 0, and a UUID. */
const machineIdLength = 17;

const binaryFor = (arch: number, mac: string): string => {
  if (arm.includes(arch) || raspberryPi.some((prefix) => mac.startsWith(prefix))) return "snp-arm64.efi";
  return bios.includes(arch) ? "undionly.kpxe" : "ipxe.efi";
};

const textOf = (value: Uint8Array | undefined): string => Buffer.from(value ?? []).toString("latin1");

/** RFC 3004 begins a class with its length, which iPXE leaves out. */
const userClassOf = (value: Uint8Array | undefined): string => {
  const text = textOf(value);
  return value !== undefined && value.length > 1 && value[0] === value.length - 1 ? text.slice(1) : text;
};

/** `undefined` for clients that only want an address. */
export const bootClient = ({ mac, options }: DhcpPacket): BootClient | undefined => {
  const vendorClass = textOf(options.get(DhcpOption.vendorClass));
  const vendor = (["PXEClient", "HTTPClient"] as const).find((name) => vendorClass.startsWith(name));
  const arch = options.get(DhcpOption.clientArch);
  const id = options.get(DhcpOption.machineId);
  if (vendor === undefined || arch === undefined || arch.length < 2) return undefined;
  if (!options.has(DhcpOption.networkInterface)) return undefined;
  if (id !== undefined && (id.length !== machineIdLength || id[0] !== 0)) return undefined;
  return {
    vendor,
    userClass: userClassOf(options.get(DhcpOption.userClass)),
    binary: binaryFor(Buffer.from(arch).readUInt16BE(0), mac),
  };
};
