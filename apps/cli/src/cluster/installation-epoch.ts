import { isCapstanError } from "@capstan/contract";
import { NamespaceResource } from "@capstan/contract/wire";
import { Installation, type InstallationFacts, installationService } from "@capstan/kit/engine";
import type { Client } from "@capstan/kube";
import type { Manager } from "@capstan/runtime";
import type { KubeObject } from "@capstan/schema";

/** The Namespace that every management API has: its first uid is the id of the installation, and its annotations say what a restore changed. */
export const identityNamespace = "kube-system";

/** On that Namespace: the id, where the uid is another one since a restore. */
const idAnnotation = "capstan.dev/installation-id";
/** On that Namespace: the epoch. Default 1. */
const epochAnnotation = "capstan.dev/installation-epoch";

const firstEpoch = 1;

/** Id and epoch of the management API with this Namespace. */
export const installationIn = ({ metadata }: KubeObject): InstallationFacts => {
  const { annotations = {}, uid = "" } = metadata;
  const epoch = Number(annotations[epochAnnotation]);
  return {
    id: annotations[idAnnotation] ?? uid,
    epoch: Number.isSafeInteger(epoch) && epoch >= firstEpoch ? epoch : firstEpoch,
  };
};

/** The annotations by which the Namespace has an id and an epoch. */
export const installationAnnotations = ({ epoch, id }: InstallationFacts): Readonly<Record<string, string>> => ({
  [idAnnotation]: id,
  [epochAnnotation]: String(epoch),
});

/** Reads id and epoch. `undefined` where the Namespace is missing, or may not be read, as with roles of an older release. */
const readInstallation = async (
  client: Pick<Client, "find">,
  signal: AbortSignal,
): Promise<InstallationFacts | undefined> => {
  try {
    const found = await client.find<KubeObject>(
      NamespaceResource,
      { namespace: "", name: identityNamespace },
      { signal },
    );
    return found === undefined ? undefined : installationIn(found);
  } catch (error) {
    if (isCapstanError(error, "kube.forbidden")) return undefined;
    throw error;
  }
};

/** Tells the controllers of a manager which installation it is. */
export const provideInstallation = (manager: Manager, client: Pick<Client, "find">): void => {
  const { clock, log, metrics } = manager;
  const howToRaise = (epoch: number): string =>
    `run kubectl annotate --overwrite namespace ${identityNamespace} ${epochAnnotation}=${epoch} here`;
  const read = async ({ signal }: { readonly signal: AbortSignal }): Promise<InstallationFacts | undefined> => {
    const facts = await readInstallation(client, signal);
    if (facts === undefined) {
      log.info(
        "the manager may not read which installation it is, so a restored copy at the same cloud is not noticed",
        {
          namespace: identityNamespace,
        },
      );
    }
    return facts;
  };
  manager.provide(installationService, new Installation({ read, howToRaise, clock, log, metrics }));
};
