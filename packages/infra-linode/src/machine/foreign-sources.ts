import type { NamespaceGrant } from "@capstan/kit/engine";
import { describeObject } from "@capstan/contract/wire";
import { trustedIdsLabel } from "@capstan/kit/engine";
import type { LinodeCluster } from "../api/linode-cluster.v1alpha2.ts";
import type { LinodeMachine } from "../api/linode-machine.v1alpha2.ts";
import { linodeError } from "../cloud/errors.ts";
import type { Call, CatalogueCalls } from "../cloud/linode-api.ts";
import { namedSecret } from "../cloud/secret-ref.ts";
import { isTaggedFrom, isTaggedWithNamespace } from "../resource/owner-tags.ts";

interface Asking {
  readonly api: Pick<CatalogueCalls, "image">;
  readonly call: Call;
  readonly object: LinodeMachine;
  readonly infraCluster: LinodeCluster | undefined;
  readonly uses: { readonly ids: NamespaceGrant };
}

/** The Secret whose token a machine is made with; `undefined`: with the manager's. */
export const machineCredentials = ({ infraCluster, object }: Pick<Asking, "infraCluster" | "object">) =>
  namedSecret(object.spec.credentialsRef) ?? namedSecret(infraCluster?.spec.credentialsRef);

/**
 * Throws `linode.owned_by_another` where an instance would be made from disks that are another user's: from a backup, which says nothing of
 * its owner, with the manager's token, or from an image whose tags name other namespaces.
 */
export const refuseForeignSources = async (asking: Asking): Promise<void> => {
  const { api, call, object, uses } = asking;
  const { namespace = "" } = object.metadata;
  if (uses.ids.has(namespace)) return;
  const mend = `ask an administrator to label the Namespace with ${trustedIdsLabel}=true`;
  const { backupID, image } = object.spec;
  if (backupID !== undefined && machineCredentials(asking) === undefined) {
    const why = `the owner of backup ${backupID} is unknown, and the manager's token can read all backups`;
    throw linodeError(
      "foreign",
      `${describeObject(object)}: spec.backupID: ${why}; use your own credentials in credentialsRef, or ${mend}`,
    );
  }
  if (image === undefined) return;
  const tags = (await api.image(image, call))?.tags ?? [];
  if (!isTaggedWithNamespace(tags) || isTaggedFrom(tags, namespace)) return;
  throw linodeError(
    "foreign",
    `${describeObject(object)}: spec.image: the image ${image} is tagged for other namespaces; use another one, or ${mend}`,
  );
};
