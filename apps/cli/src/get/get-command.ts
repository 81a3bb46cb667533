import { Command } from "commander";
import { managementRequest, withManagementFlags, type ManagementFlags } from "../management-flags.ts";
import type { ManagementRequest } from "../management-session.ts";

/** What `capstan get kubeconfig` was asked to do. */
export interface GetKubeconfigRequest extends ManagementRequest {
  readonly cluster: string;
  /** Add it to a kubeconfig instead of printing it: to this file, or with `true` to that of kubectl. */
  readonly merge: string | true | undefined;
}

/** `capstan get kubeconfig`. */
export const getCommand = (
  run: (request: GetKubeconfigRequest) => Promise<number>,
  done: (status: number) => void,
): Command =>
  new Command("get").description("Print something that a cluster has.").addCommand(
    withManagementFlags(
      new Command("kubeconfig")
        .description("Print the kubeconfig of a workload cluster's administrator, or add it to yours.")
        .argument("<cluster>", "name of the Cluster"),
    )
      .option("--merge [file]", "add it to this kubeconfig and make it current (default: kubectl's own)")
      .addHelpText(
        "after",
        `
Outside of the namespace default, names in a merged kubeconfig begin with the namespace. A kubeconfig that is not there
is made, with its folders, as kubectl makes them.

Examples:
  capstan get kubeconfig orchid > orchid.kubeconfig
  capstan get kubeconfig orchid --merge && kubectl get nodes`,
      )
      .action(async (cluster: string, { merge, ...flags }: ManagementFlags & { readonly merge?: string | true }) =>
        done(await run({ ...managementRequest(flags), cluster, merge })),
      ),
  );
