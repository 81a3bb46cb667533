import { isIP } from "node:net";
import { CapstanError, type Clock, type Logger } from "@capstan/contract";
import { type Access, connect } from "@capstan/kube";
import { createManager, type Manager } from "@capstan/runtime";
import { createTinkerbellProvider, type TinkerbellPart, type TinkerbellServices } from "@capstan/tinkerbell";
import { leaseOf, partsForMachines } from "./parts.ts";

export interface ServeOptions extends Omit<TinkerbellServices, "address"> {
  readonly parts: readonly TinkerbellPart[];
  /** Needed by the parts that serve machines. */
  readonly address?: string;
  /** Default: all. */
  readonly namespaces: readonly string[];
  readonly leaderElect: boolean;
  readonly systemNamespace: string;
}

export interface ServeEnvironment {
  readonly access: Access;
  readonly clock: Clock;
  readonly log: Logger;
  /** Aborted to stop. */
  readonly signal: AbortSignal;
  /** Called once everything runs. */
  readonly ready?: (manager: Manager) => void;
}

const invalidFlag = (message: string): CapstanError =>
  new CapstanError({ code: "metal.flags_invalid", reason: "FlagsInvalid", message, retry: { kind: "never" } });

/** Throws `metal.flags_invalid` unless the services that are asked for can be reached. */
const servicesOf = ({ address, parts, ...services }: ServeOptions): TinkerbellServices | undefined => {
  const [first] = parts.filter((part) => partsForMachines.includes(part));
  if (first === undefined) return undefined;
  if (address === undefined) throw invalidFlag(`--address: say at which IP address machines reach ${first}`);
  if (parts.includes("dhcp") && services.dhcp === undefined) {
    throw invalidFlag("--dhcp: say reservation, proxy or auto-proxy");
  }
  if (parts.includes("tftp") && services.ipxeFolder === undefined) {
    throw invalidFlag("--ipxe-folder: say where the binaries of iPXE are");
  }
  for (const [flag, value] of Object.entries({ address, listen: services.listen ?? address })) {
    if (isIP(value) === 0) throw invalidFlag(`--${flag} ${value}: it has to be an IP address`);
  }
  return { ...services, ...(parts.includes("syslog") && { syslog: true }), address };
};

/** Runs until the signal, or until something that must run fails. Controllers take turns with those of other processes; services do not. */
export const serve = async (options: ServeOptions, environment: ServeEnvironment): Promise<void> => {
  const { parts, namespaces, leaderElect, systemNamespace } = options;
  const { access, clock, log, signal, ready } = environment;
  const services = servicesOf(options);
  const connection = connect({ access, clock });
  const name = leaseOf(parts);
  const manager = createManager({
    connection,
    clock,
    log,
    ...(namespaces.length > 0 && { namespaces }),
    ...(leaderElect && name !== undefined && { leaderElection: { namespace: systemNamespace, name } }),
  });
  const provider = createTinkerbellProvider({ parts, ...(services !== undefined && { services }) });
  provider.register({ add: (controller) => manager.add(controller) });
  manager.ready().then(
    () => {
      log.info("runs", { parts });
      ready?.(manager);
    },
    () => undefined,
  );
  try {
    await manager.run({ signal });
  } finally {
    await connection.close();
  }
};
