import type { Result } from "@capstan/runtime";
import { withSpec, withStatus } from "@capstan/kit/machines";
import type { Machine } from "../api.ts";
import { observeExternal } from "../external/observation.ts";
import { adoptPart } from "./adopt-part.ts";
import { madeDataSecret } from "./data-secret.ts";
import { makePart } from "./make-part.ts";
import type { MachineScope } from "./scope.ts";
import { isDeleting, missingObjectRetryMs } from "./scope.ts";

const markCreated = (machine: Machine): Machine =>
  machine.status?.initialization?.bootstrapDataSecretCreated === true
    ? machine
    : withStatus(machine, {
        initialization: { ...machine.status?.initialization, bootstrapDataSecretCreated: true },
      });

/** Adopts the bootstrap config and copies the name of its data Secret, once. Data given by the user is left alone. */
export const reconcileBootstrap = async (scope: MachineScope): Promise<Result> => {
  const { configRef, dataSecretName } = scope.machine.spec.bootstrap;
  if (dataSecretName !== undefined) scope.machine = markCreated(scope.machine);
  if (configRef === undefined) return {};
  const observed = await observeExternal(
    scope.context,
    scope.externals,
    configRef,
    scope.machine.metadata.namespace,
    (observation) => {
      scope.bootstrap = observation;
    },
  );
  const isWanted = !isDeleting(scope) && dataSecretName === undefined;
  const external = observed ?? (isWanted ? await makePart(scope, "bootstrap") : undefined);
  if (external === undefined) {
    return isDeleting(scope) || dataSecretName !== undefined ? {} : { requeueAfterMs: missingObjectRetryMs };
  }
  if (external.object.metadata.deletionTimestamp !== undefined) return {};
  const adopted = await adoptPart(scope, "bootstrap", external);
  if (dataSecretName !== undefined) return {};
  const name = madeDataSecret(adopted);
  if (name === undefined) return {};
  const { machine } = scope;
  scope.machine = markCreated(withSpec(machine, { bootstrap: { ...machine.spec.bootstrap, dataSecretName: name } }));
  return {};
};
