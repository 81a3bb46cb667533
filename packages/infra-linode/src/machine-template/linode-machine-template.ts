import { LinodeReason } from "../api/linode-conditions.ts";
import { Annotation, isCapstanError } from "@capstan/contract";
import type { ControllerV1 } from "@capstan/contract/v1";
import { cluster as clusterFields, ClusterResource, ownerOfKind, readReference } from "@capstan/contract/wire";
import { watched } from "@capstan/kit";
import type { LifeContext, ObjectFacts } from "@capstan/kit/engine";
import { managedObject, observations } from "@capstan/kit/engine";
import { type ObjectKey, keyOf, keyText } from "@capstan/kube-values";
import { type Environment, watchMapped } from "@capstan/runtime";
import { type KubeObject, sameJson } from "@capstan/schema";
import { LinodeCluster } from "../api/linode-cluster.v1alpha2.ts";
import { LinodeMachineTemplate } from "../api/linode-machine-template.v1alpha2.ts";
import { LinodeMachine } from "../api/linode-machine.v1alpha2.ts";
import type { Connect } from "../cloud/connections.ts";
import { namedSecret } from "../cloud/secret-ref.ts";
import { capacityOf } from "./capacity.ts";

const { pending, present } = observations();

/** Until Linode is asked again what a plan has. */
const unknownCapacityPollMs = 300_000;

interface Surroundings {
  /** Whose credentials are used where the template names none. */
  readonly infraCluster: LinodeCluster | undefined;
}

type Context = LifeContext<LinodeMachineTemplate, undefined, Surroundings>;

/** Index of LinodeMachines by the template they were cloned from. */
const byTemplate = "infra-linode/template";

const templateOf = ({ metadata }: KubeObject): ObjectKey | undefined => {
  const name = metadata.annotations?.[Annotation.clonedFromName];
  const kind = metadata.annotations?.[Annotation.clonedFromGroupKind];
  const isOurs = kind === `${LinodeMachineTemplate.kind}.${LinodeMachineTemplate.group}`;
  return name === undefined || !isOurs ? undefined : { namespace: metadata.namespace ?? "", name };
};

/** Returns the fields of a template that are passed on to existing machines. */
const fieldsOf = ({ firewallID, tags }: Partial<LinodeMachine["spec"]>) => ({
  tags: tags ?? null,
  firewallID: firewallID ?? null,
});

type Fields = ReturnType<typeof fieldsOf>;

const differing = (wanted: Fields, present: Fields): Partial<Fields> =>
  Object.fromEntries(
    Object.entries(wanted).filter(([field, value]) => !sameJson(value, present[field as keyof Fields])),
  );

const wantedOf = ({ spec }: LinodeMachineTemplate): Fields => fieldsOf(spec?.template.spec ?? {});

/**
 * Returns the changes in the template since they were last passed on to the machines, and the machines that do not have
 * them.
 */
const planOf = (object: LinodeMachineTemplate, { cache }: Pick<Environment, "cache">) => {
  const change = differing(wantedOf(object), fieldsOf(object.status ?? {}));
  const machines = cache.byIndex(LinodeMachine, byTemplate, keyText(keyOf(object)));
  const stale = machines.filter((machine) => {
    const { deletionTimestamp } = machine.metadata;
    const lacking = differing({ ...fieldsOf(machine.spec), ...change }, fieldsOf(machine.spec));
    return deletionTimestamp === undefined && Object.keys(lacking).length > 0;
  });
  return { change, stale };
};

/**
 * Returns the capacity of a machine of the template; `undefined` while Linode cannot be asked. Plans do not change, so
 * it is looked up once.
 */
const capacityFacts = async ({ call, infraCluster, log, object, readSecret }: Context, connect: Connect) => {
  const machine = object.spec?.template.spec;
  if (machine === undefined || object.status?.capacity !== undefined) return {};
  try {
    const ref = namedSecret(machine.credentialsRef) ?? namedSecret(infraCluster?.spec.credentialsRef);
    const credentials = ref && (await readSecret(ref));
    if (ref !== undefined && credentials === undefined) return undefined;
    const plan = (await connect(credentials, object).types(call)).find(({ id }) => id === machine.type);
    return plan === undefined ? undefined : capacityOf(plan);
  } catch (error) {
    if (!isCapstanError(error)) throw error;
    log.debug("the capacity of the template's machines is not known yet", { error: error.message });
    return undefined;
  }
};

/** Hands tags and firewallID of templates, when they change, to the LinodeMachines that were made from them, and says what a machine would have. */
export const linodeMachineTemplate = (connect: Connect): ControllerV1 =>
  managedObject<LinodeMachineTemplate, undefined, ObjectFacts, Surroundings>({
    kind: LinodeMachineTemplate,
    noun: "the template",
    around: ({ cache, object }) => {
      const owner = ownerOfKind(object, ClusterResource);
      const key = owner && { namespace: object.metadata.namespace ?? "", name: owner.name };
      const cluster = key && cache.get(ClusterResource, key);
      const ref = cluster && readReference(cluster, clusterFields.infrastructureRefPath);
      const { namespace = "" } = object.metadata;
      const infraCluster = ref && cache.get(LinodeCluster, { namespace, name: ref.name });
      return { cluster, more: { infraCluster } };
    },
    permissions: { own: [watched(LinodeMachine, ["patch"]), watched(ClusterResource), watched(LinodeCluster)] },
    setup: (cache) => {
      cache.informer(LinodeCluster);
      cache.informer(LinodeMachine).addIndex(byTemplate, (machine) => {
        const template = templateOf(machine);
        return template === undefined ? [] : [keyText(template)];
      });
    },
    sources: [
      watchMapped(ClusterResource, ({ metadata }, { cache }) => {
        const owned = cache.list(LinodeMachineTemplate).filter((template) => {
          const owner = ownerOfKind(template, ClusterResource);
          return owner?.name === metadata.name && template.metadata.namespace === metadata.namespace;
        });
        return owned.map(keyOf);
      }),
    ],
    observe: async (context) => {
      const { environment, object } = context;
      const { stale } = planOf(object, environment);
      if (stale.length > 0) return pending({ reason: LinodeReason.changingMachines, step: "handOver" });
      const capacity = await capacityFacts(context, connect);
      if (capacity === undefined) return present({ status: wantedOf(object), pollMs: unknownCapacityPollMs });
      return present({ status: { ...wantedOf(object), ...capacity } });
    },
    steps: {
      handOver: async ({ environment, object, call }) => {
        const { change, stale } = planOf(object, environment);
        for (const machine of stale) {
          const { resourceVersion } = machine.metadata;
          const body = { metadata: { resourceVersion }, spec: change };
          await environment.client.patch(LinodeMachine, keyOf(machine), { type: "merge", body }, call);
        }
      },
    },
  });
