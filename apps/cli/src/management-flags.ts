import { folder } from "./flag-values.ts";
import type { Command } from "commander";
import type { ManagementRequest } from "./management-session.ts";

/** Values of the flags of `withManagementFlags`. */
export interface ManagementFlags {
  readonly namespace?: string;
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly dataDir?: string;
}

/** The flags that say which management API a command is about. */
export const withManagementFlags = (command: Command): Command =>
  command
    .option("-n, --namespace <name>", "namespace (default: that of the context)")
    .option("--kubeconfig <file>", "kubeconfig of the management API")
    .option("--data-dir <folder>", "use the kubeconfig that capstan up wrote to this folder", folder)
    .option("--context <name>", "context of the kubeconfig (default: its current one)");

export const managementRequest = ({ namespace, kubeconfig, context, dataDir }: ManagementFlags): ManagementRequest => ({
  namespace,
  kubeconfig,
  context,
  dataDir,
});
