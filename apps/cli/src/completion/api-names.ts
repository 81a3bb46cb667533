import { NamespaceResource } from "@capstan/contract/wire";
import { readFileSync } from "node:fs";
import { connect, createClient, type Client } from "@capstan/kube";
import { parseDurationMs } from "@capstan/kube-values";
import { systemClock } from "@capstan/runtime";
import { parse } from "yaml";
import { findResource, kindWords } from "../cluster/find-resource.ts";
import { usualKubeconfigs } from "../cluster/kubeconfig-files.ts";
import { managementAccess, meantKubeconfig, namespaceOf } from "../management-access.ts";
import { list } from "../flag-values.ts";
import { objectStoreNames } from "../modules/object-stores.ts";
import { providerNames } from "../modules/providers.ts";
import { declaredOptions } from "../modules/declared-options.ts";
import { type OptionText, optionTexts } from "../options/option-texts.ts";
import type { ApiFlags, Names } from "./suggest.ts";

/** Whoever presses a key does not wait longer for an API that does not answer, unless the variable says so. */
const patienceMs = (): number => parseDurationMs(process.env["CAPSTAN_COMPLETION_TIMEOUT"] ?? "") ?? 3000;

interface Session {
  readonly client: Client;
  readonly namespace: string;
  readonly signal: AbortSignal;
}

const chosen = (flags: ApiFlags) => ({
  kubeconfig: flags["--kubeconfig"],
  context: flags["--context"],
  dataDir: flags["--data-dir"],
});

/** Asks the management API; nothing where it cannot be reached, since no one reads why. */
const asked = async (
  flags: ApiFlags,
  ask: (session: Session) => Promise<readonly string[]>,
): Promise<readonly string[]> => {
  try {
    const found = await managementAccess(chosen(flags), process.env);
    const connection = connect({ access: found, clock: systemClock });
    try {
      const namespace = namespaceOf({ namespace: flags["--namespace"] }, found);
      return await ask({ client: createClient(connection), namespace, signal: AbortSignal.timeout(patienceMs()) });
    } finally {
      await connection.close();
    }
  } catch {
    return [];
  }
};

const namesIn = async (
  { client, signal }: Session,
  kind: Parameters<Client["list"]>[0],
  place: { readonly namespace?: string },
): Promise<readonly string[]> => {
  const { items } = await client.list(kind, { ...place, signal });
  return items.map(({ metadata }) => metadata.name ?? "");
};

/** The kubeconfigs of the management API that is meant. */
const kubeconfigs = (flags: ApiFlags): readonly string[] => {
  const meant = meantKubeconfig(chosen(flags), process.env);
  return meant === undefined ? usualKubeconfigs(process.env) : [meant];
};

/** The contexts of a kubeconfig; none where it cannot be read, since no one reads why. */
const contextsIn = (file: string): readonly string[] => {
  try {
    const { contexts = [] } = parse(readFileSync(file, "utf8")) as {
      contexts?: readonly { readonly name: string }[];
    };
    return contexts.map(({ name }) => name);
  } catch {
    return [];
  }
};

const listed = (names: string | undefined, usual: readonly string[]): readonly string[] =>
  names === undefined ? usual : list(names);

/** Options of those that flags name; none where modules cannot be loaded, since no one reads why. */
const options = async (flags: ApiFlags): Promise<readonly OptionText[]> => {
  try {
    const declared = await declaredOptions({
      providers: listed(flags["--providers"], providerNames),
      objectStores: listed(flags["--object-stores"], objectStoreNames),
    });
    return declared.flatMap(optionTexts);
  } catch {
    return [];
  }
};

/** Names that completion asks the management API and the kubeconfig for. */
export const apiNames: Names = {
  kinds: (flags) => asked(flags, ({ client, signal }) => kindWords(client, { signal })),
  objects: (kind, flags) =>
    asked(flags, async (session) => {
      const found = await findResource(session.client, kind, session);
      return namesIn(session, found, found.namespaced ? { namespace: session.namespace } : {});
    }),
  namespaces: (flags) => asked(flags, (session) => namesIn(session, NamespaceResource, {})),
  contexts: async (flags) => [...new Set(kubeconfigs(flags).flatMap(contextsIn))],
  options,
};
