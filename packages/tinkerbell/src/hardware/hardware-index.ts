import type { Cache } from "@capstan/kube";
import { Hardware } from "../api/hardware.ts";
import { decodedSegment } from "./decoded-segment.ts";
import { interfacesOf, normalized } from "./machine-marks.ts";
import { firstAmong, firstOf, hardwareSharing, indexMarks } from "./same-machine.ts";

const byAddress = "tinkerbell/address";
const byMac = "tinkerbell/mac";
const byInstance = "tinkerbell/instance-id";

/** `52-54-00-AA-00-01`, or with colons and percent-encoded as iPXE writes it, in the one form of Hardware; `undefined` if it is none. */
export const macAddress = (text: string): string | undefined => {
  const mac = decodedSegment(text)?.toLowerCase().replaceAll("-", ":");
  return mac !== undefined && /^([0-9a-f]{2}:){5}[0-9a-f]{2}$/.test(mac) ? mac : undefined;
};

const defined = (values: readonly (string | undefined)[]): readonly string[] =>
  [...new Set(values.filter((value) => value !== undefined && value !== ""))] as string[];

/** The Hardware of a machine, or why there is none; `isDoubtful`: there is some, but another Hardware counts in its place. */
export type FoundHardware =
  | { readonly hardware: Hardware }
  | { readonly missing: string; readonly isDoubtful: boolean };

/** Finds the Hardware of a machine that asks. Of several Hardware for one machine the one that comes first is served, and no other. */
export interface HardwareIndex {
  readonly ofAddress: (address: string) => FoundHardware;
  readonly ofMac: (mac: string) => FoundHardware;
  readonly ofInstance: (id: string) => FoundHardware;
}

const addressesOf = (hardware: Hardware): readonly string[] =>
  defined(interfacesOf(hardware).map(({ dhcp }) => dhcp?.ip?.address));
const addressKeysOf = (hardware: Hardware): readonly string[] => addressesOf(hardware).map(normalized);
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
  informer.addIndex(byAddress, addressKeysOf);
  informer.addIndex(byMac, macsOf);
  informer.addIndex(byInstance, instancesOf);
  indexMarks(cache);
  const find = (index: string, value: string, what: string): FoundHardware => {
    const found = cache.byIndex(Hardware, index, value);
    const hardware = firstAmong(found);
    if (hardware !== undefined && firstOf(hardware, hardwareSharing(cache, hardware)) === undefined) {
      return { hardware };
    }
    if (found.length === 0) return { missing: `no Hardware has ${what}`, isDoubtful: false };
    return { missing: `other Hardware describes the machine of the one that has ${what}`, isDoubtful: true };
  };
  return {
    ofAddress: (address) => find(byAddress, normalized(address), `the address ${address}`),
    ofMac: (mac) => find(byMac, mac, `an interface ${mac}`),
    ofInstance: (id) => find(byInstance, id, "this instance id"),
  };
};
