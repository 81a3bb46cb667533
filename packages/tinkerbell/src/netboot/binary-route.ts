import { macAddress } from "../hardware/hardware-index.ts";
import { refusal, type ServiceRoute } from "../http/http-answer.ts";
import type { BootFolder } from "./boot-folder.ts";

const typeOf = (name: string): string => (name.endsWith(".efi") ? "application/efi" : "application/octet-stream");

/** `/ipxe/binary/<name>`, or with the MAC address of the machine before the name: binaries of iPXE, for machines that boot by HTTP. */
export const binaryRoute =
  (folder: BootFolder): ServiceRoute =>
  ({ path }) => {
    const match = /^\/ipxe\/binary\/(?:([^/]+)\/)?([^/]+)$/.exec(path);
    if (match === null) return undefined;
    const [, mac, name = ""] = match;
    if (mac !== undefined && macAddress(mac) === undefined) return refusal(404, "the path names no MAC address");
    return folder.binary(name).then((content) => {
      if (content === undefined) return refusal(404, "there is no such binary");
      return { status: 200, body: content, type: typeOf(name) };
    });
  };
