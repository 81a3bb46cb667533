import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { parseKubeconfig, renderKubeconfig } from "@capstan/pki";
import type { Kubectl } from "./kubectl.ts";
import { type RunningManager, startProcess } from "./process.ts";

const run = promisify(execFile);

const main = join(dirname(fileURLToPath(import.meta.resolve("@capstan/cli/package.json"))), "src/main.ts");
/** No one starts a manager again here that had no turn on a busy machine and gave its Lease up. */
const patient = ["--lease-duration", "120s", "--renew-deadline", "100s"];
const program = ["--conditions=@capstan/source", main];

export interface CapstanManagerOptions {
  /** One of Capstan's providers. */
  readonly provider: string;
  /** Kubeconfig of an administrator. */
  readonly kubeconfig: string;
  /** For its log and its kubeconfig. */
  readonly folder: string;
  /** Port on the loopback for its webhooks. */
  readonly webhookPort: number;
  readonly kubectl: Kubectl;
}

/** A provider that is installed. */
export interface InstalledCapstan {
  /** Starts `capstan manager` under the account that was installed. The kinds of core have to be served by then. */
  start(): Promise<RunningManager>;
}

/** Installs a provider with `capstan install`. */
export const installCapstan = async (options: CapstanManagerOptions): Promise<InstalledCapstan> => {
  const { provider, folder, kubectl } = options;
  const name = `capstan-${provider}`;
  const account = `${name}-${provider}`;
  const webhookUrl = `https://127.0.0.1:${options.webhookPort}`;
  // Each is installed, upgraded and removed by itself.
  const addresses = ["--allow-address", "127.0.0.0/8"];
  const common = ["--providers", provider, "--installation", name, "--webhook-url", webhookUrl, "-o", "json"];
  await run(process.execPath, [...program, "install", "--kubeconfig", kubectl.kubeconfigFile, ...common]);
  return {
    start: async () => {
      const token = (await kubectl.run(["create", "token", "--namespace", "capstan-system", account])).trim();
      const { server, certificateAuthority } = parseKubeconfig(options.kubeconfig);
      const kubeconfig = renderKubeconfig({
        server,
        ...(certificateAuthority !== undefined && { certificateAuthority }),
        clusterName: "interop",
        userName: account,
        token,
      });
      const file = join(folder, `${name}.kubeconfig`);
      writeFileSync(file, kubeconfig, { mode: 0o600 });
      return startProcess({
        name,
        folder,
        command: process.execPath,
        args: [
          ...program,
          "manager",
          "--kubeconfig",
          file,
          ...common,
          ...addresses,
          ...patient,
          "--diagnostics-address",
          "off",
        ],
        env: process.env,
        isError: /"(level|type)":"error"/,
      });
    },
  };
};
