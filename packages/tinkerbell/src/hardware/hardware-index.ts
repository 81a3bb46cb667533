import type { Cache } from "@capstan/kube";
import { Hardware } from "../api/hardware.ts";
import { decodedSegment } from "./decoded-segment.ts";

const byAddress = "tinkerbell/address";
const byMac = "tinkerbell/mac";
const byInstance = "tinkerbell/instance-id";

/** `52-54-00-AA-00-01`, or with colons and percent-encoded as iPXE writes it, in the one form of Hardware; `undefined` if it is none. */
export const macAddress = (text: string): string | undefined => {
  const mac = decodedSegment(text)?.toLowerCase().replaceAll("-", ":");
  return mac !== undefined && /^([0-9a-f]{2}:){5}[0-9a-f]{2}$/.test(mac) ? mac : undefined;
};

const interfacesOf = ({ spec }: Hardware): NonNullable<NonNullable<Hardware["spec"]>["interfaces"]> =>
  spec?.interfaces ?? [];

const defined = (values: readonly (string | undefined)[]): readonly string[] =>
  [...new Set(values.filter((value) => value !== undefined && value !== ""))] as string[];

/** Of what a machine is asked for: which Hardware has this address, and so on. More than one is a mistake in the Hardware. */
export interface HardwareIndex {
  readonly ofAddress: (address: string) => readonly Hardware[];
  readonly ofMac: (mac: string) => readonly Hardware[];
  readonly ofInstance: (id: string) => readonly Hardware[];
}

const addressesOf = (hardware: Hardware): readonly string[] =>
  defined(interfacesOf(hardware).map(({ dhcp }) => dhcp?.ip?.address));
const macsOf = (hardware: Hardware): readonly string[] =>
  defined(interfacesOf(hardware).map(({ dhcp }) => dhcp?.mac?.toLowerCase()));
const instancesOf = ({ spec }: Hardware): readonly string[] => defined([spec?.metadata?.instance?.id]);

/** By which an agent on a machine may be known: the id that is set, that of its instance, its MAC and IP addresses. */
export const agentIdsOf = (hardware: Hardware): readonly string[] => [
  ...defined([hardware.spec?.agentID]),
  ...instancesOf(hardware),
  ...macsOf(hardware),
  ...addressesOf(hardware),
];

/** Declares the indexes on a cache that does not run yet; several services may. */
export const hardwareIndex = (cache: Cache): HardwareIndex => {
  const informer = cache.informer(Hardware);
  informer.addIndex(byAddress, addressesOf);
  informer.addIndex(byMac, macsOf);
  informer.addIndex(byInstance, instancesOf);
  return {
    ofAddress: (address) => cache.byIndex(Hardware, byAddress, address),
    ofMac: (mac) => cache.byIndex(Hardware, byMac, mac),
    ofInstance: (id) => cache.byIndex(Hardware, byInstance, id),
  };
};
