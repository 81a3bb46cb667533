import { CapstanError, isCapstanError } from "@capstan/contract";
import type { CallOptions, Client } from "@capstan/kube";
import { type KubeObject, type Resource, sameJson } from "@capstan/schema";
import { ownLabel, rolesOf, userOf, type WantedRole } from "./account-roles.ts";
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

const placeOf = ({ kind }: Pick<WantedRole, "kind">, namespace = ""): string => `${kind.plural}/${namespace}`;

/** Ours among the roles and bindings, by kind and namespace: one list of each. */
const presentRoles = async (
  wanted: readonly WantedRole[],
  { call, client }: AccountSetup,
): Promise<ReadonlyMap<string, readonly KubeObject[]>> => {
  const places = new Map<string, { readonly kind: Resource; readonly namespace: string | undefined }>();
  for (const { kind, object } of wanted) {
    const { namespace } = object.metadata;
    places.set(placeOf({ kind }, namespace), { kind, namespace });
  }
  const labelSelector = `${ownLabel.name}=${ownLabel.value}`;
  return new Map(
    await Promise.all(
      [...places].map(async ([place, { kind, namespace }]) => {
        const options = { ...call, labelSelector, ...(namespace !== undefined && { namespace }) };
        return [place, (await client.list(kind, options)).items] as const;
      }),
    ),
  );
};

/** Makes what is missing and mends what differs; returns whether anything was written. */
const keepRoles = async (setup: AccountSetup): Promise<boolean> => {
  const { accounts, call, client } = setup;
  const wanted = accounts.flatMap(rolesOf);
  const present = await presentRoles(wanted, setup);
  let written = false;
  for (const { kind, object } of wanted) {
    const { name, namespace } = object.metadata;
    const found = present.get(placeOf({ kind }, namespace))?.find(({ metadata }) => metadata.name === name);
    if (found !== undefined && isAsWanted(found, object)) continue;
    if (found === undefined) await client.create(kind, object, call);
    else await client.update(kind, { ...object, metadata: found.metadata }, call);
    written = true;
  }
  return written;
};

const refused = (account: WorkloadAccount, why: string): CapstanError =>
  new CapstanError({
    code: "workload.account_refused",
    reason: "AccountRefused",
    message: `the workload cluster does not take requests as User ${userOf(account)}: ${why}`,
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
    if (status?.allowed !== true) throw refused(account, "its role does not hold yet");
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
