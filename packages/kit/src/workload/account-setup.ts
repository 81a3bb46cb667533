import { CapstanError, isCapstanError } from "@capstan/contract";
import type { CallOptions, Client } from "@capstan/kube";
import { type ObjectKey, keyText } from "@capstan/kube-values";
import { type KubeObject, sameJson } from "@capstan/schema";
import { ownLabel, roleKinds, rolesOf, userOf, type WantedRole } from "./account-roles.ts";
import type { WorkloadAccount } from "./workload-account.ts";

export interface AccountSetup {
  readonly accounts: readonly WorkloadAccount[];
  /** With the rights of the kubeconfig. */
  readonly client: Client;
  /** The same server, as an account. */
  readonly clientAs: (account: WorkloadAccount) => Client;
  readonly call: CallOptions;
}

/** The parts that say who may do what; labels and all else that others add is theirs. */
const isAsWanted = (present: KubeObject, wanted: KubeObject): boolean =>
  ["rules", "roleRef", "subjects"].every((field) => sameJson(present[field], wanted[field]));

const keyIn = ({ metadata }: KubeObject): ObjectKey => ({
  name: metadata.name ?? "",
  ...(metadata.namespace !== undefined && { namespace: metadata.namespace }),
});

/** Corrects an existing object. The role of a binding is immutable, so a binding is recreated. */
const mendRole = async (present: KubeObject, { kind, object }: WantedRole, setup: AccountSetup): Promise<void> => {
  const { call, client } = setup;
  if (sameJson(present["roleRef"], object["roleRef"])) {
    const labels = { ...present.metadata.labels, ...object.metadata.labels };
    await client.update(kind, { ...object, metadata: { ...present.metadata, labels } }, call);
    return;
  }
  await client.delete(kind, keyIn(object), call);
  await client.create(kind, object, call);
};

/** Makes it; what has its name without our label, or was made by another process meanwhile, is put right. */
const makeRole = async (wanted: WantedRole, setup: AccountSetup): Promise<void> => {
  const { call, client } = setup;
  const { kind, object } = wanted;
  try {
    await client.create(kind, object, call);
  } catch (error) {
    if (!isCapstanError(error, "kube.already_exists")) throw error;
    await mendRole(await client.get(kind, keyIn(object), call), wanted, setup);
  }
};

/**
 * Creates missing objects, fixes differing ones, and deletes those that grant an account of ours permissions that it no longer declares, such as a Role
 * in another namespace. Returns whether anything was written. What accounts of other processes have is theirs.
 */
const keepRoles = async (setup: AccountSetup): Promise<boolean> => {
  const { accounts, call, client } = setup;
  const wanted = accounts.flatMap(rolesOf);
  const users = new Set(accounts.map(userOf));
  const options = { ...call, labelSelector: `${ownLabel.name}=${ownLabel.value}` };
  const lists = await Promise.all(roleKinds.map(async (kind) => (await client.list(kind, options)).items));
  let written = false;
  for (const [index, kind] of roleKinds.entries()) {
    const missing = new Map(
      wanted.filter((one) => one.kind === kind).map((one) => [keyText(keyIn(one.object)), one] as const),
    );
    for (const present of lists[index] ?? []) {
      const key = keyIn(present);
      const one = missing.get(keyText(key));
      missing.delete(keyText(key));
      if (one === undefined ? !users.has(key.name) : isAsWanted(present, one.object)) continue;
      if (one === undefined) await client.delete(kind, key, call);
      else await mendRole(present, one, setup);
      written = true;
    }
    for (const one of missing.values()) {
      await makeRole(one, setup);
      written = true;
    }
  }
  return written;
};

const refused = (account: WorkloadAccount, why: string): CapstanError =>
  new CapstanError({
    code: "workload.account_refused",
    reason: "AccountRefused",
    message: `the workload cluster rejects requests as User ${userOf(account)}: ${why}`,
  });

interface Review {
  readonly status?: { readonly allowed?: boolean };
}

/** Asks the cluster, as the account, for the first of its permissions. Throws `workload.account_refused`. */
const checkAccount = async (account: WorkloadAccount, { call, clientAs }: AccountSetup): Promise<void> => {
  const [permission] = account.permissions;
  if (permission === undefined) return;
  const [resource = "", subresource] = permission.resource.split("/");
  const resourceAttributes = {
    group: permission.group,
    resource,
    verb: permission.verbs[0],
    ...(subresource !== undefined && { subresource }),
    ...(permission.namespace !== undefined && { namespace: permission.namespace }),
    ...(permission.names !== undefined && { name: permission.names[0] }),
  };
  try {
    const { status } = await clientAs(account).request<Review>({
      ...call,
      method: "POST",
      path: "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
      body: {
        apiVersion: "authorization.k8s.io/v1",
        kind: "SelfSubjectAccessReview",
        spec: { resourceAttributes },
      },
    });
    if (status?.allowed !== true) throw refused(account, "its role is not effective yet");
  } catch (error) {
    throw isCapstanError(error, "kube.forbidden") ? refused(account, error.message) : error;
  }
};

/**
 * Gives accounts the rights that their permissions say, with those of the kubeconfig. Reads four lists and asks once whether the first
 * account is taken, all of them after something was written; writes nothing when nothing differs. Throws what the server answers, and
 * `workload.account_refused` where the accounts or their roles do not hold (yet).
 */
export const setUpAccounts = async (setup: AccountSetup): Promise<void> => {
  const written = await keepRoles(setup);
  for (const account of written ? setup.accounts : setup.accounts.slice(0, 1)) await checkAccount(account, setup);
};
