import { isIP, isIPv4 } from "node:net";
import { forbidden, invalid, tooLong } from "@capstan/kit/admission";
import type { Cause } from "@capstan/schema";
import type { Hardware } from "../api/hardware.ts";
import { mostInterfaces, normalized } from "../hardware/machine-marks.ts";

type Interface = NonNullable<NonNullable<Hardware["spec"]>["interfaces"]>[number];
type Address = NonNullable<NonNullable<Interface["dhcp"]>["ip"]>;

const bitsOf = (address: string): number => address.split(".").reduce((bits, octet) => bits * 256 + Number(octet), 0);

const networkOf = (address: string, netmask: string): number => (bitsOf(address) & bitsOf(netmask)) >>> 0;

/** A gateway that the machine cannot reach. */
const gatewayCauses = ({ address = "", gateway = "", netmask = "" }: Address, field: string): readonly Cause[] => {
  if (![address, gateway, netmask].every(isIPv4)) return [];
  if (networkOf(address, netmask) === networkOf(gateway, netmask)) return [];
  return [invalid(`${field}.gateway`, gateway, `is not in the network of ${address} with the netmask ${netmask}`)];
};

const wrongAddress = (field: string, value: string): readonly Cause[] =>
  value === "" || isIP(value) !== 0 ? [] : [invalid(field, value, "must be an IP address such as 10.0.0.5")];

const addressCauses = (ip: Address, field: string): readonly Cause[] => {
  const { address = "", gateway = "", netmask = "" } = ip;
  const wrong = [...wrongAddress(`${field}.address`, address), ...wrongAddress(`${field}.gateway`, gateway)];
  if (wrong.length > 0) return wrong;
  const wrongMask = isIPv4(address) && netmask !== "" && !isIPv4(netmask);
  return wrongMask
    ? [invalid(`${field}.netmask`, netmask, "must be a netmask such as 255.255.255.0")]
    : gatewayCauses(ip, field);
};

const macForm = /^([0-9a-f]{2}:){5}[0-9a-f]{2}$/;

const macCauses = (mac: string | undefined, field: string): readonly Cause[] =>
  mac === undefined || mac === "" || macForm.test(mac)
    ? []
    : [invalid(field, mac, "must be a MAC address in lower case, such as 52:54:00:12:34:56")];

/** Control characters: a line break would begin a line of its own in the script for iPXE. */
const control = /\p{Cc}/u;

const lineCauses = ({ dhcp, netboot }: Interface, field: string): readonly Cause[] => {
  const { ipxe, osie } = netboot ?? {};
  const params = (osie?.kernelParams ?? []).map(
    (value, index) => [`netboot.osie.kernelParams[${index}]`, value] as const,
  );
  const texts = [
    ["dhcp.arch", dhcp?.arch],
    ["netboot.ipxe.url", ipxe?.url],
    ["netboot.ipxe.binary", ipxe?.binary],
    ["netboot.osie.baseURL", osie?.baseURL],
    ["netboot.osie.kernel", osie?.kernel],
    ["netboot.osie.initrd", osie?.initrd],
    ...params,
  ] as const;
  return texts.flatMap(([name, value]) =>
    value !== undefined && control.test(value)
      ? [invalid(`${field}.${name}`, value, "must be one line without control characters")]
      : [],
  );
};

/** Values that several interfaces have, with the field of the second. */
const twice = (values: readonly (readonly [field: string, value: string | undefined])[]): readonly Cause[] => {
  const known = new Set<string>();
  return values.flatMap(([field, value = ""]) => {
    if (value === "") return [];
    const isKnown = known.has(normalized(value));
    known.add(normalized(value));
    return isKnown ? [invalid(field, value, "another interface has it already")] : [];
  });
};

const path = "spec.interfaces";

/** Causes of the object alone, whatever it was before. */
const allCauses = ({ spec = {} }: Hardware): readonly Cause[] => {
  const { interfaces: all = [] } = spec;
  const interfaces = all.slice(0, mostInterfaces);
  return [
    ...(all.length > mostInterfaces ? [tooLong(path, `a machine has at most ${mostInterfaces} interfaces`)] : []),
    ...interfaces.flatMap(({ dhcp }, index) => macCauses(dhcp?.mac, `${path}[${index}].dhcp.mac`)),
    ...twice(interfaces.map(({ dhcp }, index) => [`${path}[${index}].dhcp.mac`, dhcp?.mac])),
    ...twice(interfaces.map(({ dhcp }, index) => [`${path}[${index}].dhcp.ip.address`, dhcp?.ip?.address])),
    ...interfaces.flatMap(({ dhcp }, index) => addressCauses(dhcp?.ip ?? {}, `${path}[${index}].dhcp.ip`)),
    ...interfaces.flatMap((each, index) => lineCauses(each, `${path}[${index}]`)),
    ...(control.test(spec.agentID ?? "")
      ? [invalid("spec.agentID", spec.agentID ?? "", "must be one line without control characters")]
      : []),
    ...(Object.keys(spec.references ?? {}).length === 0
      ? []
      : [
          forbidden(
            "spec.references",
            "templates may not read other objects yet; put what they need into the Template or the hardware map",
          ),
        ]),
    ...(spec.auto?.enrollmentEnabled === true
      ? [forbidden("spec.auto.enrollmentEnabled", "machines are not enrolled by rules yet; make a Workflow")]
      : []),
  ];
};

/**
 * Returns the reasons to refuse a Hardware by itself. Errors that it had before are no reason: controllers have to write to it. A controller
 * compares it with other Hardware, and reports what they have in common by the condition `MachineUnique`.
 */
export const hardwareCauses = (hardware: Hardware, old?: Hardware): readonly Cause[] => {
  const textOf = ({ field, message }: Cause): string => `${field}: ${message}`;
  const before = new Set(old === undefined ? [] : allCauses(old).map(textOf));
  return allCauses(hardware).filter((cause) => !before.has(textOf(cause)));
};
