import { watched } from "@capstan/kit";
import type { Use } from "@capstan/kit/engine";
import { isBeingDeleted, keyOf, keyText } from "@capstan/kube-values";
import { watchMapped } from "@capstan/runtime";
import type { KubeObject } from "@capstan/schema";
import { BmcMachine, Hardware, hardwareOwnerLabels } from "@capstan/tinkerbell/api";
import { hardwareName } from "./hardware-facts.ts";

const index = "infra-metal/board-management";

const boardOf = ({ metadata, spec }: Hardware): { readonly namespace: string; readonly name: string } | undefined =>
  spec?.bmcRef === undefined ? undefined : { namespace: metadata.namespace ?? "", name: spec.bmcRef.name };

/** The TinkerbellMachine that has some Hardware. */
export const claimantOf = ({ metadata }: KubeObject) => {
  const { [hardwareOwnerLabels.name]: name, [hardwareOwnerLabels.namespace]: namespace } = metadata.labels ?? {};
  return name === undefined || namespace === undefined ? [] : [{ name, namespace }];
};

/** Returns why board management cannot be reached, in the words of Tinkerbell's controller if it says so; `undefined`: no known reason. */
const problemOf = (hardware: Hardware, machine: BmcMachine | undefined): string | undefined => {
  const { name, namespace } = boardOf(hardware)!;
  if (machine === undefined) {
    return `there is no Machine ${namespace}/${name} of the group ${BmcMachine.group}, which spec.bmcRef of Hardware ${hardwareName(hardware)} names${isBeingDeleted(hardware) ? "" : "; create it"}`;
  }
  return machine.status?.conditions?.find(({ status, type }) => type === "Contactable" && status === "False")?.message;
};

/** The board management of Hardware: whoever has the Hardware is woken when it can be reached again. */
export const boardManagement: Use<{
  readonly of: (hardware: Hardware) => BmcMachine | undefined;
  readonly problem: (hardware: Hardware) => string | undefined;
}> = {
  permissions: [watched(BmcMachine)],
  attach: () => ({
    sources: [
      watchMapped(BmcMachine, (machine, { cache }) =>
        cache.byIndex(Hardware, index, keyText(keyOf(machine))).flatMap(claimantOf),
      ),
    ],
    prepare: (cache) => {
      cache.informer(BmcMachine);
      cache.informer(Hardware).addIndex(index, (hardware) => {
        const board = boardOf(hardware);
        return board === undefined ? [] : [keyText(board)];
      });
    },
    open: ({ environment: { cache } }) => ({
      of: (hardware) => {
        const board = boardOf(hardware);
        return board && cache.get(BmcMachine, board);
      },
      problem: (hardware) => {
        const board = boardOf(hardware);
        return board && problemOf(hardware, cache.get(BmcMachine, board));
      },
    }),
  }),
};
