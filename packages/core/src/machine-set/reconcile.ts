import { Finalizer, isCapstanError, Label } from "@capstan/contract";
import { controllerOf, ownerReference, withOwnerReference } from "@capstan/contract/wire";
import { isBeingDeleted, keyOf } from "@capstan/kube-values";
import type { Reconcile, ReconcileContext, Result } from "@capstan/runtime";
import { Cluster, MachineDeployment, MachineSet } from "../api.ts";
import { revisionOf } from "../rollout/revision.ts";
import { defaultMachineSet } from "../defaults/defaults.ts";
import type { ExternalObject } from "@capstan/kit/external";
import { namedCluster } from "../object/named-cluster.ts";
import { ownedByCluster } from "../object/owners.ts";
import { letGo, reconcileObject } from "../object/reconcile-object.ts";
import { runSteps } from "../object/steps.ts";
import { cachedCandidates, claimMachines } from "./claim.ts";
import { deleteMachines } from "./delete-machines.ts";
import { deleteOrphans } from "./orphans.ts";
import { remediateMachines } from "./remediate.ts";
import { blockerOf, reconcileReplicas } from "./replicas.ts";
import type { MachineSetScope, MachineSetServices } from "./scope.ts";
import { machineSetStatus } from "./status.ts";
import { syncMachines } from "./sync.ts";
import { readTemplates } from "./templates.ts";
import { CoreErrorCode } from "../errors.ts";

/** A set that no deployment manages belongs to its Cluster. */
const withStandAloneOwner = (set: MachineSet, cluster: Cluster): MachineSet =>
  set.metadata.labels?.[Label.deploymentName] !== undefined || controllerOf(set) !== undefined
    ? set
    : ownedByCluster(set, cluster);

/** The deployment that controls a set, and whether it has gone on to another one. */
const ownerOf = ({ cache }: ReconcileContext, set: MachineSet): Pick<MachineSetScope, "deployment" | "outdated"> => {
  const owner = controllerOf(set);
  const deployment =
    owner?.kind === MachineDeployment.kind
      ? cache.get(MachineDeployment, { namespace: set.metadata.namespace ?? "", name: owner.name })
      : undefined;
  return { deployment, outdated: deployment !== undefined && revisionOf(deployment) !== revisionOf(set) };
};

/** Templates belong to the Cluster, so that they go and move with it. */
const ownTemplate = async ({ context, cluster }: MachineSetScope, template: ExternalObject): Promise<void> => {
  const { object, resource } = template;
  const before = object.metadata.ownerReferences ?? [];
  const ownerReferences = withOwnerReference(before, ownerReference(Cluster, cluster));
  if (ownerReferences === before) return;
  const { resourceVersion } = object.metadata;
  await context.client.patch(resource, keyOf(object), {
    type: "merge",
    body: { metadata: { resourceVersion, ownerReferences } },
  });
};

const reconcileTemplates = async (scope: MachineSetScope): Promise<Result> => {
  try {
    const { bootstrap, infrastructure } = await readTemplates(scope);
    if (bootstrap !== undefined) await ownTemplate(scope, bootstrap);
    await ownTemplate(scope, infrastructure);
  } catch (error) {
    if (!isCapstanError(error, CoreErrorCode.templateMissing)) throw error;
    // What an old set was made from may be gone: it makes nothing any more.
    if (!scope.outdated) scope.blockers = [blockerOf(error)];
  }
  return {};
};

const reconcileDelete = async (scope: MachineSetScope): Promise<Result> => {
  const leaving = scope.machines.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  if (scope.machines.length === 0) scope.set = letGo(scope.set, Finalizer.machineSet);
  else await deleteMachines(scope, leaving);
  return {};
};

/** Keeps the wished number of Machines: makes, adopts, deletes and brings up to date what can be changed in place. */
export const reconcileMachineSet = (services: MachineSetServices): Reconcile =>
  reconcileObject({
    kind: MachineSet,
    saver: services.saver,
    finalizer: Finalizer.machineSet,
    defaults: defaultMachineSet,
    cluster: namedCluster(),
    owned: withStandAloneOwner,
    work: async (set, cluster, context) => {
      const machines = await claimMachines(context, set, cachedCandidates(context, set));
      const scope: MachineSetScope = {
        ...services,
        context,
        cluster,
        ...ownerOf(context, set),
        set,
        machines,
        blockers: [],
      };
      const outcome = await runSteps(
        isBeingDeleted(set)
          ? [() => syncMachines(scope), () => deleteOrphans(scope), () => reconcileDelete(scope)]
          : [
              () => reconcileTemplates(scope),
              () => remediateMachines(scope),
              () => syncMachines(scope),
              () => deleteOrphans(scope),
              () => reconcileReplicas(scope),
            ],
        context.signal,
      );
      return {
        ...outcome,
        object: scope.set,
        status: (stored) => {
          scope.set = stored;
          return { object: machineSetStatus(scope, { failed: outcome.errors.length > 0 }) };
        },
      };
    },
  });
