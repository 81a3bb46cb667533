import { isIP } from "node:net";
import { Command, InvalidArgumentError, Option } from "commander";
import { append, count, folder, logLevelOption, outputOption, port } from "../flag-values.ts";
import { conversionsOption } from "../modules/module-options.ts";
import { providerNames } from "../modules/providers.ts";
import { defaultDataFolder } from "../up/data-folder.ts";
import type { ApiserverOptions } from "./apiserver-options.ts";

/** In MiB. */
const size = (value: string): number => {
  const number = count(value);
  if (number > 0) return number;
  throw new InvalidArgumentError("must be a whole number from 1.");
};

const address = (value: string): string => {
  if (isIP(value) !== 0) return value;
  throw new InvalidArgumentError("must be an address such as 127.0.0.1, or 0.0.0.0 for every one of this machine.");
};

/** The server, which knows its controllers, is loaded only by who runs it. */
const controllersOf = async (value: string, command: Command): Promise<ApiserverOptions["controllers"]> => {
  const { parseControllers } = await import("./controller-list.ts");
  const names = parseControllers(value);
  if (typeof names !== "string") return names;
  return command.error(`error: option '--controllers <list>' argument '${value}' is invalid. ${names}.`);
};

const issuer = (value: string): string => {
  if (value !== "" && (!value.includes(":") || URL.canParse(value))) return value;
  throw new InvalidArgumentError("must be a URL such as https://issuer.example, or a text without a colon.");
};

const range = (value: string): string => {
  const [network = "", bits = ""] = value.split("/");
  if (isIP(network) === 4 && /^\d{1,2}$/.test(bits) && Number(bits) <= 30) return value;
  throw new InvalidArgumentError("must be an IPv4 network of at least four addresses such as 10.0.0.0/24.");
};

interface ApiserverFlags {
  readonly bindAddress: string;
  readonly securePort: number;
  readonly tlsCertFile?: string;
  readonly tlsPrivateKeyFile?: string;
  readonly clientCaFile?: string;
  readonly tokenAuthFile?: string;
  readonly serviceAccountKeyFile?: readonly string[];
  readonly serviceAccountSigningKeyFile?: string;
  readonly serviceAccountIssuer?: string;
  readonly serviceClusterIpRange?: string;
  readonly auditLogPath?: string;
  readonly auditPolicyFile?: string;
  readonly auditLogMaxsize: number;
  readonly auditLogMaxbackup: number;
  readonly auditLogMaxage: number;
  readonly dataDir: string;
  readonly inMemory?: true;
  readonly controllers: string;
  readonly conversions?: readonly string[];
  readonly manifests?: readonly string[];
  readonly manifestsPrune?: true;
  readonly writeKubeconfig?: string;
  readonly output: "text" | "json";
  readonly logLevel: ApiserverOptions["logLevel"];
}

const apiserverOptions = (flags: ApiserverFlags, controllers: ApiserverOptions["controllers"]): ApiserverOptions => ({
  bindAddress: flags.bindAddress,
  securePort: flags.securePort,
  tlsCertFile: flags.tlsCertFile,
  tlsPrivateKeyFile: flags.tlsPrivateKeyFile,
  clientCaFile: flags.clientCaFile,
  tokenAuthFile: flags.tokenAuthFile,
  serviceAccountKeyFiles: flags.serviceAccountKeyFile ?? [],
  serviceAccountSigningKeyFile: flags.serviceAccountSigningKeyFile,
  serviceAccountIssuer: flags.serviceAccountIssuer,
  serviceClusterIpRange: flags.serviceClusterIpRange,
  auditLogPath: flags.auditLogPath,
  auditPolicyFile: flags.auditPolicyFile,
  auditLogMaxsize: flags.auditLogMaxsize,
  auditLogMaxbackup: flags.auditLogMaxbackup,
  auditLogMaxage: flags.auditLogMaxage,
  dataDir: flags.dataDir,
  inMemory: flags.inMemory === true,
  controllers,
  conversions: [...new Set(flags.conversions ?? providerNames)],
  manifests: flags.manifests ?? [],
  manifestsPrune: flags.manifestsPrune === true,
  writeKubeconfig: flags.writeKubeconfig,
  output: flags.output,
  logLevel: flags.logLevel,
});

/** `capstan apiserver`; flags have kube-apiserver's names where they mean the same. */
export const apiserverCommand = (
  run: (options: ApiserverOptions) => Promise<number>,
  done: (status: number) => void,
): Command =>
  new Command("apiserver")
    .description("Run the management API alone: a Kubernetes-style API server without any provider.")
    .option("--bind-address <address>", "address to listen on", address, "127.0.0.1")
    .option("--secure-port <port>", "port to listen on; 0 takes the last one or a free one", port, 6443)
    .option(
      "--tls-cert-file <file>",
      "serving certificate with its chain (default: one made by the server's authority)",
    )
    .option("--tls-private-key-file <file>", "key of --tls-cert-file")
    .option("--client-ca-file <file>", "further authorities whose client certificates are accepted")
    .option("--token-auth-file <file>", 'bearer tokens, one a line: token,user,uid,"group1,group2"')
    .option(
      "--service-account-key-file <file>",
      "keys whose ServiceAccount tokens are accepted; may be repeated",
      append,
    )
    .option("--service-account-signing-key-file <file>", "key that signs ServiceAccount tokens (default: one made)")
    .option("--service-account-issuer <url>", "issuer of ServiceAccount tokens", issuer)
    .option("--service-cluster-ip-range <network>", "addresses of Services (default: 10.0.0.0/24)", range)
    .option("--audit-log-path <file>", "write an audit log, one JSON object a line; - is standard output")
    .option("--audit-policy-file <file>", "what is written (default: metadata of everything but health checks)")
    .option("--audit-log-maxsize <MiB>", "size at which a new audit log is begun", size, 100)
    .option("--audit-log-maxbackup <number>", "older audit logs that are kept; 0 keeps all", count, 0)
    .option("--audit-log-maxage <days>", "days that older audit logs are kept; 0 keeps them for ever", count, 0)
    .option("--data-dir <folder>", "where state is kept", folder, defaultDataFolder(process.env))
    .option("--in-memory", "keep nothing: state is gone when the command ends")
    .addOption(
      new Option(
        "--controllers <list>",
        "controllers to run: * for the standard ones, name, -name; empty for none",
      ).default("*", "*"),
    )
    .addOption(conversionsOption())
    .option("--manifests <folder>", "apply what is in the folder, now and when it changes; may be repeated", append)
    .option("--manifests-prune", "delete objects that are no longer in the folders")
    .option("--write-kubeconfig <file>", "also write the administrator's kubeconfig there, readable by its owner alone")
    .addOption(outputOption())
    .addOption(logLevelOption("info"))
    .addHelpText(
      "after",
      `
The server is ready when /readyz answers ok, and when the line with its address is printed.

Examples:
  capstan apiserver --in-memory --secure-port 0 --write-kubeconfig ./kubeconfig
  capstan apiserver --data-dir /var/lib/capstan --bind-address 0.0.0.0 --client-ca-file ca.pem`,
    )
    .action(async (flags: ApiserverFlags, command: Command) => {
      done(await run(apiserverOptions(flags, await controllersOf(flags.controllers, command))));
    });
