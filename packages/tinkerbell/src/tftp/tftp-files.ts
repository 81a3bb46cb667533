import type { Hardware } from "../api/hardware.ts";
import { macAddress, type HardwareIndex } from "../hardware/hardware-index.ts";
import { normalized } from "../hardware/machine-marks.ts";
import type { BootFolder } from "../netboot/boot-folder.ts";

type Interface = NonNullable<NonNullable<Hardware["spec"]>["interfaces"]>[number];

export interface TftpFiles {
  readonly folder: BootFolder;
  readonly hardware: HardwareIndex;
}

const interfaceWith = (hardware: Hardware, test: (each: Interface) => boolean): Interface | undefined =>
  hardware.spec?.interfaces?.find(test);

const bytesOf = (text: string | undefined): Buffer | undefined =>
  text === undefined || text === "" ? undefined : Buffer.from(text);

/** The configuration of pxelinux, which it asks for by the MAC address of a machine that may boot from the network. */
const pxelinuxConfig = (mac: string, { hardware }: TftpFiles): Buffer | undefined => {
  const found = hardware.ofMac(mac);
  if ("missing" in found) return undefined;
  const { netboot } = interfaceWith(found.hardware, ({ dhcp }) => dhcp?.mac?.toLowerCase() === mac) ?? {};
  return netboot?.allowPXE === true ? bytesOf(netboot.pxelinux?.config) : undefined;
};

/** Files of a Raspberry Pi, which it asks for by its serial number, from its own address. */
const raspberryPiFile = async (
  serial: string,
  rest: string,
  client: string,
  { folder, hardware }: TftpFiles,
): Promise<Uint8Array | undefined> => {
  const found = hardware.ofAddress(client);
  if ("missing" in found) return undefined;
  const isOwn = ({ dhcp }: Interface): boolean => normalized(dhcp?.ip?.address ?? "") === normalized(client);
  const { netboot } = interfaceWith(found.hardware, isOwn) ?? {};
  const { rpi } = netboot ?? {};
  if (netboot?.allowPXE !== true || rpi?.serialNum !== serial) return undefined;
  const [config, commandLine] = [bytesOf(rpi.configTxt), bytesOf(netboot.osie?.kernelParams?.join(" "))];
  if (rest === "config.txt" && config !== undefined) return config;
  if (rest === "cmdline.txt" && commandLine !== undefined) return commandLine;
  return (rpi.firmwarePath ?? "") === "" ? undefined : folder.firmware(`${rpi.firmwarePath}/${rest}`);
};

/**
 * Returns the file at a path of TFTP: binaries of iPXE, with or without the MAC address before them, `pxelinux.cfg/01-<mac>`, and what a
 * Raspberry Pi asks for. Nothing else is served.
 */
export const tftpFile = async (path: string, client: string, files: TftpFiles): Promise<Uint8Array | undefined> => {
  const [first = "", ...rest] = path.replace(/^\/+/, "").split("/");
  if (rest.length === 0) return files.folder.binary(first);
  if (rest.length === 1 && macAddress(first) !== undefined) return files.folder.binary(rest[0]!);
  if (first === "pxelinux.cfg") {
    const mac = rest.length === 1 && rest[0]!.startsWith("01-") ? macAddress(rest[0]!.slice(3)) : undefined;
    return mac === undefined ? undefined : pxelinuxConfig(mac, files);
  }
  return raspberryPiFile(first, rest.join("/"), client, files);
};
