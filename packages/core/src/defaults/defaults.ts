import { Label } from "@capstan/contract";
import { nameAsLabel, isEmptySelector } from "@capstan/kube-values";
import type { LabelSelector } from "@capstan/schema";
import { replaced, withMetadata, withSpec } from "@capstan/kit/machines";
import type { Machine, MachineDeployment, MachineHealthCheck, MachinePool, MachineSet } from "../api.ts";
import { defaultReplicas } from "./replicas.ts";

type Labels = Readonly<Record<string, string>>;
type Template = MachineSet["spec"]["template"];

/** Seconds for which the deletion of a Node is tried when a Machine does not say. */
export const defaultNodeDeletionTimeoutSeconds = 10;

/** Seconds in which a Machine must have become a Node when a MachineHealthCheck does not say. */
export const defaultNodeStartupTimeoutSeconds = 600;

/** The map with entries set; the same map when it has them. */
const withEntries = (given: Labels | null | undefined, entries: Labels): Labels => {
  // `matchLabels: null` is what upstream's templates write, and not every store drops it.
  const map = given ?? {};
  return Object.entries(entries).every(([key, value]) => map[key] === value) ? map : { ...map, ...entries };
};

const withVersionPrefix = (version: string | undefined): string | undefined =>
  version === undefined || version.startsWith("v") ? version : `v${version}`;

type OfCluster = Machine | MachineSet | MachineDeployment | MachinePool | MachineHealthCheck;

const withClusterLabel = <T extends OfCluster>(object: T): T =>
  withMetadata(object, {
    labels: withEntries(object.metadata.labels, { [Label.clusterName]: object.spec.clusterName }),
  });

const templateWith = (template: Template, labels: Labels): Template =>
  replaced(template, {
    metadata: replaced(template.metadata ?? {}, { labels: withEntries(template.metadata?.labels, labels) }),
    spec: replaced(template.spec, { version: withVersionPrefix(template.spec.version) }),
  });

const selectorWith = (selector: LabelSelector | undefined, whenEmpty: Labels, always: Labels): LabelSelector => {
  const wanted = isEmptySelector(selector) ? { ...whenEmpty, ...always } : always;
  return replaced<LabelSelector>(selector ?? {}, { matchLabels: withEntries(selector?.matchLabels, wanted) });
};

const withNodeDeletion = (deletion: Machine["spec"]["deletion"]): NonNullable<Machine["spec"]["deletion"]> =>
  replaced(deletion ?? {}, {
    nodeDeletionTimeoutSeconds: deletion?.nodeDeletionTimeoutSeconds ?? defaultNodeDeletionTimeoutSeconds,
  });

/** The Machine with what an admission webhook would have filled in. The same object when nothing is missing. */
export const defaultMachine = (machine: Machine): Machine =>
  withSpec(withClusterLabel(machine), {
    version: withVersionPrefix(machine.spec.version),
    deletion: withNodeDeletion(machine.spec.deletion),
  });

/**
 * As `defaultMachine`, for a MachineSet: a set without a selector gets its own name as one. `old` is the set before an
 * update, of which an autoscaler may have set the size.
 */
export const defaultMachineSet = (set: MachineSet, old?: MachineSet): MachineSet => {
  const own = { [Label.setName]: nameAsLabel(set.metadata.name ?? "") };
  const cluster = { [Label.clusterName]: set.spec.clusterName };
  const named = isEmptySelector(set.spec.selector) ? { ...own, ...cluster } : cluster;
  return withSpec(withClusterLabel(set), {
    replicas: set.spec.replicas ?? defaultReplicas(set.metadata, old?.spec.replicas),
    selector: selectorWith(set.spec.selector, own, cluster),
    template: templateWith(set.spec.template, named),
  });
};

const rollingUpdate = { type: "RollingUpdate", rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } as const;

type Strategy = NonNullable<NonNullable<MachineDeployment["spec"]["rollout"]>["strategy"]>;

const defaultStrategy = (strategy: Strategy | undefined): Strategy => {
  if (strategy === undefined) return rollingUpdate;
  if (strategy.type !== "RollingUpdate") return strategy;
  const { maxSurge, maxUnavailable } = strategy.rollingUpdate ?? {};
  if (maxSurge !== undefined && maxUnavailable !== undefined) return strategy;
  return {
    ...strategy,
    rollingUpdate: {
      maxSurge: maxSurge ?? rollingUpdate.rollingUpdate.maxSurge,
      maxUnavailable: maxUnavailable ?? rollingUpdate.rollingUpdate.maxUnavailable,
    },
  };
};

/** As `defaultMachineSet`, for a MachineDeployment, with the strategy of its rollouts. */
export const defaultMachineDeployment = (deployment: MachineDeployment, old?: MachineDeployment): MachineDeployment => {
  const own = { [Label.deploymentName]: nameAsLabel(deployment.metadata.name ?? "") };
  const cluster = { [Label.clusterName]: deployment.spec.clusterName };
  const named = isEmptySelector(deployment.spec.selector) ? { ...own, ...cluster } : cluster;
  return withSpec(withClusterLabel(deployment), {
    replicas: deployment.spec.replicas ?? defaultReplicas(deployment.metadata, old?.spec.replicas),
    selector: selectorWith(deployment.spec.selector, own, cluster),
    template: templateWith(deployment.spec.template, named),
    rollout: replaced<NonNullable<MachineDeployment["spec"]["rollout"]>>(deployment.spec.rollout ?? {}, {
      strategy: defaultStrategy(deployment.spec.rollout?.strategy),
    }),
  });
};

/** As `defaultMachineSet`, for a MachinePool, whose machines are not found by labels. */
export const defaultMachinePool = (pool: MachinePool, old?: MachinePool): MachinePool => {
  const { spec } = pool.spec.template;
  return withSpec(withClusterLabel(pool), {
    replicas: pool.spec.replicas ?? defaultReplicas(pool.metadata, old?.spec.replicas),
    template: replaced(pool.spec.template, {
      spec: replaced(spec, { version: withVersionPrefix(spec.version), deletion: withNodeDeletion(spec.deletion) }),
    }),
  });
};

type HealthChecks = NonNullable<MachineHealthCheck["spec"]["checks"]>;

/** As `defaultMachine`, for a MachineHealthCheck. */
export const defaultMachineHealthCheck = (check: MachineHealthCheck): MachineHealthCheck =>
  withSpec(withClusterLabel(check), {
    checks: replaced<HealthChecks>(check.spec.checks ?? {}, {
      nodeStartupTimeoutSeconds: check.spec.checks?.nodeStartupTimeoutSeconds ?? defaultNodeStartupTimeoutSeconds,
    }),
  });
