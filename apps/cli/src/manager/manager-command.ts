import { Command, InvalidArgumentError, Option } from "commander";
import { bootstrapTimeoutOption, duration, logLevelOption, outputOption } from "../flag-values.ts";
import { objectStoreNames } from "../modules/object-stores.ts";
import { providerNames } from "../modules/providers.ts";
import type { AddressFlags } from "../cluster/address-flags.ts";
import { withClusterFlags } from "../cluster/cluster-flags.ts";
import { applyConfigFile, configOption } from "../config-file.ts";
import type { ReferenceFlags } from "../cluster/reference-flags.ts";
import { defaultCredentialsOf, type DefaultCredentialsFlags } from "../cluster/default-credentials-flags.ts";
import type { SetOptionFlags } from "../options/set-option-flag.ts";
import { everyKind, type ManagerOptions } from "../cluster/manager-options.ts";

const concurrency = (
  value: string,
  before: Readonly<Record<string, number>> | undefined,
): Readonly<Record<string, number>> => {
  const [, kind = everyKind, number] = /^(?:([A-Za-z]+)=)?([1-9]\d{0,5})$/.exec(value) ?? [];
  if (number !== undefined) return { ...before, [kind]: Number(number) };
  throw new InvalidArgumentError("must be KIND=N such as Machine=100, or N for every kind.");
};

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

interface ManagerFlags extends AddressFlags, DefaultCredentialsFlags, ReferenceFlags, SetOptionFlags {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly providers?: readonly string[];
  readonly objectStores?: readonly string[];
  readonly namespace?: readonly string[];
  readonly watchFilter?: string;
  readonly concurrency?: Readonly<Record<string, number>>;
  readonly syncPeriod: number;
  readonly bootstrapTimeout?: number;
  readonly leaderElect: boolean;
  readonly leaderElectName?: string;
  readonly leaseDuration: number;
  readonly renewDeadline: number;
  readonly retryPeriod: number;
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
  readonly logLevel: ManagerOptions["logLevel"];
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
  concurrency: flags.concurrency ?? {},
  syncPeriodMs: flags.syncPeriod,
  bootstrapTimeoutMs: flags.bootstrapTimeout,
  leaderElect: flags.leaderElect,
  leaderElectName: flags.leaderElectName,
  leaseDurationMs: flags.leaseDuration,
  renewDeadlineMs: flags.renewDeadline,
  retryPeriodMs: flags.retryPeriod,
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
  logLevel: flags.logLevel,
});

const time = (flags: string, what: string, ms: number, text: string): Option =>
  new Option(flags, what).argParser(duration).default(ms, text);

const tuningFlags = (command: Command): Command =>
  command
    .option(
      "--concurrency <[kind=]n>",
      "concurrent reconciles of a kind, such as Machine=100, or of every kind; may be repeated",
      concurrency,
    )
    .addOption(time("--sync-period <duration>", "resync interval of every object", 600_000, "10m"))
    .addOption(bootstrapTimeoutOption())
    .option("--leader-elect", "elect a leader among managers of the same providers", true)
    .option("--no-leader-elect", "start without an election; no other manager of the same providers may run")
    .option("--leader-elect-name <name>", "name of a single Lease, instead of one per provider")
    .addOption(time("--lease-duration <duration>", "time others wait for a silent leader", 15_000, "15s"))
    .addOption(time("--renew-deadline <duration>", "time after which a leader that cannot renew exits", 10_000, "10s"))
    .addOption(time("--retry-period <duration>", "time between attempts", 2_000, "2s"));

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
  return diagnosticsFlags(tuningFlags(command))
    .option("--install", "first apply CRDs, namespace, accounts and roles (see capstan install --print)")
    .addOption(configOption())
    .addOption(outputOption())
    .addOption(logLevelOption("info"))
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
