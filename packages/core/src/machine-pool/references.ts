import { CapstanError } from "@capstan/contract";
import type { ContractReference } from "@capstan/contract/wire";
import { describeObject, infraMachinePool, ownerReference } from "@capstan/contract/wire";
import type { ExternalObject } from "@capstan/kit/machines";
import { withSpec, withStatus } from "@capstan/kit/machines";
import { isBeingDeleted } from "@capstan/kube-values";
import type { Result } from "@capstan/runtime";
import { sameJson } from "@capstan/schema";
import { MachinePool } from "../api.ts";
import { CoreErrorCode } from "../errors.ts";
import { adoptExternal } from "../external/adopt.ts";
import type { ExternalObservation } from "../external/observation.ts";
import { observeExternal } from "../external/observation.ts";
import { madeDataSecret } from "../machine/data-secret.ts";
import type { MachinePoolScope } from "./scope.ts";
import { missingObjectRetryMs } from "./scope.ts";

type Initialization = NonNullable<NonNullable<MachinePool["status"]>["initialization"]>;

const mark = (pool: MachinePool, flag: keyof Initialization): MachinePool =>
  pool.status?.initialization?.[flag] === true
    ? pool
    : withStatus(pool, { initialization: { ...pool.status?.initialization, [flag]: true } });

/** Reads an object that a pool refers to and makes it the pool's own; `undefined` when there is nothing to learn from it. */
const adopted = async (
  scope: MachinePoolScope,
  part: "bootstrap" | "infrastructure",
  reference: ContractReference,
): Promise<ExternalObject | undefined> => {
  const { context, externals, pool } = scope;
  const observed = (observation: ExternalObservation): void => {
    scope[part] = observation;
  };
  const external = await observeExternal(context, externals, reference, pool.metadata.namespace, observed);
  if (external === undefined || isBeingDeleted(external.object)) return undefined;
  const owner = ownerReference(MachinePool, pool, { controller: true, blockOwnerDeletion: true });
  return adoptExternal(context, external, { owner, clusterName: pool.spec.clusterName }, observed);
};

/** Adopts the bootstrap config and copies the name of its data Secret, which follows the reference. */
export const reconcileBootstrap = async (scope: MachinePoolScope): Promise<Result> => {
  const { configRef, dataSecretName } = scope.pool.spec.template.spec.bootstrap;
  if (configRef === undefined) {
    if (dataSecretName !== undefined) scope.pool = mark(scope.pool, "bootstrapDataSecretCreated");
    return {};
  }
  const external = await adopted(scope, "bootstrap", configRef);
  if (external === undefined) {
    return scope.bootstrap.state === "missing" && !isBeingDeleted(scope.pool)
      ? { requeueAfterMs: missingObjectRetryMs }
      : {};
  }
  const name = madeDataSecret(external);
  if (name === undefined) return {};
  const { template } = scope.pool.spec;
  const named =
    name === dataSecretName
      ? scope.pool
      : withSpec(scope.pool, {
          template: {
            ...template,
            spec: { ...template.spec, bootstrap: { ...template.spec.bootstrap, dataSecretName: name } },
          },
        });
  scope.pool = mark(named, "bootstrapDataSecretCreated");
  return {};
};

const isProvisioned = ({ status }: MachinePool): boolean => status?.initialization?.infrastructureProvisioned === true;

const reportMissing = (scope: MachinePoolScope): Result => {
  const { pool, infrastructure } = scope;
  if (infrastructure.state !== "missing" || isBeingDeleted(pool)) return {};
  if (!isProvisioned(pool)) return { requeueAfterMs: missingObjectRetryMs };
  const { kind, name } = pool.spec.template.spec.infrastructureRef;
  const message = `${kind} ${name} has been deleted after ${describeObject(pool)} was provisioned; restore it, or delete the MachinePool`;
  scope.failure = { failureReason: "InvalidConfiguration", failureMessage: message };
  throw new CapstanError({ code: CoreErrorCode.infrastructureLost, reason: "InfrastructureLost", message });
};

/** Adopts the infrastructure machine pool and copies what it reports. "Provisioned" is never taken back, all else follows. */
export const reconcileInfrastructure = async (scope: MachinePoolScope): Promise<Result> => {
  const external = await adopted(scope, "infrastructure", scope.pool.spec.template.spec.infrastructureRef);
  if (scope.infrastructure.state === "found") {
    const { contract, object } = scope.infrastructure.external;
    scope.machineKind = infraMachinePool.for(contract).machineKind.get(object);
  }
  if (external === undefined) return reportMissing(scope);
  const { pool } = scope;
  const fields = infraMachinePool.for(external.contract);
  if (!isProvisioned(pool) && fields.provisioned.get(external.object) !== true) return {};
  const ids = fields.providerIDList.get(external.object) ?? [];
  const replicas = fields.replicas.get(external.object) ?? ids.length;
  // An empty list is said before the first machine has its id.
  if (!isProvisioned(pool) && ids.length === 0 && (pool.spec.replicas ?? 1) !== 0) return {};
  const providerIDList = sameJson(ids, pool.spec.providerIDList ?? []) ? pool.spec.providerIDList : ids;
  const copied = withStatus(
    withSpec(pool, { providerIDList: providerIDList?.length === 0 ? undefined : providerIDList }),
    { replicas },
  );
  scope.pool = mark(copied, "infrastructureProvisioned");
  return {};
};
