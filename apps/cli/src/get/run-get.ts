import { existsSync, readFileSync, realpathSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { CapstanError, SecretPurpose } from "@capstan/contract";
import { ClusterResource, clusterSecretName, SecretResource } from "@capstan/contract/wire";
import { fromBase64 } from "@capstan/kube-values";
import { absenceOf } from "../cluster/absence.ts";
import { usualKubeconfigs } from "../cluster/kubeconfig-files.ts";
import { withManagement, type ManagementSession } from "../management-session.ts";
import { makeFolderOf } from "../make-folder.ts";
import { writeFileAtomically } from "../write-file.ts";
import type { GetKubeconfigRequest } from "./get-command.ts";
import { mergeKubeconfig } from "./merge-kubeconfig.ts";

const missing = (message: string): CapstanError =>
  new CapstanError({ code: "get.kubeconfig_missing", reason: "KubeconfigMissing", message, retry: { kind: "never" } });

const readKubeconfig = async (cluster: string, { client, namespace, signal }: ManagementSession): Promise<string> => {
  const key = { namespace, name: clusterSecretName(cluster, SecretPurpose.kubeconfig) };
  const secret = await client.find(SecretResource, key, { signal });
  const value = (secret?.["data"] as Readonly<Record<string, string>> | undefined)?.["value"];
  if (value !== undefined) return fromBase64(value);
  const found = await client.find(ClusterResource, { namespace, name: cluster }, { signal });
  throw missing(
    found === undefined
      ? await absenceOf(client, ClusterResource, { namespace, name: cluster }, { signal })
      : `Cluster ${cluster} in namespace ${namespace} has no kubeconfig yet: Secret ${key.name} is created once it has an endpoint; capstan describe cluster ${cluster} shows what it waits for`,
  );
};

const addTo = (
  given: string | true,
  kubeconfig: string,
  prefix: string,
): { readonly file: string; readonly context: string } => {
  const said = given === true ? usualKubeconfigs(process.env)[0] : resolve(given);
  const isThere = existsSync(said);
  // What a link stands for is replaced, not the link.
  const file = isThere ? realpathSync(said) : said;
  const { text, context } = mergeKubeconfig(isThere ? readFileSync(file, "utf8") : "", kubeconfig, { prefix, said });
  if (!isThere) makeFolderOf("merge", dirname(file));
  writeFileAtomically(file, text, "merge");
  return { file: said, context };
};

/** `capstan get kubeconfig`: resolves to the exit status. */
export const runGetKubeconfig = (request: GetKubeconfigRequest, write: (text: string) => void): Promise<number> =>
  withManagement(request, async (session) => {
    const { cluster, merge } = request;
    const kubeconfig = await readKubeconfig(cluster, session);
    if (merge === undefined) {
      write(kubeconfig.endsWith("\n") ? kubeconfig : `${kubeconfig}\n`);
      return 0;
    }
    const { namespace } = session;
    const { file, context } = addTo(merge, kubeconfig, namespace === "default" ? "" : `${namespace}.`);
    write(`added context ${context} to ${file} and made it current\n`);
    return 0;
  });
