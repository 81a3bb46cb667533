import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Access } from "@capstan/kube";
import { clusterAccess } from "./cluster/cluster-access.ts";
import { defaultDataFolder } from "./up/data-folder.ts";

/**
 * Access to the management API for a command of a person: `--kubeconfig`, the kubeconfig of `--data-dir`, and without `$KUBECONFIG`
 * that of the default data folder; else as `clusterAccess` finds it.
 */
export const managementAccess = (
  options: {
    readonly kubeconfig: string | undefined;
    readonly context: string | undefined;
    readonly dataDir: string | undefined;
  },
  variables: Readonly<Record<string, string | undefined>>,
): Promise<Access> => {
  const { kubeconfig, context, dataDir } = options;
  const inFolder = join(resolve(dataDir ?? defaultDataFolder(variables)), "kubeconfig");
  const isLeft = dataDir !== undefined || (variables["KUBECONFIG"] === undefined && existsSync(inFolder));
  return clusterAccess({ kubeconfig: kubeconfig ?? (isLeft ? inFolder : undefined), context }, variables);
};

/** The namespace a command is about: the one it names, else that of the kubeconfig's context, else `default`, as with kubectl. */
export const namespaceOf = (
  { namespace }: { readonly namespace: string | undefined },
  access: Pick<Access, "namespace">,
): string => namespace ?? access.namespace ?? "default";
