import { CapstanError, isCapstanError } from "@capstan/contract";
import type {
  CloudPlanV1,
  PlanItemV1,
  PlannedResourceV1,
  PlanProblemV1,
  PlanRequestV1,
  PlanV1,
} from "@capstan/contract/v1";
import type { Credentials, SecretRef } from "@capstan/kit/machine";
import { credentialsIn } from "@capstan/kit/machine";
import type { KubeObject } from "@capstan/schema";
import type { AzureCluster } from "../api/azure-cluster.v1beta1.ts";
import { AzureCluster as ClusterKind } from "../api/azure-cluster.v1beta1.ts";
import type { AzureClusterIdentity } from "../api/azure-cluster-identity.v1beta1.ts";
import { AzureClusterIdentity as IdentityKind } from "../api/azure-cluster-identity.v1beta1.ts";
import { AzureMachine as MachineKind } from "../api/azure-machine.v1beta1.ts";
import { AzureMachinePool as PoolKind } from "../api/azure-machine-pool.v1beta1.ts";
import type { AzureApi } from "../cloud/azure-api.ts";
import type { Connect } from "../cloud/connections.ts";
import { connectCluster } from "../identity/connect-cluster.ts";
import { identityKey } from "../identity/identities.ts";
import type { AzureProviderOptions } from "../options.ts";
import { planCluster } from "./plan-cluster.ts";
import type { Planned } from "./plan-environment.ts";
import { planMachine } from "./plan-machine.ts";
import { planPool } from "./plan-pool.ts";

const subjectOf = ({ after, before }: PlanItemV1): KubeObject | undefined => after ?? before;

/** The AzureCluster of an item, or that it is. */
const clusterOf = (item: PlanItemV1): AzureCluster | undefined => {
  const subject = subjectOf(item);
  return subject?.kind === ClusterKind.kind ? subject : item.infraCluster;
};

const credentialsReader =
  ({ secret }: PlanRequestV1, cluster: AzureCluster) =>
  async ({ name, namespace = cluster.metadata.namespace ?? "" }: SecretRef): Promise<Credentials> => {
    const found = await secret({ namespace, name });
    if (found !== undefined) return credentialsIn(found);
    throw new CapstanError({
      code: "credentials.secret_missing",
      reason: "CredentialsSecretMissing",
      message: `Secret ${namespace}/${name} of its AzureClusterIdentity does not exist; create it`,
      retry: { kind: "never" },
    });
  };

const namespaceKind = { group: "", kind: "Namespace" };

/** The subscription of an AzureCluster, as its identity that will be. */
const apiFor = async (
  cluster: AzureCluster,
  connect: Connect,
  { options, request }: { readonly request: PlanRequestV1; readonly options: AzureProviderOptions },
): Promise<AzureApi> => {
  const key = identityKey(cluster);
  const { namespace = "" } = cluster.metadata;
  const [identity, home] = await Promise.all([
    key === undefined ? undefined : request.find(IdentityKind, key),
    request.find(namespaceKind, { name: namespace }),
  ]);
  const known = {
    of: () => identity as AzureClusterIdentity | undefined,
    labelsOf: () => home?.metadata.labels ?? {},
    // Secrets are read with the rights of whoever asks for the plan.
    admitted: async () => undefined,
  };
  return connectCluster(
    { cluster, identities: known, credentialsOf: credentialsReader(request, cluster) },
    connect,
    options,
  );
};

/** Wrong about the object or its identity; not a cloud that does not answer. */
const isProblem = (error: unknown): error is CapstanError =>
  isCapstanError(error) && (error.retry.kind === "never" || error.code.startsWith("credentials."));

/**
 * Plans the Azure resources of AzureClusters, AzureMachines and AzureMachinePools. It only reads; prices are from a table, as Resource
 * Manager has none.
 */
export const azurePlan =
  (connect: Connect, options: AzureProviderOptions): PlanV1 =>
  async (request): Promise<CloudPlanV1> => {
    const call = { signal: request.signal };
    const resources: PlannedResourceV1[] = [];
    const problems: PlanProblemV1[] = [];
    const planItem = async (item: PlanItemV1): Promise<Planned> => {
      const cluster = clusterOf(item);
      if (cluster === undefined) return { resources: [], problems: [] };
      const api = await apiFor(cluster, connect, { request, options });
      const environment = { api, call, cluster };
      const kind = subjectOf(item)?.kind;
      if (kind === MachineKind.kind) return planMachine(item, environment);
      if (kind === PoolKind.kind) return planPool(item, environment);
      return kind === ClusterKind.kind ? planCluster(item, environment) : { resources: [], problems: [] };
    };
    for (const item of request.items) {
      const object = subjectOf(item);
      if (object === undefined) continue;
      try {
        const planned = await planItem(item);
        resources.push(...planned.resources);
        problems.push(...planned.problems.map((message) => ({ object, message })));
      } catch (error) {
        request.signal.throwIfAborted();
        if (!isProblem(error)) throw error;
        problems.push({ object, message: error.message });
      }
    }
    return { resources, problems };
  };
