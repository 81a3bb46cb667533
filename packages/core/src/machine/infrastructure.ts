import { CapstanError } from "@capstan/contract";
import { describeObject, infraMachine } from "@capstan/contract/wire";
import type { Result } from "@capstan/runtime";
import { sameJson } from "@capstan/schema";
import type { Machine } from "../api.ts";
import type { ExternalObject } from "@capstan/kit/machines";
import { withSpec, withStatus } from "@capstan/kit/machines";
import { observeExternal } from "../external/observation.ts";
import { adoptPart } from "./adopt-part.ts";
import { makePart } from "./make-part.ts";
import type { MachineScope } from "./scope.ts";
import { isDeleting, missingObjectRetryMs } from "./scope.ts";
import { CoreErrorCode } from "../errors.ts";

/** Delay before the next look for the provider id of a machine that is reported as provisioned, in milliseconds. */
const providerIDRetryMs = 5000;

const isProvisioned = (machine: Machine): boolean => machine.status?.initialization?.infrastructureProvisioned === true;

const reportMissing = (scope: MachineScope): Result => {
  if (isDeleting(scope)) return {};
  if (!isProvisioned(scope.machine)) return { requeueAfterMs: missingObjectRetryMs };
  const { kind, name } = scope.machine.spec.infrastructureRef;
  const message = `${kind} ${name} has been deleted after ${describeObject(scope.machine)} was provisioned; delete the Machine to have it replaced`;
  scope.failure = { failureReason: "InvalidConfiguration", failureMessage: message };
  throw new CapstanError({ code: CoreErrorCode.infrastructureLost, reason: "InfrastructureLost", message });
};

/**
 * Copies the facts that the infrastructure reports about the machine. Provider id and addresses follow later changes.
 */
const copyFacts = (machine: Machine, { object, contract }: ExternalObject, providerID: string): Machine => {
  const fields = infraMachine.for(contract);
  const addresses = fields.addresses.get(object);
  const failureDomain = fields.failureDomain.get(object);
  const { status } = machine;
  const spec = {
    providerID,
    ...(contract === "v1beta1" && failureDomain !== undefined ? { failureDomain } : {}),
  };
  return withStatus(withSpec(machine, spec), {
    addresses: sameJson(addresses, status?.addresses) ? status?.addresses : addresses,
    failureDomain: failureDomain ?? status?.failureDomain,
    initialization: isProvisioned(machine)
      ? status?.initialization
      : { ...status?.initialization, infrastructureProvisioned: true },
  });
};

/** Adopts the infrastructure machine and copies what it reports. "Provisioned" is never taken back. */
export const reconcileInfrastructure = async (scope: MachineScope): Promise<Result> => {
  const { machine } = scope;
  const observed = await observeExternal(
    scope.context,
    scope.externals,
    machine.spec.infrastructureRef,
    machine.metadata.namespace,
    (observation) => {
      scope.infrastructure = observation;
    },
  );
  const isWanted = !isDeleting(scope) && !isProvisioned(machine);
  const external = observed ?? (isWanted ? await makePart(scope, "infrastructure") : undefined);
  if (external === undefined) return reportMissing(scope);
  if (external.object.metadata.deletionTimestamp !== undefined) return {};
  const adopted = await adoptPart(scope, "infrastructure", external);
  const fields = infraMachine.for(adopted.contract);
  if (!isProvisioned(machine) && fields.provisioned.get(adopted.object) !== true) return {};
  const providerID = fields.providerID.get(adopted.object);
  if (providerID === undefined || providerID === "") return { requeueAfterMs: providerIDRetryMs };
  scope.machine = copyFacts(machine, adopted, providerID);
  return {};
};
