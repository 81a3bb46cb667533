import { Command, InvalidArgumentError, Option } from "commander";
import { outputOption } from "../flag-values.ts";
import { objectStoreNames } from "../modules/object-stores.ts";
import { providerNames } from "../modules/providers.ts";
import type { AddressFlags } from "../cluster/address-flags.ts";
import { withClusterFlags } from "../cluster/cluster-flags.ts";
import { applyConfigFile, configOption } from "../config-file.ts";
import type { ReferenceFlags } from "../cluster/reference-flags.ts";
import { defaultCredentialsOf, type DefaultCredentialsFlags } from "../cluster/default-credentials-flags.ts";
import type { SetOptionFlags } from "../options/set-option-flag.ts";
import type { ManagerOptions } from "../cluster/manager-options.ts";
import { tuningOf, withTuningFlags, type TuningFlags } from "../cluster/tuning-flags.ts";

/** `host:port` or `:port`. */
const address = (value: string): NonNullable<ManagerOptions["diagnostics"]> => {
  const [, bracketed, plain = "", number] = /^(?:\[([0-9a-fA-F:]+)\]|([^:[\]]*)):(\d{1,5})$/.exec(value) ?? [];
  const host = bracketed ?? plain;
  if (number !== undefined && Number(number) <= 65_535) {
    return { host: host === "" ? undefined : host, port: Number(number) };
  }
  throw new InvalidArgumentError("must be an address such as 127.0.0.1:8443, :8443 for all of this machine, or off.");
};

/** An address or `off`; the parser of flags takes `undefined` for an empty text. */
const diagnosticsAddress = (value: string): ReturnType<typeof address> | "off" =>
  value === "off" ? value : address(value);

interface ManagerFlags extends AddressFlags, DefaultCredentialsFlags, ReferenceFlags, SetOptionFlags, TuningFlags {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly providers?: readonly string[];
  readonly objectStores?: readonly string[];
  readonly namespace?: readonly string[];
  readonly watchFilter?: string;
  readonly leaderElect: boolean;
  readonly installation?: string;
  readonly systemNamespace?: string;
  readonly diagnosticsAddress: ReturnType<typeof diagnosticsAddress>;
  readonly insecureDiagnostics?: true;
  readonly healthAddr?: ReturnType<typeof diagnosticsAddress>;
  readonly tlsCertFile?: string;
  readonly tlsPrivateKeyFile?: string;
  readonly install?: true;
  readonly webhookUrl?: string;
  readonly webhookService?: string;
  readonly webhookPort?: number;
  readonly config?: string;
  readonly output: ManagerOptions["output"];
}

const managerOptions = (flags: ManagerFlags): ManagerOptions => ({
  kubeconfig: flags.kubeconfig,
  context: flags.context,
  providers: [...new Set(flags.providers ?? providerNames)],
  objectStores: [...new Set(flags.objectStores ?? objectStoreNames)],
  setOptions: flags.setOption ?? [],
  namespaces: [...new Set(flags.namespace)],
  watchFilter: flags.watchFilter,
  defaultCredentials: defaultCredentialsOf(flags),
  references: flags.crossNamespaceReferences,
  allowedAddresses: flags.allowAddress ?? [],
  ...tuningOf(flags),
  leaderElect: flags.leaderElect,
  installation: flags.installation,
  systemNamespace: flags.systemNamespace,
  diagnostics: flags.diagnosticsAddress === "off" ? undefined : flags.diagnosticsAddress,
  insecureDiagnostics: flags.insecureDiagnostics === true,
  health: flags.healthAddr === "off" ? undefined : flags.healthAddr,
  tlsCertFile: flags.tlsCertFile,
  tlsPrivateKeyFile: flags.tlsPrivateKeyFile,
  install: flags.install === true,
  webhookUrl: flags.webhookUrl,
  webhookService: flags.webhookService,
  webhookPort: flags.webhookPort,
  output: flags.output,
});

const electionFlags = (command: Command): Command =>
  command
    .option("--leader-elect", "elect a leader among managers of the same providers", true)
    .option("--no-leader-elect", "start without an election; no other manager of the same providers may run");

const diagnosticsFlags = (command: Command): Command =>
  command
    .addOption(
      new Option(
        "--diagnostics-address <address>",
        "where /metrics, /healthz and /readyz are served over HTTPS, or off",
      )
        .argParser(diagnosticsAddress)
        .default(diagnosticsAddress("127.0.0.1:8443"), "127.0.0.1:8443"),
    )
    .option("--insecure-diagnostics", "serve them over HTTP, and metrics without authentication")
    .addOption(
      new Option("--health-addr <address>", "also serve /healthz and /readyz over HTTP here (default: off)").argParser(
        diagnosticsAddress,
      ),
    )
    .option("--tls-cert-file <file>", "certificate of the diagnostics (default: generated at startup)")
    .option("--tls-private-key-file <file>", "key of --tls-cert-file");

/** `capstan manager`; `notes` is what to say of flags of upstream's before it starts. Flags have the names of upstream's managers where they mean the same. */
export const managerCommand = (
  run: (options: ManagerOptions) => Promise<number>,
  done: (status: number) => void,
  notes: () => readonly string[] = () => [],
): Command => {
  const command = withClusterFlags(new Command("manager").description("Run providers against any management cluster."));
  return diagnosticsFlags(withTuningFlags(electionFlags(command)))
    .option("--install", "first apply CRDs, namespace, accounts and roles (see capstan install --print)")
    .addOption(configOption())
    .addOption(outputOption())
    .addHelpText(
      "after",
      `
Also accepts the flags of upstream's managers, so that their Deployments can be switched over: docs/upstream-flags.md.

Examples:
  capstan manager --kubeconfig ./kubeconfig --install
  capstan manager --providers core --namespace team-a --concurrency Machine=20
  capstan manager --providers infra-linode --diagnostics-address :8443 --config manager.yaml`,
    )
    .action(async () => {
      const { config } = command.opts<ManagerFlags>();
      if (config !== undefined) await applyConfigFile(command, config);
      done(await run({ ...managerOptions(command.opts<ManagerFlags>()), notes: notes() }));
    });
};
