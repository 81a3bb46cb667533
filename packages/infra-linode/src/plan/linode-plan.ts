import { CapstanError, isCapstanError } from "@capstan/contract";
import type {
  CloudPlanV1,
  PlanItemV1,
  PlannedResourceV1,
  PlanProblemV1,
  PlanRequestV1,
  PlanV1,
} from "@capstan/contract/v1";
import { credentialsIn, type SecretRef } from "@capstan/kit/machine";
import type { KubeObject } from "@capstan/schema";
import type { LinodeCluster } from "../api/linode-cluster.v1alpha2.ts";
import { LinodeCluster as ClusterKind } from "../api/linode-cluster.v1alpha2.ts";
import { LinodeMachine as MachineKind } from "../api/linode-machine.v1alpha2.ts";
import type { LinodeMachine } from "../api/linode-machine.v1alpha2.ts";
import type { Connect } from "../cloud/connections.ts";
import type { LinodeApi } from "../cloud/linode-api.ts";
import { namedSecret } from "../cloud/secret-ref.ts";
import { catalogue, type Catalogue } from "./catalogue.ts";
import { planCluster } from "./plan-cluster.ts";
import { type Planned, planMachine } from "./plan-machine.ts";

const subjectOf = ({ after, before }: PlanItemV1): KubeObject | undefined => after ?? before;

const credentialsRef = (item: PlanItemV1): SecretRef | undefined => {
  const own = (subjectOf(item) as LinodeMachine | LinodeCluster | undefined)?.spec.credentialsRef;
  return namedSecret(own) ?? namedSecret((item.infraCluster as LinodeCluster | undefined)?.spec.credentialsRef);
};

/** The API with the credentials that an object names, or the provider's own. */
const apiFor = async (item: PlanItemV1, connect: Connect, { secret }: PlanRequestV1): Promise<LinodeApi> => {
  const ref = credentialsRef(item);
  const metadata: KubeObject["metadata"] = subjectOf(item)?.metadata ?? {};
  if (ref === undefined) return connect(undefined, { metadata });
  const key = { namespace: ref.namespace ?? metadata.namespace ?? "", name: ref.name };
  const found = await secret(key);
  if (found !== undefined) return connect(credentialsIn(found), { metadata });
  throw new CapstanError({
    code: "credentials.secret_missing",
    reason: "CredentialsSecretMissing",
    message: `spec.credentialsRef: there is no Secret ${key.namespace}/${key.name}; create it, with the token as apiToken`,
    retry: { kind: "never" },
  });
};

/** Wrong about the object or its credentials; not a cloud that does not answer. */
const isProblem = (error: unknown): error is CapstanError =>
  isCapstanError(error) && (error.retry.kind === "never" || error.code.startsWith("credentials."));

/** Names of the other kinds' resources at Linode. */
const types: Readonly<Record<string, string>> = {
  LinodeFirewall: "firewall",
  LinodeObjectStorageBucket: "bucket",
  LinodeObjectStorageKey: "object storage key",
  LinodePlacementGroup: "placement group",
  LinodeVPC: "VPC",
};

/**
 * Plans a resource that is neither a machine nor a cluster, and that costs nothing or is priced by use. Its object
 * tells whether it exists.
 */
const planBeside = ({ before, after }: PlanItemV1, type: string): Planned => {
  const object = after ?? before;
  if (object === undefined) return { resources: [], problems: [] };
  const { status } = object as LinodeCluster;
  const action = after === undefined ? "delete" : status?.ready === true ? "keep" : "create";
  return { resources: [{ action, object, type, name: object.metadata.name ?? "", count: 1 }], problems: [] };
};

const planItem = async (
  item: PlanItemV1,
  connect: Connect,
  request: PlanRequestV1,
  catalogues: Map<LinodeApi, Catalogue>,
) => {
  const beside = types[subjectOf(item)?.kind ?? ""];
  if (beside !== undefined) return planBeside(item, beside);
  const call = { signal: request.signal };
  const api = await apiFor(item, connect, request);
  const known = catalogues.get(api) ?? catalogue(api, call);
  catalogues.set(api, known);
  const environment = { api, call, catalogue: known, find: request.find };
  const kind = subjectOf(item)?.kind;
  if (kind === MachineKind.kind) return planMachine(item, environment);
  return kind === ClusterKind.kind ? planCluster(item, environment) : { resources: [], problems: [] };
};

/** Returns the planner that translates objects into Linode resources, with the prices of instances. It only reads. */
export const linodePlan =
  (connect: Connect): PlanV1 =>
  async (request): Promise<CloudPlanV1> => {
    const catalogues = new Map<LinodeApi, Catalogue>();
    const resources: PlannedResourceV1[] = [];
    const problems: PlanProblemV1[] = [];
    for (const item of request.items) {
      const object = subjectOf(item);
      if (object === undefined) continue;
      try {
        const planned = await planItem(item, connect, request, catalogues);
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
