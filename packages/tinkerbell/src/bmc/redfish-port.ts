import type { BmcConnection } from "./connection-causes.ts";

/** The port that connections have by default is that of IPMI; Redfish is at the one of HTTPS. */
const ports = { ipmi: 623, https: 443 } as const;

/** The port at which a connection reaches Redfish. */
export const redfishPort = ({ port, providerOptions }: BmcConnection): number =>
  providerOptions?.redfish?.port ?? (port === ports.ipmi ? ports.https : port);
