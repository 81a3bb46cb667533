import { CapstanError } from "@capstan/contract";
import { CustomResourceDefinitionResource, NamespaceResource } from "@capstan/contract/wire";
import type { Client } from "@capstan/kube";
import { countNoun } from "@capstan/kube-values";
import { abandonDefinitions } from "../install/abandon.ts";
import { deleteFound, nameOfObject } from "../install/owned-kinds.ts";
import { countedKinds, leftObjects } from "../install/removal.ts";
import type { View } from "../view/view.ts";
import type { Uninstallation } from "./plan-uninstallation.ts";

interface TakeAwayOptions {
  readonly installation: string;
  readonly dryRun: boolean;
  readonly force: boolean;
  readonly view: View;
  readonly signal: AbortSignal;
}

const inUse = (installation: string, { orphans, held }: Uninstallation): CapstanError =>
  new CapstanError({
    code: "installation.in_use",
    reason: "InstallationInUse",
    message: [
      `uninstalling ${installation} would leave these unmanaged; delete them first, or use --force to keep them, including servers`,
      ...orphans.map((name) => `Cluster ${name}`),
      ...held,
    ].join("\n  "),
    retry: { kind: "never" },
  });

/** Lists what remains, one line each. */
const remains = ({ left, orphans, held, heldSecrets, namespace }: Uninstallation): readonly string[] => [
  ...orphans.map((name) => `Cluster ${name}, with its servers, now unmanaged`),
  ...left.map(
    (each) => `CustomResourceDefinition ${each.definition.metadata.name}, still in use by ${countedKinds([each])}`,
  ),
  ...[...held, ...heldSecrets].map((what) => `${what}, held by a finalizer that no controller removes`),
  ...(namespace === undefined || namespace.goes
    ? []
    : [
        `Namespace ${namespace.name}${namespace.others.length === 0 ? ", which the installation did not create" : `, which also holds ${namespace.others.join(", ")}`}`,
      ]),
];

/** Deletes what asks webhooks before what serves them, then managers and their rights, then definitions that no one uses. */
const deleteAll = async (
  client: Client,
  plan: Uninstallation,
  { installation, view, signal }: TakeAwayOptions,
): Promise<void> => {
  const left = plan.left.map(({ definition }) => definition.metadata.name);
  await abandonDefinitions(client, left, { installation, signal });
  for (const found of plan.owned) {
    await deleteFound(client, found, signal);
    view.say({ type: "deleted", text: `${nameOfObject(found)} deleted` });
  }
  for (const name of plan.unused) {
    // Someone may have made one in the meantime.
    if ((await leftObjects(client, [name], signal)).length > 0) continue;
    await client.delete(CustomResourceDefinitionResource, { name }, { signal });
    view.say({ type: "deleted", text: `CustomResourceDefinition ${name} deleted` });
  }
  if (plan.namespace?.goes !== true) return;
  await client.delete(NamespaceResource, { name: plan.namespace.name }, { signal });
  view.say({ type: "deleted", text: `Namespace ${plan.namespace.name} deleted` });
};

const wouldDelete = ({ owned, unused, namespace }: Uninstallation): readonly string[] => [
  ...owned.map(nameOfObject),
  ...unused.map((name) => `CustomResourceDefinition ${name}`),
  ...(namespace?.goes === true ? [`Namespace ${namespace.name}`] : []),
];

/** Uninstalls, and says what remains. Throws `installation.in_use` when something would be left with no one to manage it. */
export const takeAway = async (client: Client, plan: Uninstallation, options: TakeAwayOptions): Promise<void> => {
  const { installation, dryRun, force, view } = options;
  const deleted = wouldDelete(plan);
  const left = remains(plan);
  if (deleted.length === 0) {
    const text =
      plan.left.length === 0
        ? `the installation ${installation} does not exist`
        : [`nothing left to delete of the installation ${installation}; remaining:`, ...left].join("\n  ");
    view.say({ type: "uninstalled", text });
    return;
  }
  const isInUse = plan.orphans.length > 0 || plan.held.length > 0;
  if (!dryRun && !force && isInUse) throw inUse(installation, plan);
  if (dryRun) for (const what of deleted) view.say({ type: "would-delete", text: `${what} would be deleted` });
  else await deleteAll(client, plan, options);
  const rest =
    left.length === 0 ? "nothing remains" : [`what ${dryRun ? "would remain" : "remains"}:`, ...left].join("\n  ");
  const refused = dryRun && isInUse ? "; this requires --force" : "";
  view.say({
    type: "uninstalled",
    text: `${countNoun(deleted.length, "object")} ${dryRun ? "would be " : ""}deleted${refused}; ${rest}`,
    fields: { installation, deleted: deleted.length, remaining: left, orphans: plan.orphans },
  });
};
