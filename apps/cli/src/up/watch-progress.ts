import { Group } from "@capstan/contract";
import type { ProviderV1 } from "@capstan/contract/v1";
import {
  ClusterResource,
  controllerOf,
  MachineDeploymentResource,
  MachinePoolResource,
  MachineResource,
  MachineSetResource,
} from "@capstan/contract/wire";
import { isHeld, machinesVerdict, type Row, rowOf } from "@capstan/inspect";
import { hasStoredData } from "@capstan/kit/delivery";
import type { Cache } from "@capstan/kube";
import { byText } from "@capstan/kube-values";
import type { KubeObject, Resource } from "@capstan/schema";
import { controllersOf } from "../providers/compose-manager.ts";
import type { View } from "../view/view.ts";

/** Follows every object of the providers' kinds and shows it. */
export interface Progress {
  readonly verdict: () => ReturnType<typeof machinesVerdict>;
  /** Every object as it stands now. */
  readonly rows: () => readonly Row[];
  /** Called after every change. */
  onChange(listener: () => void): void;
  /** Shows the present state at once. */
  refresh(): void;
}

/**
 * Returns a test for kinds whose every status a controller writes; for a controller that does not say, all kinds of its
 * provider.
 */
const withStatus = (provider: ProviderV1): ((kind: Resource) => boolean) => {
  const controllers = controllersOf(provider);
  if (controllers.some(({ permissions }) => permissions === undefined)) return () => true;
  const written = new Set(
    controllers
      .flatMap(({ permissions }) => permissions?.own ?? [])
      .filter(({ verbs }) => verbs.some((verb) => verb === "patch" || verb === "update"))
      .map(({ group, resource }) => `${group}/${resource}`),
  );
  return ({ group, plural }) => written.has(`${group}/${plural}/status`);
};

/** The kinds that have a state, in the order of the providers and their kinds. What makes Machines has one although no one may act on it; templates, and what is only read, have none. */
const shownKinds = (provider: ProviderV1): readonly Resource[] => {
  const isWorkedOn = withStatus(provider);
  return provider.kinds.filter((kind) => !kind.kind.endsWith("Template") && (isWorkedOn(kind) || makesMachines(kind)));
};

export const watchProgress = (cache: Cache, providers: readonly ProviderV1[], view: View): Progress => {
  const kinds = providers.flatMap(shownKinds);
  const shown = new Map<string, string>();
  const listeners: (() => void)[] = [];
  let scheduled = false;

  const listOf = (resource: Resource): readonly KubeObject[] => cache.informer(resource).list();

  const rowsNow = (): readonly Row[] => kinds.flatMap((resource) => listOf(resource).map(rowOf).toSorted(byName));

  const refresh = (): void => {
    const rows = rowsNow();
    const keys = new Set(rows.map(keyOf));
    const changed = rows.filter((row) => shown.get(keyOf(row)) !== JSON.stringify(row));
    const gone = [...shown.keys()].filter((key) => !keys.has(key));
    for (const row of changed) shown.set(keyOf(row), JSON.stringify(row));
    const deleted = gone.map((key): Row => ({
      ...(JSON.parse(shown.get(key) ?? "{}") as Row),
      state: "Deleted",
      detail: "",
      done: true,
    }));
    for (const key of gone) shown.delete(key);
    if (changed.length > 0 || deleted.length > 0) view.rows(rows, [...changed, ...deleted]);
    for (const listener of listeners) listener();
  };

  // Many objects change in one turn of the event loop: they are drawn together.
  const schedule = (): void => {
    if (scheduled) return;
    scheduled = true;
    setTimeout(() => {
      scheduled = false;
      refresh();
    }, 30);
  };

  for (const resource of kinds) cache.informer(resource).subscribe(schedule);
  return {
    verdict: () =>
      machinesVerdict({
        clusters: listOf(ClusterResource),
        machines: listOf(MachineResource),
        owners: kinds.filter(makesMachines).flatMap(listOf).filter(isNotMade),
        stored: kinds.flatMap(listOf).filter((object) => hasStoredData(object) && !isHeld(object)),
      }),
    rows: rowsNow,
    onChange: (listener) => listeners.push(listener),
    refresh,
  };
};

const makers: readonly string[] = [MachineDeploymentResource.kind, MachinePoolResource.kind, MachineSetResource.kind];

const makesMachines = ({ group, kind }: Resource): boolean =>
  group === Group.controlPlane || (group === Group.core && makers.includes(kind));

/** The MachineSets of a MachineDeployment count with it. */
const isNotMade = (owner: KubeObject): boolean => controllerOf(owner)?.kind !== MachineDeploymentResource.kind;

const keyOf = (row: Row): string => `${row.group}/${row.kind}/${row.namespace}/${row.name}`;

const byName = (a: Row, b: Row): number => byText(keyOf(a), keyOf(b));
