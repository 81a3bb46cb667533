import { standardPorts, type TinkerbellServices } from "../options.ts";
import type { ScriptSettings } from "./auto-ipxe.ts";

/** Returns the settings of the services for scripts. */
export const scriptSettings = (services: TinkerbellServices): ScriptSettings => {
  const { address, grpcPort = standardPorts.grpc, facility = "onprem", kernelArgs = [] } = services;
  const host = address.includes(":") ? `[${address}]` : address;
  return {
    grpcAuthority: `${host}:${grpcPort}`,
    grpcTls: services.grpcTls !== undefined,
    grpcInsecureTls: false,
    osieUrl: services.osieUrl ?? `http://${host}:${standardPorts.osie}`,
    syslogHost: services.syslogHost ?? address,
    facility,
    kernelArgs,
    servesUnknown: services.dhcp?.mode === "auto-proxy",
  };
};
