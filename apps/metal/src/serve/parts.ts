import type { TinkerbellPart } from "@capstan/tinkerbell";

/** The parts that serve machines. All replicas run them; the other parts are controllers, which one replica runs at a time. */
export const partsForMachines: readonly TinkerbellPart[] = ["http", "grpc", "dhcp", "tftp", "syslog"];

/** Returns the name of the Lease for the controllers among the parts; `undefined` without controllers. */
export const leaseOf = (parts: readonly TinkerbellPart[]): string | undefined => {
  const controllers = parts.filter((part) => !partsForMachines.includes(part));
  return controllers.length === 0 ? undefined : `capstan-metal-${controllers.toSorted().join("-")}`;
};
