import { readFileSync } from "node:fs";
import { CapstanError } from "@capstan/contract";
import { presentFields } from "@capstan/kube-values";
import type { DhcpServices, GivenTinkerbellOptions, TinkerbellProviderOptions, TinkerbellServices } from "./options.ts";

const invalid = (message: string, cause?: unknown): CapstanError =>
  new CapstanError({
    code: "tink.options_invalid",
    reason: "OptionsInvalid",
    message,
    retry: { kind: "never" },
    ...(cause !== undefined && { cause }),
  });

const pem = (name: string, path: string): string => {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw invalid(`tinkerbell.${name}: ${path} cannot be read: ${(error as Error).message}`, error);
  }
};

const tlsOf = (options: GivenTinkerbellOptions): TinkerbellServices["grpcTls"] => {
  const { grpcCertFile, grpcClientCaFile, grpcKeyFile, workerPolicy } = options;
  if (workerPolicy === "mtls" && grpcClientCaFile === undefined) {
    throw invalid("tinkerbell.workerPolicy mtls needs tinkerbell.grpcClientCaFile");
  }
  if (grpcCertFile === undefined && grpcKeyFile === undefined && grpcClientCaFile === undefined) return undefined;
  if (grpcCertFile === undefined || grpcKeyFile === undefined) {
    throw invalid("TLS of the API of agents needs both tinkerbell.grpcCertFile and tinkerbell.grpcKeyFile");
  }
  return {
    certificate: pem("grpcCertFile", grpcCertFile),
    key: pem("grpcKeyFile", grpcKeyFile),
    ...(grpcClientCaFile !== undefined && { clientCa: pem("grpcClientCaFile", grpcClientCaFile) }),
  };
};

const dhcpOf = (options: GivenTinkerbellOptions): DhcpServices | undefined => {
  const { dhcp: mode, dhcpBootPort, dhcpClientPort, dhcpListen, dhcpPort, dhcpRelayPort, dhcpScriptClasses } = options;
  const settings = presentFields({
    listen: dhcpListen,
    scriptClasses: dhcpScriptClasses,
    port: dhcpPort,
    bootPort: dhcpBootPort,
    clientPort: dhcpClientPort,
    relayPort: dhcpRelayPort,
  });
  if (mode !== undefined) return { mode, ...settings };
  if (Object.keys(settings).length === 0) return undefined;
  throw invalid("options of DHCP need tinkerbell.dhcp: say reservation or proxy");
};

/**
 * Returns the provider options from the options of the command. `usualAddress` is the address at which machines reach the services
 * unless an option sets another. Throws `tink.options_invalid` if an option needs another that is not set.
 */
export const givenOptions = (
  options: GivenTinkerbellOptions,
  usualAddress: string | undefined,
): TinkerbellProviderOptions => {
  const { address = usualAddress, facility, grpcPort, httpPort, instanceIdRoute, kernelArgs, listen } = options;
  const { ipxeFolder, ipxePatch, isoIpam, isoPlaceholder, isoUrl, osieUrl, parts, syslog, syslogHost } = options;
  const { syslogPort, tftpPort, trustedProxies, workerPolicy } = options;
  const services = presentFields({
    facility,
    grpcPort,
    httpPort,
    instanceIdRoute,
    ipxeFolder,
    ipxePatch,
    isoIpam,
    isoPlaceholder,
    isoUrl,
    kernelArgs,
    listen,
    osieUrl,
    syslog,
    syslogHost,
    syslogPort,
    tftpPort,
    trustedProxies,
    workerPolicy,
    grpcTls: tlsOf(options),
    dhcp: dhcpOf(options),
  });
  if (address !== undefined) return presentFields({ parts, services: { address, ...services } });
  const [first] = Object.keys(services);
  if (first === undefined) return presentFields({ parts });
  throw invalid(`tinkerbell.${first} is about serving machines, which needs tinkerbell.address`);
};
