import { externalIP, internalDNS, internalIP } from "@capstan/kit/machine";
import type { MachineAddress } from "@capstan/kit/machine";
import { isJsonObject } from "@capstan/schema";
import type { AzureResource } from "../cloud/azure-api.ts";

/** A configuration of an interface. */
export interface IpConfiguration {
  readonly privateIP: string | undefined;
  /** Resource ID of its public address. */
  readonly publicIP: string | undefined;
}

/** The configurations of an interface. */
export const configurationsOf = (networkInterface: AzureResource): readonly IpConfiguration[] => {
  const list = networkInterface.properties?.["ipConfigurations"];
  return (Array.isArray(list) ? list : []).flatMap((entry: unknown) => {
    const properties = isJsonObject(entry) ? entry["properties"] : undefined;
    if (!isJsonObject(properties)) return [];
    const { privateIPAddress, publicIPAddress } = properties;
    const id = isJsonObject(publicIPAddress) ? publicIPAddress["id"] : undefined;
    return [
      {
        privateIP: typeof privateIPAddress === "string" ? privateIPAddress : undefined,
        publicIP: typeof id === "string" ? id : undefined,
      },
    ];
  });
};

/** The address of a public IP. */
export const ipOf = (publicIP: AzureResource | undefined): string | undefined => {
  const address = publicIP?.properties?.["ipAddress"];
  return typeof address === "string" && address !== "" ? address : undefined;
};

/** The addresses of a machine: its name, then those of its interfaces in their order. `publicIPs`: by resource ID. */
export const machineAddresses = (
  vmName: string,
  configurations: readonly IpConfiguration[],
  publicIPs: ReadonlyMap<string, string>,
): readonly MachineAddress[] => [
  internalDNS(vmName),
  ...configurations.flatMap(({ privateIP, publicIP }) => {
    const external = publicIP === undefined ? undefined : publicIPs.get(publicIP);
    return [
      ...(privateIP === undefined ? [] : [internalIP(privateIP)]),
      ...(external === undefined ? [] : [externalIP(external)]),
    ];
  }),
];
