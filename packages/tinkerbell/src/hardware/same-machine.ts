import type { Cache } from "@capstan/kube";
import { keyOf, keyText } from "@capstan/kube-values";
import { BmcMachine } from "../api/bmc-machine.ts";
import { Hardware } from "../api/hardware.ts";
import { boardHost, isSameBoard } from "../bmc/same-board.ts";
import { normalized, boardKey, type MachineMark, marksOf } from "./machine-marks.ts";
import { byPrecedence, isClaimed } from "./precedence.ts";

const byMark = "tinkerbell/machine-marks";
const byHost = "tinkerbell/board-host";

const keysOf = (hardware: Hardware): readonly string[] => [...new Set(marksOf(hardware).map(({ key }) => key))];

/** Another Hardware that describes the same machine. */
export interface OtherHardware {
  readonly hardware: Hardware;
  /** Marks that both share, as written in the Hardware that was asked about. */
  readonly marks: readonly MachineMark[];
  /** True to switch one is to switch the other: they have an interface or the board management in common, not just an id or address. */
  readonly isOneBody: boolean;
}

/** Declares what Hardware of one machine is found by, on a cache that does not run yet; several controllers may. */
export const indexMarks = (cache: Cache): void => cache.informer(Hardware).addIndex(byMark, keysOf);

/** The same with board management that several Machines describe. */
export const indexMachines = (cache: Cache): void => {
  indexMarks(cache);
  cache.informer(BmcMachine).addIndex(byHost, boardHost);
};

const isSame = (a: Hardware, b: Hardware): boolean => keyText(keyOf(a)) === keyText(keyOf(b));

/** Keys of the interfaces of some Hardware. */
const macsOf = (hardware: Hardware): ReadonlySet<string> =>
  new Set(marksOf(hardware).flatMap(({ key, kind }) => (kind === "mac" ? [key] : [])));

interface Found {
  readonly hardware: Hardware;
  readonly marks: MachineMark[];
  readonly macs: ReadonlySet<string>;
}

const isBody = ({ key, kind }: MachineMark, macs: ReadonlySet<string>): boolean =>
  kind === "board" || (kind === "mac" && macs.has(key));

const sharing = (cache: Cache, hardware: Hardware, marks: readonly MachineMark[]): readonly OtherHardware[] => {
  const found = new Map<Hardware, Found>();
  for (const mark of marks) {
    for (const other of cache.byIndex(Hardware, byMark, mark.key)) {
      const known = found.get(other);
      if (known !== undefined) known.marks.push(mark);
      else if (!isSame(other, hardware)) found.set(other, { hardware: other, marks: [mark], macs: macsOf(other) });
    }
  }
  return [...found.values()].map((each) => ({
    hardware: each.hardware,
    marks: each.marks,
    isOneBody: each.marks.some((mark) => isBody(mark, each.macs)),
  }));
};

/** Hardware whose board management some Machine is, or another Machine at the same place. */
export const hardwareAtBoard = (cache: Cache, board: BmcMachine): readonly Hardware[] =>
  [board, ...boardHost(board).flatMap((host) => cache.byIndex(BmcMachine, byHost, host))]
    .filter((each) => each === board || isSameBoard(board, each))
    .flatMap(({ metadata }) => cache.byIndex(Hardware, byMark, boardKey(metadata)));

/** Marks of the other Machines that stand for the board management of some Hardware. */
const otherBoards = (cache: Cache, { metadata: { namespace }, spec }: Hardware): readonly MachineMark[] => {
  const board = spec?.bmcRef && cache.get(BmcMachine, { namespace: namespace ?? "", name: spec.bmcRef.name });
  if (board === undefined) return [];
  return boardHost(board)
    .flatMap((host) => cache.byIndex(BmcMachine, byHost, host))
    .filter((other) => keyText(keyOf(other)) !== keyText(keyOf(board)) && isSameBoard(board, other))
    .map((other) => ({
      kind: "board" as const,
      field: "the host of the board management that spec.bmcRef names,",
      value: board.spec?.connection.host ?? "",
      key: boardKey(other.metadata),
    }));
};

/** Other Hardware that says by itself that it is the same machine, that which counts most first. */
export const hardwareSharing = (cache: Cache, hardware: Hardware): readonly OtherHardware[] =>
  sharing(cache, hardware, marksOf(hardware)).toSorted((a, b) => byPrecedence(a.hardware, b.hardware));

/** The same, with Hardware whose board management is another Machine for the same one. The cache needs `indexMachines`. */
export const hardwareOfSameMachine = (cache: Cache, hardware: Hardware): readonly OtherHardware[] =>
  sharing(cache, hardware, [...marksOf(hardware), ...otherBoards(cache, hardware)]).toSorted((a, b) =>
    byPrecedence(a.hardware, b.hardware),
  );

/** The one among them that counts in the place of some Hardware; `undefined`: that Hardware itself does. */
export const firstOf = (
  hardware: Hardware,
  others: readonly OtherHardware[],
  precedence = byPrecedence,
): OtherHardware | undefined => others.find((other) => precedence(other.hardware, hardware) < 0);

/** The one among Hardware of one machine that can count: there is at most one before which no other comes. */
export const firstAmong = (all: readonly Hardware[]): Hardware | undefined =>
  all.reduce<Hardware | undefined>(
    (first, each) => (first === undefined || byPrecedence(each, first) < 0 ? each : first),
    undefined,
  );

/** The Hardware that counts among those that an agent's id names. */
export const hardwareOfAgent = (cache: Cache, agentId: string): Hardware | undefined => {
  const first = firstAmong(cache.byIndex(Hardware, byMark, normalized(agentId)));
  return first === undefined || firstOf(first, hardwareSharing(cache, first)) !== undefined ? undefined : first;
};

/** Labels in another namespace are believed of Hardware that counts, or would, as long as no record says which of the two does. */
const isBelieved = (other: Hardware, hardware: Hardware): boolean =>
  other.metadata.namespace === hardware.metadata.namespace || byPrecedence(other, hardware) < 0;

/** Those that machines of Clusters have. */
export const claimedAmong = (hardware: Hardware, others: readonly OtherHardware[]): readonly OtherHardware[] =>
  others.filter((other) => isClaimed(other.hardware) && isBelieved(other.hardware, hardware));

/** Messages name this much of what is the same, and this much other Hardware. */
const mostNamed = 3;

const listed = (texts: readonly string[]): string =>
  [...texts.slice(0, mostNamed), ...(texts.length > mostNamed ? [`${texts.length - mostNamed} more`] : [])].join("; ");

/** Another Hardware and what is the same about it, for readers of the namespace of the Hardware that was asked about. */
const named = (hardware: Hardware, { hardware: other, marks }: OtherHardware): string => {
  const isBeside = other.metadata.namespace === hardware.metadata.namespace;
  const name = isBeside ? `Hardware ${keyText(keyOf(other))}` : "another Hardware, in another namespace,";
  return `${name} describes the same machine (${listed(marks.map(({ field, value }) => `${field} ${value}`))})`;
};

/** Returns the message about Hardware that does not count: the cause, the effect and the fix. */
export const saysSecond = (hardware: Hardware, first: OtherHardware): string =>
  `${named(hardware, first)}; as long as it does, this one is not claimed, switched, booted or served; correct the one that is wrong, or delete it`;

/** Returns the message about Hardware that counts although others describe the same machine. */
export const saysFirst = (hardware: Hardware, others: readonly OtherHardware[]): string =>
  `${listed(others.map((other) => named(hardware, other)))}; only this one is used; correct the one that is wrong, or delete it`;
