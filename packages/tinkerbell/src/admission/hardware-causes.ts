import { isIPv4 } from "node:net";
import { forbidden, invalid } from "@capstan/kit/admission";
import type { Cause } from "@capstan/schema";
import type { Hardware } from "../api/hardware.ts";

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

const addressCauses = (ip: Address, field: string): readonly Cause[] => {
  const { address = "", netmask = "" } = ip;
  const wrongMask = isIPv4(address) && netmask !== "" && !isIPv4(netmask);
  return wrongMask
    ? [invalid(`${field}.netmask`, netmask, "must be a netmask such as 255.255.255.0")]
    : gatewayCauses(ip, field);
};

/** Values that several interfaces have, with the field of the second. */
const twice = (values: readonly (readonly [field: string, value: string | undefined])[]): readonly Cause[] =>
  values.flatMap(([field, value], index) =>
    value !== undefined && value !== "" && values.findIndex(([, other]) => other === value) < index
      ? [invalid(field, value, "another interface has it already")]
      : [],
  );

const path = "spec.interfaces";

/** What is wrong with a Hardware for itself; what several have in common, their users find out. */
export const hardwareCauses = ({ spec = {} }: Hardware): readonly Cause[] => {
  const interfaces = spec.interfaces ?? [];
  return [
    ...twice(interfaces.map(({ dhcp }, index) => [`${path}[${index}].dhcp.mac`, dhcp?.mac?.toLowerCase()])),
    ...twice(interfaces.map(({ dhcp }, index) => [`${path}[${index}].dhcp.ip.address`, dhcp?.ip?.address])),
    ...interfaces.flatMap(({ dhcp }, index) => addressCauses(dhcp?.ip ?? {}, `${path}[${index}].dhcp.ip`)),
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
