import { CapstanError } from "@capstan/contract";
import type { Client } from "@capstan/kube";
import { resource, type KubeObject } from "@capstan/schema";
import { installationOf, orNone } from "./owned-kinds.ts";

interface Deployment extends KubeObject {
  readonly spec?: {
    readonly template?: { readonly spec?: { readonly containers?: readonly { readonly args?: readonly string[] }[] } };
  };
}

const Deployments = resource<Deployment>({ group: "apps", version: "v1", kind: "Deployment", plural: "deployments" });

const providersOf = ({ spec }: Deployment): readonly string[] => {
  const args = spec?.template?.spec?.containers?.[0]?.args ?? [];
  const flag = "--providers=";
  const named = args.find((arg) => arg.startsWith(flag));
  return args[0] !== "manager" || named === undefined ? [] : named.slice(flag.length).split(",");
};

/** Throws `installation.older_deployment` when managers that an older release deployed under another name run one of the providers. */
export const checkNoOlderDeployment = async (
  client: Client,
  deployments: readonly KubeObject[],
  { systemNamespace, providers }: { readonly systemNamespace: string; readonly providers: readonly string[] },
  signal: AbortSignal,
): Promise<void> => {
  const own = new Set(deployments.map(({ metadata }) => metadata.name));
  const found = (await orNone(
    client.list(Deployments, { namespace: systemNamespace, signal }),
  )) as readonly Deployment[];
  const other = found.find(
    (deployment) =>
      installationOf(deployment) === undefined &&
      !own.has(deployment.metadata.name) &&
      providersOf(deployment).some((name) => providers.includes(name)),
  );
  if (other === undefined) return;
  const name = other.metadata.name ?? "";
  throw new CapstanError({
    code: "installation.older_deployment",
    reason: "OlderDeployment",
    message: `Deployment ${systemNamespace}/${name} of an earlier release runs ${providersOf(other).join(", ")}; keep it with --installation ${name}, or delete it first`,
    retry: { kind: "never" },
  });
};
