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
  throw new InvalidArgumentError("must be an address such as 127.0.0.1, or 0.0.0.0 for all of this machine.");
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
    .option("--secure-port <port>", "port to listen on; 0: the previous one or a free one", port, 6443)
    .option(
      "--tls-cert-file <file>",
      "serving certificate with its chain (default: issued by the server's own authority)",
    )
    .option("--tls-private-key-file <file>", "key of --tls-cert-file")
    .option("--client-ca-file <file>", "additional authorities for client certificates")
    .option("--token-auth-file <file>", 'bearer tokens, one per line: token,user,uid,"group1,group2"')
    .option("--service-account-key-file <file>", "keys that verify ServiceAccount tokens; may be repeated", append)
    .option("--service-account-signing-key-file <file>", "key that signs ServiceAccount tokens (default: generated)")
    .option("--service-account-issuer <url>", "issuer of ServiceAccount tokens", issuer)
    .option("--service-cluster-ip-range <network>", "range of Service addresses (default: 10.0.0.0/24)", range)
    .option("--audit-log-path <file>", "write an audit log, one JSON object per line; - is standard output")
    .option("--audit-policy-file <file>", "audit policy (default: metadata of everything except health checks)")
    .option("--audit-log-maxsize <MiB>", "size at which the audit log is rotated", size, 100)
    .option("--audit-log-maxbackup <number>", "rotated audit logs to keep; 0 keeps all", count, 0)
    .option("--audit-log-maxage <days>", "days to keep rotated audit logs; 0 keeps them forever", count, 0)
    .option("--data-dir <folder>", "folder of the state", folder, defaultDataFolder(process.env))
    .option("--in-memory", "keep state in memory only")
    .addOption(
      new Option(
        "--controllers <list>",
        "controllers to run: * for the standard set, NAME, -NAME; empty for none",
      ).default("*", "*"),
    )
    .addOption(conversionsOption())
    .option("--manifests <folder>", "apply the manifests of a folder, now and on change; may be repeated", append)
    .option("--manifests-prune", "delete objects that are no longer in the folders")
    .option("--write-kubeconfig <file>", "also write the admin kubeconfig to this file, readable only by its owner")
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
