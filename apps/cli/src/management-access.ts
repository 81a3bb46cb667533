import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Access } from "@capstan/kube";
import { clusterAccess } from "./cluster/cluster-access.ts";
import { namedKubeconfigs } from "./cluster/kubeconfig-files.ts";
import { defaultDataFolder } from "./up/data-folder.ts";

interface Chosen {
  readonly kubeconfig: string | undefined;
  readonly dataDir: string | undefined;
}

/** The folder of a `capstan up` whose management API is meant; `undefined` where a kubeconfig of the user's says which. */
export const meantFolder = (
  { kubeconfig, dataDir }: Chosen,
  variables: Readonly<Record<string, string | undefined>>,
): string | undefined => {
  const folder = resolve(dataDir ?? defaultDataFolder(variables));
  if (kubeconfig !== undefined) return undefined;
  const isLeft = namedKubeconfigs(variables).length === 0 && existsSync(join(folder, "kubeconfig"));
  return dataDir !== undefined || isLeft ? folder : undefined;
};

/** The kubeconfig that is meant, given or of such a folder; `undefined`: those that kubectl reads. */
export const meantKubeconfig = (
  options: Chosen,
  variables: Readonly<Record<string, string | undefined>>,
): string | undefined => {
  const folder = meantFolder(options, variables);
  return folder === undefined ? options.kubeconfig : join(folder, "kubeconfig");
};

/**
 * Access to the management API for a command of a person: `--kubeconfig`, the kubeconfig of `--data-dir`, and without `$KUBECONFIG`
 * that of the default data folder; else as `clusterAccess` finds it.
 */
export const managementAccess = (
  options: Chosen & { readonly context: string | undefined },
  variables: Readonly<Record<string, string | undefined>>,
): Promise<Access> => {
  const { context, dataDir, kubeconfig } = options;
  const whenMissing =
    kubeconfig === undefined && dataDir !== undefined
      ? `--data-dir ${dataDir}: ${join(dataDir, "kubeconfig")} does not exist: capstan up has not run there`
      : undefined;
  return clusterAccess({ kubeconfig: meantKubeconfig(options, variables), context, whenMissing }, variables);
};

/** The namespace a command is about: the one it names, else that of the kubeconfig's context, else `default`, as with kubectl. */
export const namespaceOf = (
  { namespace }: { readonly namespace: string | undefined },
  access: Pick<Access, "namespace">,
): string => namespace ?? access.namespace ?? "default";
