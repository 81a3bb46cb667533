import { CapstanError } from "@capstan/contract";
import { describeObject } from "@capstan/contract/wire";
import type { ClusterMember } from "@capstan/kit/cluster";
import type { LifeContext, OwnedSecrets, Using } from "@capstan/kit/engine";
import { ownedSecrets } from "@capstan/kit/engine";
import { isJsonObject } from "@capstan/schema";
import type { KubeObject } from "@capstan/schema";
import { managedIdentityRef } from "../arm/resource-id.ts";
import type { AzureCluster } from "../api/azure-cluster.v1beta1.ts";
import type { AzureApi } from "../cloud/azure-api.ts";
import { placeOf } from "../cluster/place.ts";
import { identities } from "../identity/identities.ts";
import { clientSecretOf } from "../identity/principal.ts";
import type { CloudAccess } from "./cloud-config.ts";
import { cloudConfig } from "./cloud-config.ts";

/** Returns the identities and owned Secrets that a controller of such Secrets uses. */
export const cloudConfigUses = () => ({ identities: identities(), secrets: ownedSecrets() });

export type CloudConfigContext<O extends KubeObject> = LifeContext<
  O,
  AzureApi,
  ClusterMember<AzureCluster> & Using<ReturnType<typeof cloudConfigUses>>
>;

/** As what machines act at Azure. */
export interface MachineIdentity {
  readonly identity?: "None" | "SystemAssigned" | "UserAssigned" | undefined;
  readonly userAssignedIdentities?: readonly { readonly providerID: string }[] | undefined;
}

/** The last one is for configurations of older releases. */
const keys = ["control-plane-azure", "worker-node-azure", "azure"].map((name) => `${name}.json`);

const nameOf = ({ metadata }: KubeObject): string => `${metadata.name}-azure-json`;

const identityMissing = (object: KubeObject, id: string): CapstanError =>
  new CapstanError({
    code: "azure.user_identity_missing",
    reason: "UserAssignedIdentityMissing",
    message: `${describeObject(object)}: spec.userAssignedIdentities: identity ${id} does not exist; create it, or correct the ID`,
    retry: { kind: "after", ms: 60_000 },
  });

/** Returns the configuration in the existing Secret; empty if there is none that can be parsed. */
const known = async (secrets: OwnedSecrets, name: string): Promise<Readonly<Record<string, unknown>>> => {
  const bytes = (await secrets.read(name))?.[keys[0] ?? ""];
  if (bytes === undefined) return {};
  try {
    const config: unknown = JSON.parse(Buffer.from(bytes).toString("utf8"));
    return isJsonObject(config) ? config : {};
  } catch {
    return {};
  }
};

/** The client ID of the first identity that machines have. It never changes, so that it is asked for only once. */
const userAssigned = async <O extends KubeObject>(
  { api, call, object, uses }: CloudConfigContext<O>,
  { userAssignedIdentities = [] }: MachineIdentity,
): Promise<CloudAccess> => {
  const before = (await known(uses.secrets, nameOf(object)))["userAssignedIdentityID"];
  if (typeof before === "string" && before !== "") return { type: "UserAssigned", clientId: before };
  const ref = managedIdentityRef(userAssignedIdentities[0]?.providerID ?? "");
  const found = await api.find(ref, call);
  const clientId = found?.properties?.["clientId"];
  if (typeof clientId !== "string") throw identityMissing(object, ref.id);
  return { type: "UserAssigned", clientId };
};

const accessOf = async <O extends KubeObject>(
  context: CloudConfigContext<O>,
  machine: MachineIdentity,
): Promise<CloudAccess> => {
  if (machine.identity === "SystemAssigned") return { type: "SystemAssigned" };
  if (machine.identity === "UserAssigned") return userAssigned(context, machine);
  const identity = context.uses.identities.of(context.infraCluster);
  const clientSecret = identity === undefined ? "" : await clientSecretOf(identity, context.readSecret);
  return { type: "Client", clientId: identity?.spec?.clientID ?? "", clientSecret };
};

/** The contents of the Secret that bootstrap configurations of an object's machines read. */
const contents = async <O extends KubeObject>(
  context: CloudConfigContext<O>,
  machine: MachineIdentity,
): Promise<Readonly<Record<string, string>>> => {
  const { api, cluster, identity, infraCluster, uses } = context;
  const config = cloudConfig({
    place: placeOf({ object: infraCluster, cluster, identity, subscription: api.subscription }),
    tenantId: uses.identities.of(infraCluster)?.spec?.tenantID ?? "",
    access: await accessOf(context, machine),
    stackEndpoint: api.stackEndpoint,
  });
  return Object.fromEntries(keys.map((key) => [key, config]));
};

/** Returns whether the Secret has to be written. One that another user made is left as it is. */
export const isCloudConfigDue = async <O extends KubeObject>(
  context: CloudConfigContext<O>,
  machine: MachineIdentity,
): Promise<boolean> => {
  const { object, uses } = context;
  const name = nameOf(object);
  if (uses.secrets.isOthers(name)) return false;
  const present = await uses.secrets.read(name);
  const wanted = await contents(context, machine);
  return keys.some((key) => {
    const bytes = present?.[key];
    return bytes === undefined || Buffer.from(bytes).toString("utf8") !== wanted[key];
  });
};

/** Writes the Secret with the configuration of the cloud provider, which machines get with their bootstrap data. */
export const writeCloudConfig = async <O extends KubeObject>(
  context: CloudConfigContext<O>,
  machine: MachineIdentity,
): Promise<void> => {
  const { identity, object, uses } = context;
  const labels = { [identity.clusterName]: "owned" };
  await uses.secrets.write(nameOf(object), await contents(context, machine), { labels });
};
