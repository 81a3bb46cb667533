import { LinodeReason } from "../api/linode-conditions.ts";
import { Annotation } from "@capstan/contract";
import type { ControllerV1 } from "@capstan/contract/v1";
import { ClusterResource, ownerOfKind } from "@capstan/contract/wire";
import { watched } from "@capstan/kit";
import { managedObject, observations } from "@capstan/kit/engine";
import { type ObjectKey, keyOf, keyText } from "@capstan/kube-values";
import { type Environment, watchMapped } from "@capstan/runtime";
import { type KubeObject, sameJson } from "@capstan/schema";
import { LinodeMachineTemplate } from "../api/linode-machine-template.v1alpha2.ts";
import { LinodeMachine } from "../api/linode-machine.v1alpha2.ts";

const { pending, present } = observations();

/** Index of LinodeMachines by the template they were cloned from. */
const byTemplate = "infra-linode/template";

const templateOf = ({ metadata }: KubeObject): ObjectKey | undefined => {
  const name = metadata.annotations?.[Annotation.clonedFromName];
  const kind = metadata.annotations?.[Annotation.clonedFromGroupKind];
  const isOurs = kind === `${LinodeMachineTemplate.kind}.${LinodeMachineTemplate.group}`;
  return name === undefined || !isOurs ? undefined : { namespace: metadata.namespace ?? "", name };
};

/** What of a template reaches machines that exist. */
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

/** What was changed in the template since it was handed to the machines last, and the machines that do not have it. */
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

/** Hands tags and firewallID of templates, when they change, to the LinodeMachines that were made from them. */
export const linodeMachineTemplate = (): ControllerV1 =>
  managedObject<LinodeMachineTemplate>({
    kind: LinodeMachineTemplate,
    noun: "the template",
    around: ({ cache, object }) => {
      const owner = ownerOfKind(object, ClusterResource);
      const key = owner && { namespace: object.metadata.namespace ?? "", name: owner.name };
      return { cluster: key && cache.get(ClusterResource, key), more: {} };
    },
    permissions: { own: [watched(LinodeMachine, ["patch"]), watched(ClusterResource)] },
    setup: (cache) => {
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
    observe: async ({ environment, object }) => {
      const { stale } = planOf(object, environment);
      if (stale.length > 0) return pending({ reason: LinodeReason.changingMachines, step: "handOver" });
      return present({ status: wantedOf(object) });
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
