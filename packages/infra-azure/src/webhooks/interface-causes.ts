import { forbidden, invalid } from "@capstan/kit/admission";
import { type Cause, sameJson } from "@capstan/schema";
import { maxAddresses } from "../machine/interface-body.ts";
import type { DefaultedMachine } from "../machine/machine-defaults.ts";

type Interfaces = DefaultedMachine["networkInterfaces"];

/** Validates the network interfaces of a machine. */
export const interfaceCauses = (spec: DefaultedMachine, path: string): readonly Cause[] => {
  const instead = "mutually exclusive with networkInterfaces";
  return [
    ...(spec.subnetName === undefined ? [] : [forbidden(`${path}.subnetName`, instead)]),
    ...(spec.acceleratedNetworking === undefined ? [] : [forbidden(`${path}.acceleratedNetworking`, instead)]),
    ...spec.networkInterfaces.flatMap(({ privateIPConfigs }, index) =>
      privateIPConfigs >= 1 && privateIPConfigs <= maxAddresses
        ? []
        : [
            invalid(
              `${path}.networkInterfaces[${index}].privateIPConfigs`,
              privateIPConfigs,
              `must be from 1 to ${maxAddresses}`,
            ),
          ],
    ),
  ];
};

/** The subnet of the first one may be filled in, and acceleration be left to the size again; nothing else changes. */
export const interfaceChanges = (before: Interfaces, after: Interfaces, field: string): readonly Cause[] => {
  const isSame =
    before.length === after.length &&
    after.every(({ acceleratedNetworking, subnetName, ...others }, index) => {
      const { acceleratedNetworking: wasAccelerated, subnetName: was = "", ...kept } = before[index]!;
      const keepsSubnet = (subnetName ?? "") === was || (index === 0 && was === "");
      const keepsSpeed = acceleratedNetworking === wasAccelerated || acceleratedNetworking === undefined;
      return sameJson(others, kept) && keepsSubnet && keepsSpeed;
    });
  return isSame ? [] : [invalid(field, after, "field is immutable")];
};
