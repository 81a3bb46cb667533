import { Annotation } from "@capstan/contract";
import { byText, isBeingDeleted } from "@capstan/kube-values";
import type { KubeObject } from "@capstan/schema";
import type { Machine } from "../../machines/machine.ts";

/** One Machine of a control plane, with what is known about it. */
export interface Member {
  readonly machine: Machine;
  /** `undefined` when it does not exist, or is not seen yet. */
  readonly config: KubeObject | undefined;
  readonly infrastructure: KubeObject | undefined;
  /** Why the Machine has to be replaced; empty when it is up to date. */
  readonly outdated: readonly string[];
  /** Something on it is known to be broken: it is replaced before others. */
  readonly broken: boolean;
}

export const nameOfMember = ({ machine }: Member): string => machine.metadata.name ?? "";

export const isLeaving = ({ machine }: Member): boolean => isBeingDeleted(machine);

export const isOutdated = ({ outdated }: Member): boolean => outdated.length > 0;

export const hasNode = ({ machine }: Member): boolean => machine.status?.nodeRef !== undefined;

/** A user asks for the Machine to go first. */
export const isMarkedForDeletion = ({ machine }: Member): boolean =>
  machine.metadata.annotations?.[Annotation.deleteMachine] !== undefined;

const created = ({ machine }: Member): number => Date.parse(machine.metadata.creationTimestamp ?? "") || 0;

/** Oldest first; ties by name. */
export const byAge = (left: Member, right: Member): number =>
  created(left) - created(right) || byText(nameOfMember(left), nameOfMember(right));
