import { Command } from "commander";
import { managementRequest, withManagementFlags, type ManagementFlags } from "../management-flags.ts";
import type { ManagementRequest } from "../management-session.ts";

/** Options of `capstan get kubeconfig`. */
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
  new Command("get").description("Print the kubeconfig of a cluster.").addCommand(
    withManagementFlags(
      new Command("kubeconfig")
        .description("Print the admin kubeconfig of a workload cluster, or merge it into yours.")
        .argument("<cluster>", "name of the Cluster"),
    )
      .option("--merge [file]", "merge it into this kubeconfig and make it current (default: kubectl's own)")
      .addHelpText(
        "after",
        `
Outside of the default namespace, names in a merged kubeconfig start with the namespace. A missing kubeconfig is
created, with its folders, as kubectl does.

Examples:
  capstan get kubeconfig orchid > orchid.kubeconfig
  capstan get kubeconfig orchid --merge && kubectl get nodes`,
      )
      .action(async (cluster: string, { merge, ...flags }: ManagementFlags & { readonly merge?: string | true }) =>
        done(await run({ ...managementRequest(flags), cluster, merge })),
      ),
  );
