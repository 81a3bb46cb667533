import { SecretResource } from "@capstan/contract/wire";
import { type Hold, holdNamesOf, type ObjectRef } from "@capstan/kit/engine";
import { absent, type MachineObservation } from "@capstan/kit/machine";
import { isBeingDeleted, keyOf, keyText } from "@capstan/kube-values";
import type { KubeObject } from "@capstan/schema";
import { BmcMachine, type Hardware } from "@capstan/tinkerbell/api";
import { TinkerbellReason } from "../api/tinkerbell-conditions.ts";
import { TinkerbellMachine } from "../api/tinkerbell-machine.v1beta1.ts";
import { hardwareName } from "./hardware-facts.ts";
import type { MachineContext } from "./machine-uses.ts";

type Context = Pick<MachineContext, "uses"> & { readonly object: KubeObject };

const boardOf = ({ uses }: Context): BmcMachine | undefined => {
  const hardware = uses.hardware.mine();
  return hardware && uses.boardManagement.of(hardware);
};

const secretsOf = ({ metadata: { namespace }, spec }: BmcMachine): readonly ObjectRef[] => {
  const { authSecretRef, providerOptions } = spec?.connection ?? {};
  const signing = Object.values(providerOptions?.rpc?.hmac?.secrets ?? {}).flat();
  return [authSecretRef, ...signing].flatMap((ref) =>
    ref?.name === undefined || ref.name === "" ? [] : [{ name: ref.name, namespace: ref.namespace ?? namespace }],
  );
};

const held = holdNamesOf(TinkerbellMachine);
const lookAgainMs = 1000;
const leavingMs = 30_000;

/** Nothing is made before the Machine of board management is held, by the look after the claim, or else could not be removed. */
export const observeUnheld = (context: MachineContext, hardware: Hardware): MachineObservation | undefined => {
  const board = context.uses.boardManagement.of(hardware);
  if (board === undefined || (board.metadata.finalizers ?? []).some(held.isOne)) return undefined;
  const reason = TinkerbellReason.claimed;
  if (!isBeingDeleted(board)) {
    return absent({ reason, message: `claimed Hardware ${hardwareName(hardware)}`, pollMs: lookAgainMs });
  }
  const name = `Machine ${keyText(keyOf(board))} of the group ${BmcMachine.group}`;
  const message = `Hardware ${hardwareName(hardware)}: ${name}, which spec.bmcRef names, is being deleted; create it again once it is gone, or name another`;
  return absent({ reason: TinkerbellReason.hardwareNotUsable, message, pollMs: leavingMs });
};

/** Objects that are needed to switch a machine off: the Machine of its board management, and the Secrets for access to it. */
export const machineHolds: readonly Hold<Context>[] = [
  {
    kind: BmcMachine,
    of: (context) => {
      const hardware = context.uses.hardware.mine();
      const name = hardware?.spec?.bmcRef?.name;
      return name === undefined ? undefined : { name, namespace: hardware?.metadata.namespace };
    },
  },
  {
    kind: SecretResource,
    of: (context) => {
      const board = boardOf(context);
      return board && secretsOf(board);
    },
    namedBy: (context) => {
      const board = boardOf(context);
      return board && { kind: BmcMachine, object: board };
    },
  },
];
